"""The statements hold where they should, fail where a hypothesis is dropped or the layer is broken, and know their hypotheses."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from hardmax.clustering import equivariance, families, hulls, leadership, limits, trajectories
from hardmax.clustering.statements import STATEMENTS
from hardmax.falsify import falsify
from hardmax.falsify.statement import batch_of_one

pytestmark = pytest.mark.filterwarnings("error:Do not use the `random` module")


def cloud(tokens, A=None, alpha=0.5, layers=12):
    tokens = np.asarray(tokens, dtype=float)
    dim = tokens.shape[-1]
    return {
        "tokens": tokens[None],
        "A": np.eye(dim)[None] if A is None else np.asarray(A, dtype=float)[None],
        "alpha": np.array([float(alpha)]),
        "layers": np.array([layers]),
    }


def exactly(tokens, A, alpha=Fraction(1, 2), layers=8, **more):
    def rows(values):
        return [[Fraction(float(value)) for value in row] for row in values]

    return {"tokens": rows(tokens), "A": rows(A), "alpha": Fraction(alpha), "layers": Fraction(layers)} | more


@pytest.mark.parametrize("claim", STATEMENTS)
def test_no_counterexample_in_a_short_search(claim):
    table = falsify(STATEMENTS[claim], np.random.default_rng(11), 28)
    assert table["violations"].sum() == 0
    met = table.groupby("family")["met"].sum()
    assert (met > 0).all(), met


@pytest.mark.parametrize("claim", STATEMENTS)
def test_every_family_draws_what_its_hypotheses_look_at(claim):
    statement = STATEMENTS[claim]
    for name, family in statement.families.items():
        x = family(np.random.default_rng(0), 30)
        assert all(len(values) == 30 for values in x.values()), name
        assert statement.meets(x).dtype == bool


REVERSED = -np.eye(2)
SQUARE = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
OFFSET = [[1.0, 0.2], [2.0, 1.5], [3.0, -0.4], [1.5, 2.5]]

WITHOUT_HYPOTHESIS = {
    "CL-2 a negative A": (leadership.largest_lead, cloud(SQUARE, REVERSED)),
    "CL-3 steps beyond the followed mean": (hulls.hulls_shrink, cloud(OFFSET, alpha=-3.0)),
    "CL-3 the same in three dimensions": (hulls.hulls_shrink, cloud(np.column_stack([OFFSET, [1.0, -1.0, 0.5, 2.0]]), alpha=-3.0)),
    "CL-4 a negative A, for which nobody leads": (limits.limits_on_faces, cloud(SQUARE, REVERSED)),
}


@pytest.mark.parametrize("name", WITHOUT_HYPOTHESIS)
def test_a_conclusion_fails_where_a_hypothesis_is_dropped(name):
    conclusion, x = WITHOUT_HYPOTHESIS[name]
    claim = name.split()[0]
    assert not STATEMENTS[claim].meets(x)[0]
    assert conclusion(x).margin[0] > 1e-3


def test_a_leader_pushed_away_is_noticed(monkeypatch):
    """The layer broken on purpose: at layer 3 every token is moved by a hundredth."""
    true = leadership.trajectory

    def pushed(x, layers=None):
        run = true(x, layers)
        tokens = run.tokens.copy()
        tokens[3:] += 0.01
        return run._replace(tokens=tokens)

    monkeypatch.setattr(leadership, "trajectory", pushed)
    outcome = leadership.leaders_stay(cloud(SQUARE))
    assert outcome.margin[0] == pytest.approx(0.01)
    assert outcome.step[0] == 3


@pytest.mark.parametrize(("token", "place", "leads"), [(4, [3.0, 0.5], True), (0, [0.2, 0.1], False)])
def test_a_leader_lost_or_found_late_is_noticed(monkeypatch, token, place, leads):
    true = leadership.trajectory

    def forged(x, layers=None):
        run = true(x, layers)
        changed, tokens = run.leads.copy(), run.tokens.copy()
        changed[len(changed) // 2 + 1 :, :, token] = leads
        tokens[len(changed) // 2 + 1 :, :, token] = place
        return run._replace(leads=changed, tokens=tokens)

    x = cloud([*SQUARE, [0.5, 0.0]])
    assert leadership.leaders_become_final(x).margin[0] <= 1e-12
    monkeypatch.setattr(leadership, "trajectory", forged)
    assert leadership.leaders_become_final(x).margin[0] > 0.05


def test_the_last_bit_of_a_tied_limit_is_no_late_leader():
    """Token 1 arrives at (0, -4, 0), whose score of itself is that of (0, -4, 1) and (0, -4, -1): in float64 it came to lead by rounding."""
    tokens = [[-4, 0, 0], [-1, -2, 0], [-1, 2, 0], [0, -4, -1], [0, -4, 1], [0, 4, -1], [0, 4, 1], [3, 0, 0]]
    x = cloud(tokens, A=3 * np.eye(3), alpha=3.0)
    assert leadership.leaders_become_final(x).margin[0] <= 1e-9


def test_limits_that_are_no_projections_are_noticed(monkeypatch):
    true = limits.trajectory

    def moved(x, layers=None):
        run = true(x, layers)
        means = run.means.copy()
        means[:, :, 4] = [1.0, 0.5]
        return run._replace(means=means)

    monkeypatch.setattr(limits, "trajectory", moved)
    x = cloud([*SQUARE, [0.5, 0.0]])
    assert limits.limits_on_faces(x).margin[0] == pytest.approx(0.5)
    assert limits.limits_exposed(x).margin[0] > 0.1


def test_a_limit_that_moves_and_leaders_that_are_no_vertices_are_noticed(monkeypatch):
    """A token that turns from one vertex to another late, 2 away; and a leader (1/5, 1/10), which prefers (1, 1): 3/10 against 1/20."""
    true = limits.trajectory

    def forged(x, layers=None, *, place, leads):
        run = true(x, layers)
        means, led = run.means.copy(), run.leads.copy()
        means[:, :, 4] = [1.0, 1.0]
        means[-1, :, 4], led[-1, :, 4] = place, leads
        if leads:
            means[:, :, 4] = place
        return run._replace(means=means, leads=led)

    x = cloud([*SQUARE, [0.5, 0.1]])
    assert limits.limits_on_faces(x).margin[0] <= 1e-7
    for place, leads, margin in (([1.0, -1.0], False, 2.0), ([0.2, 0.1], True, 0.25)):
        monkeypatch.setattr(limits, "trajectory", partial(forged, place=place, leads=leads))
        assert limits.limits_on_faces(x).margin[0] == pytest.approx(margin)


def test_face_distance_of_points_known_in_advance():
    square, A = np.array(SQUARE), np.eye(2)
    assert limits.face_distance(np.array([1.0, 0.0]), square, A) == pytest.approx(0, abs=1e-7)
    assert limits.face_distance(np.array([0.0, 0.0]), square, A) == pytest.approx(0, abs=1e-7)
    assert limits.face_distance(np.array([1.0, 0.25]), square, A) == pytest.approx(0.25)
    assert limits.face_distance(np.array([0.5, 0.0]), square, A) == pytest.approx(0.5)
    assert np.isinf(limits.face_distance(np.array([2.0, 0.0]), square, A))
    away = square + np.array([3.0, 0.0])
    assert limits.face_distance(np.array([2.0, 0.0]), away, A) == pytest.approx(0, abs=1e-7)
    assert limits.face_distance(np.array([2.0, 0.0]), away, A, exposed=True) > 0.5
    slanted = np.array([[2.0, 0.0], [0.0, 2.0], [-3.0, -3.0]])
    assert limits.face_distance(np.array([2 / 3, 4 / 3]), slanted, np.diag([2.0, 1.0])) == pytest.approx(0, abs=1e-7)


def test_exact_checks_find_what_a_missing_hypothesis_lets_in(monkeypatch):
    """With the model's hypotheses switched off, the checks in rationals see violations, and with them on they see none."""
    reversed_square = exactly(SQUARE, REVERSED)
    overshoot = exactly([[1, 0], [2, 2], [3, -1], [1, 2]], np.eye(2), alpha=-3)
    turned = exactly([*SQUARE, [3, 1]], [[0, -1], [1, 0]])
    for inputs in (reversed_square, overshoot, turned):
        assert not trajectories.model_holds(inputs)
    assert leadership.largest_lead_exactly(reversed_square) is None
    assert hulls.hulls_shrink_exactly(overshoot) is None
    for module in (leadership, hulls):
        monkeypatch.setattr(module, "model_holds", lambda _: True)
    found = leadership.largest_lead_exactly(reversed_square)
    assert found is not None and not found.left < found.right
    found = hulls.hulls_shrink_exactly(overshoot)
    assert found is not None and found.step == 1


