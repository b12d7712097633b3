"""What the falsifier finds of FW-1 to FW-13, and that each counterexample verifies from its document alone."""

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from hardmax.exact import hardmax_step, rationals
from hardmax.falsify import AS_WRITTEN, SHRINKING, batch_of_one, falsify, reverify
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.descent import _last_inside, descents
from hardmax.frank_wolfe.statements import STATEMENTS, cells, draws
from hardmax.frank_wolfe.statements.descent import _descent_exactly, even
from hardmax.frank_wolfe.statements.draws import hull_weights
from hardmax.frank_wolfe.statements.gap import _gap_bound, _gap_bound_exactly
from hardmax.frank_wolfe.statements.limits import _limit_is_reached
from hardmax.frank_wolfe.statements.lines import inside_cells
from hardmax.frank_wolfe.statements.owners import ownership_bound
from hardmax.geometry import distances_to_hull

pytestmark = pytest.mark.filterwarnings("error:Do not use the `random` module")

REFUTED = {"FW-1", "FW-3", "FW-8", "FW-10"}
TRIALS = 48


@pytest.fixture(scope="module")
def tables():
    return {claim: falsify(statement, np.random.default_rng(11), TRIALS) for claim, statement in STATEMENTS.items()}


@pytest.mark.parametrize("claim", STATEMENTS)
def test_which_claims_fall_as_written(tables, claim):
    table = tables[claim]
    written = table[table["variant"] == AS_WRITTEN]
    assert (written["violations"].sum() > 0) == (claim in REFUTED)
    assert written["counterexample"].notna().sum() == (claim in REFUTED)


@pytest.mark.parametrize("claim", STATEMENTS)
def test_every_variant_meets_its_hypotheses_and_amendments_stand(tables, claim):
    for variant, rows in tables[claim].groupby("variant"):
        assert (rows.loc[rows["family"] != SHRINKING, "met"] > 0).mean() > 0.5
        if variant != AS_WRITTEN:
            assert rows["violations"].sum() == 0


@pytest.mark.parametrize("claim", sorted(REFUTED))
def test_counterexamples_verify_from_their_document(tables, claim):
    document = json.loads(tables[claim]["counterexample"].dropna().iloc[0])
    assert document["exact"]
    assert document["on_tie"] == (claim == "FW-10")
    assert reverify(STATEMENTS[claim], document)
    assert not reverify(STATEMENTS[claim], document | {"left": "1234567/89"})


def test_two_tokens_on_the_line_refute_fw3():
    """Tokens 1 and -5: after the step with gamma^0 = 1 and the next both are at 1 or beyond, so no energy falls below 1/2."""
    inputs = {
        "tokens": [[Fraction(1)], [Fraction(-5)]],
        "weights": [Fraction(5, 6), Fraction(1, 6)],
        "B": [[[Fraction(1)]], [[Fraction(1)]]],
        "decay": Fraction(1),
    }
    violation = _descent_exactly(inputs)
    a, b = Fraction(1), Fraction(-5)
    for t in range(violation.step + 1):
        gamma = Fraction(2, t + 2)
        low, high = min(a, b), max(a, b)
        a, b = (x + gamma * ((high if x < 0 else low) - x) for x in (a, b))
    assert violation.left == max(a * a, b * b) / 2 > Fraction(2 * 36, violation.step + 1) == violation.right


def test_descent_is_not_refuted_where_a_hypothesis_fails():
    inputs = {
        "tokens": [[Fraction(1)], [Fraction(-5)]],
        "weights": [Fraction(1, 2), Fraction(1, 2)],
        "B": [[[Fraction(1)]], [[Fraction(1)]]],
        "decay": Fraction(1),
    }
    assert _descent_exactly(inputs) is None


def test_right_angle_refutes_the_strict_side_of_fw10():
    document = {
        "claim": "FW-10", "variant": AS_WRITTEN, "inputs": {"tokens": [[1, 0], [1, 1]], "B": [[1, 0], [0, 1]]}, "step": None, "token": 0,
        "left": 1, "right": 0, "relation": "==", "exact": True, "on_tie": True,
    }  # fmt: skip
    assert reverify(STATEMENTS["FW-10"], document)


