"""Tables of the Frank-Wolfe experiments: their schemas, what they must show, and that each figure draws them."""

from importlib import import_module
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import yaml

from hardmax.audit.schemas import check_table
from hardmax.frank_wolfe.checks import _diagonal_values, checks
from hardmax.frank_wolfe.paths import moving_cells, straight_paths
from hardmax.frank_wolfe.polytopes import at_angles, convex_radii, shapes, spread_angles
from hardmax.frank_wolfe.probabilities import owning
from hardmax.frank_wolfe.rates import distances, energies
from hardmax.geometry import distances_to_hull, hull_vertices

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "workflow" / "schemas" / "tables"
FIGURES = {
    **{f"cells_{kind}": "shapes" for kind in ("equal", "hull_raw", "hull_normalised", "free_raw", "free_normalised")},
    "ellipse": "shapes", "dominance": "shapes", "paths": "paths", "distances": "distances", "energies": "energies", "ownership": "ownership",
}  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(4)
    return {
        "shapes": shapes(rng, [3, 5, 8], [5, 7], [5, 7], [0.001, 0.05], 0.03),
        "paths": straight_paths(rng, [5, 7], 12, 0.2, 10),
        "moving": moving_cells(rng, 12, 0.1, 5),
        "distances": distances(30),
        "energies": energies(rng, 300),
        "ownership": owning(rng, [2, 16], [3], [1.0, 3.0], 200),
        "checks": checks(rng, 20),
    }


def test_tables_fit_their_schemas(tables):
    for name, table in tables.items():
        schema = yaml.safe_load((SCHEMAS / f"frank_wolfe_{name}.schema.yaml").read_text(encoding="utf-8"))
        check_table(table, schema, name)


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_draws_and_has_a_caption(tables, figure):
    drawn = import_module(f"hardmax.figures.frank_wolfe_{figure}").draw(**{FIGURES[figure]: tables[FIGURES[figure]]})
    drawn.canvas.draw()
    assert any(axes.lines or axes.patches or axes.collections for axes in drawn.axes)
    plt.close(drawn)
    assert len((ROOT / "workflow" / "report" / f"frank_wolfe_{figure}.rst").read_text(encoding="utf-8")) > 100


def test_animation_has_a_frame_a_step(tables):
    frames = list(import_module("hardmax.figures.frank_wolfe_moving_cells").frames(tables["moving"]))
    assert len(frames) == 5
    plt.close("all")


@pytest.mark.parametrize("count", [3, 7, 25])
def test_angles_keep_apart_and_radii_make_every_point_a_vertex(count):
    rng = np.random.default_rng(count)
    for _ in range(5):
        angles = spread_angles(rng, count)
        gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
        assert gaps.min() >= 0.2 * 2 * np.pi / count - 1e-12 and gaps.max() < np.pi
        radii = convex_radii(rng, angles)
        assert (radii >= 0.4 - 1e-12).all() and (radii <= 1 + 1e-12).all() and np.ptp(radii) > 0
        assert len(hull_vertices(at_angles(angles, radii))) == count


def test_convex_radii_have_the_law_of_rejection():
    """Four points at right angles: a Kolmogorov-Smirnov test of the first radius at level 1e-6."""
    from scipy.stats import ks_2samp

    rng, angles = np.random.default_rng(0), np.arange(4) * np.pi / 2 + np.array([0.0, 0.3, 0.0, 0.2])
    sampled = [convex_radii(rng, angles)[0] for _ in range(600)]
    drawn = rng.uniform(0.4, 1.0, size=(6000, 4))
    accepted = [radii[0] for radii in drawn if len(hull_vertices(at_angles(angles, radii))) == 4]
    assert len(accepted) > 500
    assert ks_2samp(sampled, accepted).pvalue > 1e-6


def test_the_share_left_is_the_product(tables):
    rows = tables["distances"]
    np.testing.assert_allclose(rows["share"], rows["product"], rtol=1e-12)
    last = rows.groupby("schedule")["share"].last()
    assert last["1/2^(t+1)"] > 0.28
    assert last["1/(t+2)"] == pytest.approx(1 / 31)
    assert last["1/5"] == pytest.approx(0.8**30)
    assert last["1 - exp(-(t+1)/4)"] == pytest.approx(np.exp(-30 * 31 / 8), rel=1e-9)


def test_the_bound_holds_where_the_origin_stays_and_breaks_where_it_leaves(tables):
    broken = tables["energies"].assign(broken=lambda rows: rows["energy"] > rows["bound"]).groupby("cloud")["broken"].any()
    assert not broken["mirrored cloud, 0 stays in the hulls"]
    assert broken["tokens 1 and -5"] and broken["random cloud, 0 leaves the hulls"]


def test_measured_ownership_respects_its_bound(tables):
    rows = tables["ownership"]
    assert (rows["high"] >= rows["bound"]).all() and (rows["low"] <= rows["probability"]).all()


def test_paths_stay_on_their_lines(tables):
    for _, path in tables["paths"].groupby(["vertices", "token"]):
        path = path.sort_values("step")
        assert path["cell"].nunique() == 1
        points = path[["x", "y"]].to_numpy()
        whole, parts = points[-1] - points[0], points - points[0]
        assert np.abs(parts[:, 0] * whole[1] - parts[:, 1] * whole[0]).max() < 1e-12


def test_shares_of_clouds_that_leave_their_hull_are_counted_again():
    """FW-2's experiment on the same clouds, by distance from the hull: none for V = I, some for unequal diagonals."""
    rows = list(_diagonal_values(np.random.default_rng(6), 30))
    rng, shares = np.random.default_rng(6), []
    for ratio in (1.0, 1.5, 4.0):
        left = 0
        for cloud in rng.normal(size=(30, 6, 2)):
            mean = cloud[(cloud @ cloud.T).argmax(axis=1)]
            after = cloud + np.array([1 / 2, ratio / (1 + ratio)]) * (mean - cloud)
            left += distances_to_hull(cloud, after).max() > 1e-6
        shares.append(left / 30)
    assert [row["value"] for row in rows] == pytest.approx(shares, abs=1.5 / 30)
    assert rows[0]["value"] == shares[0] == 0 < shares[1] < shares[2]
    assert rows[0]["low"] == 0 and rows[2]["low"] > 0