def test_exact_and_float_trajectories_agree():
    rng = np.random.default_rng(4)
    tokens = rng.integers(-9, 10, size=(6, 2))
    A = np.array([[2, 1], [1, 3]])
    exact = trajectories.exact_trajectory(exactly(tokens.tolist(), A.tolist()))
    run = trajectories.trajectory(cloud(tokens, A, layers=8))
    for layer, found in enumerate(exact):
        assert found.leaders == np.flatnonzero(run.leads[layer, 0]).tolist()
        np.testing.assert_allclose([[float(Fraction(str(v))) for v in row] for row in found.tokens], run.tokens[layer, 0], atol=1e-12)


def test_root_that_does_not_match_A_is_rejected_and_would_be_noticed():
    x = cloud(OFFSET, np.diag([4.0, 1.0])) | {"root": np.diag([2.0, 1.0])[None], "order": np.array([[2, 0, 3, 1]])}
    assert STATEMENTS["CL-6"].meets(x)[0] and equivariance.commutes(x).margin[0] < 1e-12
    wrong = x | {"root": np.diag([1.0, 3.0])[None]}
    assert not STATEMENTS["CL-6"].meets(wrong)[0] and equivariance.commutes(wrong).margin[0] > 1e-3
    exact = exactly(OFFSET, np.diag([4, 1]), root=[[Fraction(2), Fraction(0)], [Fraction(0), Fraction(1)]], order=[2, 0, 3, 1], layers=3)
    assert equivariance.commutes_exactly(exact) is None


