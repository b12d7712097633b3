"""Verdicts on MS-1 to MS-5 from tables as the experiments write them."""

import pandas as pd
import pytest

from hardmax.claims.metastability import CLAIMS, verdicts


def falsification(claim, violations, amended=None):
    def row(variant, count):
        return {
            "claim": claim, "paper": "arXiv", "variant": variant, "statement": f"{claim} {variant}", "hypotheses": "none", "family": "all",
            "trials": 50, "met": 50, "violations": count, "on_tie": 0, "worst_margin": 1.0 if count else -1.0, "measured": 0.5, "bound": 0.4,
            "relation": "<=", "interval_low": float("nan"), "interval_high": float("nan"), "confidence": None, "counterexample": "{}" if count else None,
        }  # fmt: skip

    rows = [row("as written", violations)] + ([] if amended is None else [row("amendment-1", amended)])
    return pd.DataFrame(rows)


@pytest.fixture
def tables():
    found = {f"falsification/{claim}": falsification(claim, 0) for claim in CLAIMS}
    found["falsification/MS-2"] = falsification("MS-2", 3, 0)
    found["falsification/MS-3"] = falsification("MS-3", 3, 0)
    found["clustering_trials"] = pd.DataFrame({"met": [True, True, False], "needed": [2.0, 9.0, 99.0], "spread": [2.0, 9.5, 99.0]})
    found["rates"] = pd.DataFrame(
        {"shape": ["simplex3", "polygon4"], "slope": [1.4, 0.9], "score_gap": [1.5, 1.0], "slope_over_paper_rate": [2.4, 7.0]}
    )
    found["survival"] = pd.DataFrame({"high": [1.0, 0.5], "amended_bound": [0.9, 0.1]})
    found["comparison"] = pd.DataFrame({"rejected": [False, False]})
    return found


def test_words_and_remarks(tables):
    found = {verdict.claim: verdict for verdict in verdicts(tables)}
    assert [found[claim].verdict for claim in CLAIMS] == ["supported", "amended", "amended", "supported", "supported"]
    assert "C had to be up to 9" in found["MS-2"].amendment and "9.5" in found["MS-2"].amendment
    assert "2.4 times" in found["MS-3"].amendment and "7" not in found["MS-3"].amendment


def test_looseness_is_left_out_where_the_simulation_is_in_doubt(tables):
    tables["comparison"]["rejected"] = [False, True]
    assert "times as fast" not in {verdict.claim: verdict for verdict in verdicts(tables)}["MS-3"].amendment


def test_simulation_below_the_amended_bound_refutes_it(tables):
    tables["survival"]["high"] = [0.8, 0.5]
    found = {verdict.claim: verdict for verdict in verdicts(tables)}["MS-3"]
    assert found.verdict == "refuted" and found.amendments[0].verdict == "refuted" and found.amendments[0].violations == 1


def test_no_trial_within_the_hypotheses_is_inconclusive(tables):
    tables["falsification/MS-5"]["met"] = 0
    assert {verdict.claim: verdict.verdict for verdict in verdicts(tables)}["MS-5"] == "inconclusive"
