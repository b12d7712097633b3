"""What the falsifier finds of FW-1 to FW-13, and that each counterexample verifies from its document alone."""

import json
from fractions import Fraction

import numpy as np
import pytest

from hardmax.falsify import AS_WRITTEN, SHRINKING, falsify, reverify
from hardmax.frank_wolfe.statements import STATEMENTS
from hardmax.frank_wolfe.statements.descent import _descent_exactly
from hardmax.frank_wolfe.statements.draws import hull_weights
from hardmax.frank_wolfe.statements.owners import ownership_bound

# beartype draws the items it checks with the module random, which hypothesis takes for part of a strategy
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")

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
