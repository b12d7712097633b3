"""Verdicts on the clustering paper's claims (arXiv 2407.01602)."""

from dataclasses import replace

import pandas as pd

from hardmax.claims.verdict import Verdict, falsification_verdict
from hardmax.intervals import clopper_pearson

LEVEL = 0.95
CLAIMS = ("CL-1", "CL-2", "CL-3", "CL-4", "CL-5", "CL-6")


def verdicts(tables: dict[str, pd.DataFrame]) -> list[Verdict]:
    """One verdict a claim.

    CL-4 also rests on the clouds run in rationals, each of which is a trial: one with a limit that is neither a vertex nor on a face
    violates it. CL-5 says besides that leaders may emerge after layer 0: it is inconclusive where no run shows one.

    Args:
        tables: `falsification/<claim>` for each claim, and `clustering_ensembles`.
    """
    ensembles = tables["clustering_ensembles"]
    found = {claim: falsification_verdict(tables[f"falsification/{claim}"]) for claim in CLAIMS}
    found["CL-4"] = _with_exact_limits(found["CL-4"], ensembles)
    if found["CL-5"].verdict == "supported" and not (ensembles["leaders"] > ensembles["first_leaders"]).any():
        found["CL-5"] = replace(found["CL-5"], verdict="inconclusive")
    return list(found.values())


def _with_exact_limits(verdict: Verdict, ensembles: pd.DataFrame) -> Verdict:
    """CL-4 with the mirrored clouds that settled: their limits are known exactly."""
    mirrored = ensembles[(ensembles["cloud"] == "mirrored") & ensembles["settled_layer"].notna()]
    broken = int((mirrored["other_limits"] > 0).sum())
    trials, violations = verdict.trials + len(mirrored), verdict.violations + broken
    low, high = clopper_pearson(violations, trials, LEVEL)
    total = replace(verdict, trials=trials, violations=violations, interval_low=low, interval_high=high)
    return replace(total, verdict="refuted") if broken and verdict.verdict == "supported" else total
