"""Verdicts on FW-1 to FW-13 from tables made by hand."""

import numpy as np
import pandas as pd
import pytest

from hardmax.claims.frank_wolfe import CLAIMS, verdicts
from hardmax.falsify import AS_WRITTEN, COLUMNS


def falsification(claim, violations=0, amended=None):
    rows = [(AS_WRITTEN, violations)] + ([] if amended is None else [("amendment-1", amended)])
    found = pd.DataFrame(
        {
            "claim": claim, "paper": "2508.09628v1", "variant": [name for name, _ in rows], "statement": "s", "hypotheses": "h",
            "family": "f", "trials": 10, "accepted": "{}", "met": 10, "violations": [count for _, count in rows], "on_tie": 0, "worst_margin": 0.0,
            "measured": 0.0, "bound": 0.0, "relation": "<=", "interval_low": np.nan, "interval_high": np.nan, "confidence": np.nan,
            "counterexample": ["{}" if count else None for _, count in rows],
        }
    )  # fmt: skip
    assert tuple(found.columns) == COLUMNS
    return found


CHECKS = pd.DataFrame(
    [
        ("linear minimisation", "c", "q", 5, 1e-15, np.nan, np.nan),
        ("diagonal V", "V = diag(1, 1)", "q", 5, 0.0, 0.0, 0.5),
        ("diagonal V", "V = diag(1, 4)", "q", 5, 0.6, 0.2, 0.9),
        ("flow", "c", "error of steps h = 0.1", 5, 1e-2, np.nan, np.nan),
        ("flow", "c", "error of steps h = 0.01", 5, 1e-3, np.nan, np.nan),
    ],
    columns=["check", "case", "quantity", "trials", "value", "low", "high"],
)
OWNERSHIP = pd.DataFrame(
    {
        "condition": [1.0, 3.0], "vertices": [3, 6], "dim": [2, 64], "trials": 9, "owned": [1, 9], "probability": [0.1, 1.0],
        "low": [0.0, 0.7], "high": [0.5, 1.0], "bound": [0.0, 0.9],
    }
)  # fmt: skip


def judged(checks=CHECKS, **tables):
    given = {f"falsification/{claim}": falsification(claim) for claim in CLAIMS} | tables
    found = verdicts(given | {"frank_wolfe_checks": checks, "frank_wolfe_ownership": OWNERSHIP})
    return {verdict.claim: verdict for verdict in found}


def test_all_stand_where_nothing_is_found():
    found = judged()
    assert list(found) == list(CLAIMS)
    assert {verdict.verdict for verdict in found.values()} == {"supported"}
    assert (found["FW-9"].measured, found["FW-9"].bound, found["FW-9"].interval_low) == (1.0, 0.9, 0.7)


def test_a_violation_is_amended_or_refuted():
    found = judged(**{"falsification/FW-3": falsification("FW-3", 2, 0), "falsification/FW-8": falsification("FW-8", 2, 1)})
    assert found["FW-3"].verdict == "amended" and found["FW-8"].verdict == "refuted"


@pytest.mark.parametrize(
    "claim, row, column, value",
    [("FW-1", 0, "value", 0.1), ("FW-2", 2, "low", 0.0), ("FW-2", 1, "value", 0.1), ("FW-12", 4, "value", 9e-3)],
)
def test_an_experiment_can_refute(claim, row, column, value):
    checks = CHECKS.copy()
    checks.loc[row, column] = value
    found = judged(checks)
    assert {name for name, verdict in found.items() if verdict.verdict == "refuted"} == {claim}


@pytest.mark.parametrize(
    "claim, row, like", [("FW-1", 0, {"value": 0.1}), ("FW-12", 4, {"quantity": "error of steps h = 0.001", "value": 9e-4})]
)
def test_one_row_of_an_experiment_among_good_ones_can_refute(claim, row, like):
    checks = pd.concat([CHECKS, CHECKS.iloc[[row]].assign(**like)], ignore_index=True)
    assert {name for name, verdict in judged(checks).items() if verdict.verdict == "refuted"} == {claim}