def test_ownership_bound_is_below_the_measured_rate():
    rng = np.random.default_rng(5)
    vertices = rng.normal(size=(4000, 3, 6))
    scores = vertices @ vertices.swapaxes(-1, -2)
    rate = (scores.argmax(axis=-1) == np.arange(3)).all(axis=1).mean()
    assert ownership_bound(3, 6, 1.0) == pytest.approx(1 - 3 / 8)
    assert rate > ownership_bound(3, 6, 1.0)


def test_hull_weights_are_convex_and_spread():
    weights = hull_weights(4, 500)
    assert (weights >= 0).all() and np.allclose(weights.sum(axis=1), 1)
    assert np.allclose(weights.mean(axis=0), 0.25, atol=0.03)


def _literal_step(x, B, gamma):
    """(SA_inf) word by word, without ties."""
    return np.array([token + gamma * (max(x, key=lambda y: B @ token @ y) - token) for token in x])


@pytest.mark.parametrize("while_inside, above_least", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("decay", [1.0, 0.8])
def test_descents_are_the_literal_ones(while_inside, above_least, decay):
    """Energy, bound, place and margin of the worst step and token, by loops; hulls of the line, where the origin is in or out for sure."""
    rng, steps, shares = np.random.default_rng(5), 12, []
    decay = 1.0 if above_least else decay
    for _ in range(6):
        dim = 1 if while_inside else 2
        clouds = even(rng, 2, 5, dim)["tokens"]
        last = draws.definite(rng, 2, dim)
        B = np.stack([last if above_least else last + draws.definite(rng, 2, dim), last], axis=1)
        largest = np.linalg.eigvalsh(B[:, 0])[:, -1]
        found = descents(clouds, B, np.full(2, decay), largest, steps, while_inside, above_least)
        for trial, x in enumerate(clouds):
            unit = largest[trial] * max(((a - b) ** 2).sum() for a in x for b in x)
            worst = (-np.inf,)
            for t in range(steps):
                if while_inside and not x.min() <= 0 <= x.max():
                    shares.append(t)
                    break
                matrix = B[trial, 1] + decay**t * (B[trial, 0] - B[trial, 1])
                x = _literal_step(x, -matrix, 2 / (t + 2))
                if above_least and t not in (0, 1, 3, 7, 15):
                    continue
                least = distances_to_hull(x, np.zeros((1, 2)), matrix)[0] ** 2 / 2 if above_least else 0.0
                bound = 2 / (t + 1) * unit
                for i, y in enumerate(x):
                    energy = y @ matrix @ y / 2 - least
                    worst = max(worst, ((energy - bound) / unit, energy, bound, t, i), key=lambda place: place[0])
            left, right, margin, step, token, _ = (values[trial] for values in found)
            assert (margin, left, right) == pytest.approx(worst[:3], rel=1e-6, abs=1e-7)
            if not above_least:
                assert (step, token) == worst[3:]
    assert bool(shares) == while_inside


def test_the_least_gap_and_its_bound_are_the_literal_ones():
    """FW-13 by loops: the least gap of each token so far against (J^1(x^1)/gamma^1 - least J^t/gamma^t)/t; in rationals no violation for B >= 0.

    Where B >= 0 the worst margin is 0, at t = 1; other B break the bound later.
    """
    rng, above, late = np.random.default_rng(2), 0, 0
    for number in range(60):
        steps, scale = 4, int(rng.integers(1, 4))
        gammas = [Fraction(int(p), 8) for p in rng.integers(1, 8, size=steps)]
        diagonal = rng.integers(0, 4, size=2) if number % 2 else rng.integers(-3, 4, size=2)
        inputs = {
            "tokens": [[Fraction(int(value)) for value in row] for row in rng.integers(-6, 7, size=(4, 2))],
            "B": [[Fraction(int(diagonal[0])), Fraction(0)], [Fraction(0), Fraction(int(diagonal[1]))]],
            "gamma": gammas, "beta": [scale * gamma for gamma in gammas],
        }  # fmt: skip
        x, least, places = rationals(inputs["tokens"]), [None] * 4, []
        energies = []
        for t, (gamma, beta) in enumerate(zip(gammas, inputs["beta"], strict=True), start=1):
            products = [[sum(int(d) * a * b for d, a, b in zip(diagonal, u, v, strict=True)) for v in x] for u in x]
            gaps = [beta.numerator * (max(row) - row[i]) / beta.denominator for i, row in enumerate(products)]
            energies.append([-products[i][i] * scale / 2 for i in range(4)])
            least = [gap if so_far is None else min(gap, so_far) for gap, so_far in zip(gaps, least, strict=True)]
            for i in range(4):
                right = (energies[0][i] - min(energies[-1])) / t
                places.append((float(least[i]), float(right)))
                above += float(gaps[i]) > float(right)
            x = hardmax_step(x, gamma, rationals(inputs["B"]))
        outcome = _gap_bound(batch_of_one(inputs))
        unit = max(abs(float(value)) for row in energies for value in row) or 1.0
        assert outcome.margin[0] == pytest.approx(max((left - right) / unit for left, right in places))
        late += outcome.margin[0] > 0 and outcome.step[0] > 1
        if (diagonal >= 0).all():
            assert all(left <= right for left, right in places) and _gap_bound_exactly(inputs) is None
    assert above > 0 and late > 0


def test_the_share_that_summable_steps_leave_is_the_product():
    """gamma^t = g r^t leaves prod (1 - g r^t) of the way of each token to its vertex."""
    x = inside_cells(np.random.default_rng(3), 5, True, (3, 5), (2, 3)) | {
        "gamma": np.linspace(0.2, 0.6, 5),
        "ratio": np.linspace(0.3, 0.8, 5),
    }
    outcome = _limit_is_reached(x)
    for trial, (g, r) in enumerate(zip(x["gamma"], x["ratio"], strict=True)):
        assert outcome.margin[trial] == pytest.approx(np.prod([1 - g * r**t for t in range(400)]), rel=1e-6)


def test_a_point_in_two_cells_is_a_defect(monkeypatch):
    """The origin is in every cell; a cloud in space, where points stand for volumes."""
    x = {"tokens": np.random.default_rng(0).normal(size=(1, 6, 3)), "B": np.eye(3)[None]}
    assert cells._cells_partition(x).margin[0] <= 1e-12
    monkeypatch.setattr(cells, "_spread_points", lambda x: np.zeros((1, 4, 3)))
    assert cells._cells_partition(x).margin[0] == 1.0


def test_how_far_outside_a_hull_without_area():
    line, flat = [[0], [2], [1]], [[0, 0], [2, 2], [1, 1]]
    assert [exact.outside(line, [Fraction(x)]) for x in (3, -1, 2, 1)] == [1, 1, 0, -1]
    assert exact.outside(flat, [3, 3]) > 0 and exact.outside(flat, [-1, -1]) > 0 and exact.outside(flat, [1, 2]) > 0
    assert exact.outside(flat, [1, 1]) <= 0 and exact.outside(flat, [2, 2]) <= 0


def _holds_origin(points: np.ndarray) -> bool:
    """By linear programming: some convex combination of the rows is 0."""
    rows = np.vstack([points.T, np.ones(len(points))])
    return linprog(np.zeros(len(points)), A_eq=rows, b_eq=np.append(np.zeros(points.shape[1]), 1.0)).status == 0


def test_the_last_hull_that_holds_the_origin_by_linear_programming() -> None:
    rng = np.random.default_rng(7)
    found, expected = [], []
    for dim in (1, 2, 3, 4):
        for _ in range(15):
            cloud = rng.normal(size=(8, dim)) + 0.3 * rng.normal(size=dim)
            corner, shares = cloud[0], np.linspace(0.0, 0.95, 12)[:, None, None]
            nested = (1 - shares) * cloud + shares * corner
            found.append(_last_inside(nested))
            expected.append(max((t for t, points in enumerate(nested) if _holds_origin(points)), default=-1))
    assert found == expected
    assert len(set(found)) > 5
