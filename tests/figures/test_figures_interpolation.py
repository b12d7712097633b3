"""The figures of networks draw what their tables hold: medians, means and ranges over data sets, the leader by projection."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.markers import MarkerStyle

from hardmax.figures import interpolation_attention, interpolation_complexity, interpolation_precision, interpolation_tikhonov
from hardmax.interpolation.illustrations import attention
from hardmax.interpolation.published import published_losses
from hardmax.interpolation.regularisation import least_losses
from hardmax.interpolation.summary import summarise


@pytest.fixture(scope="module")
def networks():
    """Made-up measurements, three data sets a point, which no two series share."""
    rng = np.random.default_rng(0)
    points = [
        {"sweep": sweep, "construction": construction, "targets": m, "sequences": n, "target_points": m * n, "tokens": n, "dimension": d}
        for sweep, d in (("sequences", 8), ("dimension", 2), ("dimension", 4), ("length", 8))
        for construction in ("compact", "leaders")
        for m in (1, 2)
        for n in (4, 8)
        for _ in range(3)
    ]
    measured = ("depth", "depth_bound", "paper_depth", "parameters", "nonzero_entries", "lower_bound", "least_gap", "scale")
    errors = ("float64_error", "float32_error")
    return pd.DataFrame(points).assign(**{name: rng.uniform(1, 9, size=len(points)) for name in (*measured, *errors)})


def test_precision_is_the_median_and_the_range(networks):
    figure = interpolation_precision.draw(summarise(networks))
    axes = figure.axes[0]
    rows = networks[(networks["sweep"] == "sequences") & (networks["construction"] == "leaders") & (networks["targets"] == 2)]
    share = (rows["least_gap"] / rows["scale"]).groupby(rows["sequences"])
    lines = [line.get_ydata() for line in axes.lines if np.size(line.get_xdata())]
    assert len(lines) == 4
    assert sum(np.allclose(line, share.median()) for line in lines) == 1
    bands = [band.get_paths()[0].get_extents() for band in axes.collections]
    assert sum(np.isclose(band.y0, share.min().min()) and np.isclose(band.y1, share.max().max()) for band in bands) == 1
    assert len(figure.legends[0].get_texts()) == 5 and axes.get_legend() is None


def test_complexity_is_the_mean_in_the_look_of_its_construction(networks):
    reviews = pd.DataFrame({"reviews": [50], "depth": [11], "parameters": [312]})
    figure = interpolation_complexity.draw(summarise(networks), reviews)
    rows = networks[(networks["sweep"] == "sequences") & (networks["construction"] == "leaders") & (networks["targets"] == 2)]
    mean = rows.groupby("target_points")["parameters"].mean()
    lines = [line for line in figure.axes[1].lines if np.size(line.get_ydata()) == len(mean) and np.allclose(line.get_ydata(), mean)]
    assert len(lines) == 1 and lines[0].get_color() == interpolation_complexity.COLOURS["leaders"]
    assert np.array_equal(MarkerStyle(lines[0].get_marker()).get_path().vertices, MarkerStyle("s").get_path().vertices)
    assert len({text.get_text() for text in figure.legends[0].get_texts()}) == len(figure.legends[0].get_texts()) == 6


def test_leader_by_projection_is_another_token():
    table = attention(np.random.default_rng(1), temperatures=[0.5])
    cloud = table[table["panel"] == "projections"].reset_index(drop=True)
    leader = int(cloud["score"].argmax())
    assert leader != 0
    axes = interpolation_attention.draw(table).axes[0]
    ring, star = (np.asarray(marks.get_offsets())[0] for marks in axes.collections[-2:])
    np.testing.assert_array_equal(ring, cloud.loc[0, ["x", "y"]].astype(float))
    np.testing.assert_array_equal(star, cloud.loc[leader, ["x", "y"]].astype(float))


def test_panels_of_attention_hold_their_points():
    figure = interpolation_attention.draw(attention(np.random.default_rng(1), temperatures=[0.5]))
    for panel in (axes for axes in figure.axes if axes.collections):
        low, high = np.transpose([panel.get_xlim(), panel.get_ylim()])
        points = np.concatenate([np.asarray(marks.get_offsets()) for marks in panel.collections])
        assert len(points) and (low < points).all() and (points < high).all()


@pytest.mark.parametrize("decay", [1e-4, 1e-3])
def test_tikhonov_draws_the_published_values_of_its_table(decay):
    """Every number of the table is changed, and the figure with it; the lines of panel (a) are those of the weight decay drawn there."""
    epochs = [1, 10, 100]
    rows = [{"epochs": 100, "weight_decay": w, "repetition": r, "epoch": e} for w in (decay, 0.1) for r in range(2) for e in epochs]
    losses = np.random.default_rng(2).uniform(0.1, 1, size=len(rows))
    norms = {"norm": 3.0, "target_norm": 60.0, "overwritten_norm": 5000.0}
    training = pd.DataFrame(rows).assign(loss=losses, least_loss=losses, **norms)
    published = published_losses()
    published["value"] *= 1.7
    figure = interpolation_tikhonov.draw(training, least_losses([training]), published)
    curves, decays = figure.axes
    drawn = {line.get_label(): np.asarray(line.get_ydata()) for line in [*curves.lines, *decays.lines]}
    lines = published[published["weight_decay"] == 1e-4].set_index("quantity")["value"]
    expected = {"published threshold line": lines["threshold"], "published final loss, 50,000": lines["final_loss"]}
    found = {label: value[0] for label, value in drawn.items() if label in expected}
    assert found == (pytest.approx(expected) if decay == 1e-4 else {})
    least = published[published["quantity"] == "least_loss"]
    np.testing.assert_allclose(drawn["published: 5, 10, 50 thousand"], least["value"])
