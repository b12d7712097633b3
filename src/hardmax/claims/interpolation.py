"""Verdicts on the interpolation paper's claims (arXiv 2502.02270) and on our own IN-7."""

from dataclasses import replace

import pandas as pd

from hardmax.claims.verdict import Verdict, falsification_verdict
from hardmax.intervals import clopper_pearson

LEVEL = 0.95
CLAIMS = ("IN-1", "IN-2", "IN-3", "IN-4", "IN-5", "IN-6", "IN-7")


def verdicts(tables: dict[str, pd.DataFrame]) -> list[Verdict]:
    """One verdict a claim.

    The networks built for larger data sets and for real reviews are further trials of what stands after the search: of the
    amendments of IN-1, IN-2 and IN-3, and of IN-7. All their sequences differ as normalised multisets. A network that is not exact,
    or deeper than its formula, is a violation. The measured and bound of these rows are the depth and the formula where they come
    closest, which says how far below the formula we stay.

    Args:
        tables: `falsification/<claim>` for each claim, `networks` and `reviews`.
    """
    found = {claim: falsification_verdict(tables[f"falsification/{claim}"]) for claim in CLAIMS}
    networks, reviews = tables["networks"], tables["reviews"]
    compact = networks[networks["construction"] == "compact"]
    labelled = pd.concat([reviews, networks[networks["targets"] == 1]])
    found["IN-1"] = _amendment_with(found["IN-1"], labelled, "paper_depth")
    found["IN-2"] = _amendment_with(found["IN-2"], pd.concat([networks, reviews]), "paper_depth")
    found["IN-3"] = _amendment_with(found["IN-3"], compact, "paper_depth_softmax")
    found["IN-7"] = _with_networks(found["IN-7"], pd.concat([compact, reviews]), "depth_bound")
    return list(found.values())


def _amendment_with(verdict: Verdict, networks: pd.DataFrame, formula: str) -> Verdict:
    """The verdict, its first amendment tested on the networks too; an amendment they break is no longer one."""
    if not verdict.amendments:
        return verdict
    first = _with_networks(verdict.amendments[0], networks, formula)
    whole = replace(verdict, amendments=(first, *verdict.amendments[1:]))
    return replace(whole, verdict="refuted") if verdict.verdict == "amended" and first.verdict == "refuted" else whole


def _with_networks(verdict: Verdict, networks: pd.DataFrame, formula: str) -> Verdict:
    """The verdict with each network as a further trial."""
    if networks.empty:
        return verdict
    broken = int((~networks["exact"].astype(bool) | (networks["depth"] > networks[formula])).sum())
    trials, violations = verdict.trials + len(networks), verdict.violations + broken
    low, high = clopper_pearson(violations, trials, LEVEL)
    closest = _closest(networks, formula)
    total = replace(
        verdict,
        trials=trials,
        violations=violations,
        measured=float(closest["depth"]),
        bound=float(closest[formula]),
        interval_low=low,
        interval_high=high,
    )
    if broken and verdict.verdict in ("supported", "inconclusive"):
        return replace(total, verdict="refuted")
    return replace(total, verdict="supported") if verdict.verdict == "inconclusive" else total


def _closest(networks: pd.DataFrame, formula: str) -> pd.Series:
    """The network whose depth is the largest share of the formula."""
    return networks.iloc[int((networks["depth"] / networks[formula]).to_numpy().argmax())]
