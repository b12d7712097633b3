"""Verdicts of the clustering paper from tables made by hand."""

import pandas as pd
import pytest

from hardmax.claims.clustering import CLAIMS, verdicts
from hardmax.falsify import COLUMNS


def falsification(claim, violations=0):
    row = dict.fromkeys(COLUMNS) | {
        "claim": claim, "paper": "2407.01602", "variant": "as written", "statement": "s", "hypotheses": "h", "family": "generic", "trials": 50,
        "met": 40, "violations": violations, "on_tie": 0, "worst_margin": -0.1, "measured": 0.0, "bound": 0.1, "relation": "<=",
    }  # fmt: skip
    return pd.DataFrame([row])


def tables(*, face_violations=0, emerging=True, settled=3):
    ensembles = pd.DataFrame(
        {
            "cloud": ["generic", "mirrored"], "first_leaders": [2, 3], "leaders": [3 if emerging else 2, 3],
            "other_limits": [0, face_violations], "settled_layer": [1, settled],
        }
    )  # fmt: skip
    return {f"falsification/{claim}": falsification(claim) for claim in CLAIMS} | {"clustering_ensembles": ensembles}


def test_all_supported_and_the_exact_clouds_are_trials_of_cl4():
    found = {verdict.claim: verdict for verdict in verdicts(tables())}
    assert list(found) == list(CLAIMS)
    assert {verdict.verdict for verdict in found.values()} == {"supported"}
    assert found["CL-1"].trials == 40 and found["CL-4"].trials == 41
    assert found["CL-4"].interval_high == pytest.approx(1 - 0.025 ** (1 / 41))


def test_an_exact_limit_elsewhere_refutes_cl4():
    found = {verdict.claim: verdict for verdict in verdicts(tables(face_violations=1))}
    assert (found["CL-4"].verdict, found["CL-4"].violations) == ("refuted", 1)


def test_an_exact_cloud_that_did_not_settle_is_no_trial():
    found = {verdict.claim: verdict for verdict in verdicts(tables(face_violations=4, settled=None))}
    assert (found["CL-4"].verdict, found["CL-4"].trials) == ("supported", 40)


def test_cl5_needs_a_leader_that_emerges():
    found = {verdict.claim: verdict for verdict in verdicts(tables(emerging=False))}
    assert found["CL-5"].verdict == "inconclusive"


def test_a_violation_refutes():
    broken = tables() | {"falsification/CL-1": falsification("CL-1", violations=2)}
    assert verdicts(broken)[0].verdict == "refuted"
