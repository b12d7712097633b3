"""Verdicts on IN-1 to IN-7 from tables made by hand: which networks are trials of which claim, and what breaks one."""

from math import nan

import pandas as pd
import pytest
from scipy.stats import beta

from hardmax.claims.interpolation import CLAIMS, verdicts
from hardmax.falsify import AS_WRITTEN, COLUMNS

AMENDED = ("IN-1", "IN-2", "IN-3")
FORMULAS = {"IN-1": "paper_depth", "IN-2": "paper_depth", "IN-3": "paper_depth_softmax", "IN-7": "depth_bound"}


def falsification(claim, met=10):
    def row(variant, violations):
        return dict.fromkeys(COLUMNS) | {
            "claim": claim, "paper": "2502.02270", "variant": variant, "statement": variant, "hypotheses": "h", "family": "f", "trials": 10,
            "met": met, "violations": violations, "on_tie": 0, "worst_margin": -0.5, "measured": 3.0, "bound": 9.0, "relation": "<=", "interval_low": nan, "interval_high": nan,
            "counterexample": "{}" if violations else None,
        }  # fmt: skip

    return pd.DataFrame([row(AS_WRITTEN, 2), row("amendment-1", 0)] if claim in AMENDED else [row(AS_WRITTEN, 0)])


def network(construction="compact", targets=1, **change):
    sizes = {"depth": 4, "depth_bound": 8, "paper_depth": 10, "paper_depth_softmax": 9, "exact": True}
    return {"construction": construction, "targets": targets} | sizes | change


def judged(networks=(), reviews=(), **tables):
    given = {f"falsification/{claim}": falsification(claim) for claim in CLAIMS} | tables
    frames = {name: pd.DataFrame(list(rows), columns=list(network())) for name, rows in {"networks": networks, "reviews": reviews}.items()}
    return {verdict.claim: verdict for verdict in verdicts(given | frames)}


def judged_by(found, claim):
    """What the networks of a claim are trials of: its amendment, or the claim itself."""
    return found[claim].amendments[0] if claim in AMENDED else found[claim]


def test_which_networks_are_trials_of_which_claim():
    """One target for IN-1, the compact construction for IN-3 and IN-7, everything for IN-2; real reviews are labelled and compact."""
    found = judged([network(), network(targets=2), network(targets=2), *[network("leaders", 2)] * 4], [network()] * 8)
    extra = {claim: judged_by(found, claim).trials - 10 for claim in CLAIMS}
    assert extra == {"IN-1": 9, "IN-2": 15, "IN-3": 3, "IN-4": 0, "IN-5": 0, "IN-6": 0, "IN-7": 11}
    assert {claim: verdict.verdict for claim, verdict in found.items()} == {
        claim: "amended" if claim in AMENDED else "supported" for claim in CLAIMS
    }
    assert found["IN-1"].trials == 10 and found["IN-1"].violations == 2
    assert judged_by(found, "IN-7").interval_high == pytest.approx(beta.ppf(0.975, 1, 21))


@pytest.mark.parametrize("claim", FORMULAS)
def test_a_network_that_is_deeper_than_the_formula_or_not_exact_breaks_it(claim):
    for change, broken in (({}, 0), ({"exact": False}, 1), ({"depth": 9, FORMULAS[claim]: 9}, 0), ({"depth": 10, FORMULAS[claim]: 9}, 1)):
        found = judged([network(), network(**change)])
        assert judged_by(found, claim).violations == broken
        assert found[claim].verdict == ("refuted" if broken else "amended" if claim in AMENDED else "supported")


def test_the_network_closest_to_the_formula_is_shown():
    verdict = judged([network(depth=4, depth_bound=8), network(depth=9, depth_bound=10), network(depth=5, depth_bound=6)])["IN-7"]
    assert (verdict.measured, verdict.bound) == (9.0, 10.0)


def test_networks_alone_can_decide_what_no_trial_of_the_search_did():
    undecided = {"falsification/IN-7": falsification("IN-7", met=0)}
    assert judged(**undecided)["IN-7"].verdict == "inconclusive"
    assert judged([network()], **undecided)["IN-7"].verdict == "supported"
    assert judged([network(exact=False)], **undecided)["IN-7"].verdict == "refuted"