def test_hypotheses_see_what_they_are_named_after():
    repeated = cloud([[1.0, 2.0], [1.0, 2.0]])
    origin = cloud([[0.0, 0.0], [1.0, 2.0]])
    assert not families.distinct(repeated)[0] and families.nonzero(repeated)[0]
    assert families.distinct(origin)[0] and not families.nonzero(origin)[0]
    assert not families.positive_definite(cloud(SQUARE, [[1.0, 0.5], [0.0, 1.0]]))[0]
    assert not families.positive_definite(cloud(SQUARE, np.diag([1.0, 0.0])))[0]
    assert not families.positive_alpha(cloud(SQUARE, alpha=0.0))[0]


@pytest.mark.parametrize("claim", STATEMENTS)
def test_small_rationals_meet_the_hypotheses_and_have_the_keys_of_the_families(claim):
    statement = STATEMENTS[claim]
    assert statement.strategy is not None
    import hypothesis

    found = hypothesis.find(
        statement.strategy,
        lambda inputs: len(inputs["tokens"]) > 2 and statement.meets(batch_of_one(inputs))[0],
        settings=hypothesis.settings(max_examples=500, database=None, deadline=None),
    )
    assert set(found) == set(statement.families["generic"](np.random.default_rng(0), 2))
    assert statement.exact is not None and statement.exact(found) is None


@pytest.mark.parametrize("alpha", [0.2, 1.0, 10.0])
def test_half_of_a_long_run_converges(alpha):
    layers = leadership.converging_layers(cloud(SQUARE, alpha=alpha))
    left = (1 / (1 + alpha)) ** (layers // 2)
    assert layers % 2 == 0 and left <= 1e-11 < left * (1 + alpha)
