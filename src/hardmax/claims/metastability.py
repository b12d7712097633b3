"""Verdicts on the claims about finite inverse temperature (arXiv 2508.09628, section 5)."""

from dataclasses import replace

import pandas as pd

from hardmax.claims.verdict import Verdict, falsification_verdict

CLAIMS = ("MS-1", "MS-2", "MS-3", "MS-4", "MS-5")


def verdicts(tables: dict[str, pd.DataFrame]) -> list[Verdict]:
    """One verdict a claim.

    MS-2's amendment says how the constant grew where the hypotheses held, MS-3's how loose the bound is where it holds; the
    latter is left out where the two-sample tests reject the simulation from event to event. MS-3's amendment falls where the simulated
    survival curves lie below it, beyond their intervals.

    Args:
        tables: `falsification/<claim>` for each claim, and metastability_clustering_trials, metastability_rates, metastability_survival and
            metastability_comparison under the names clustering_trials, rates, survival and comparison.
    """
    found = {claim: falsification_verdict(tables[f"falsification/{claim}"]) for claim in CLAIMS}
    found["MS-2"] = _with(found["MS-2"], _constant(tables["clustering_trials"]))
    found["MS-3"] = _against_simulation(found["MS-3"], tables["survival"])
    found["MS-3"] = _with(found["MS-3"], _looseness(tables["rates"], tables["comparison"]))
    return list(found.values())


def _with(verdict: Verdict, remark: str) -> Verdict:
    return replace(verdict, amendment=" ".join(filter(None, [verdict.amendment, remark])))


def _against_simulation(verdict: Verdict, survival: pd.DataFrame) -> Verdict:
    below = int((survival["high"] < survival["amended_bound"]).sum())
    if not below:
        return verdict
    amendments = tuple(replace(each, verdict="refuted", violations=each.violations + below) for each in verdict.amendments)
    return replace(verdict, verdict="refuted", amendments=amendments)


def _constant(trials: pd.DataFrame) -> str:
    met = trials[trials["met"]]
    if met.empty:
        return ""
    worst = met.loc[met["needed"].idxmax()]
    return f"Among {len(met)} runs within the hypotheses C had to be up to {worst['needed']:.3g}, where max/min |x_i - v| was {worst['spread']:.3g}."


def _looseness(rates: pd.DataFrame, comparison: pd.DataFrame) -> str:
    within = rates[rates["shape"].str.startswith("simplex")]
    if within.empty or comparison["rejected"].any():
        return ""
    ratio, gap = within["slope_over_paper_rate"], within["slope"] / within["score_gap"]
    return (
        f"On {len(within)} {'curve' if len(within) == 1 else 'curves'} of regular simplices log median T2 grew {ratio.min():.3g} to {ratio.max():.3g} times as fast in beta "
        f"as MS-3's bound, at {gap.min():.3g} to {gap.max():.3g} of the score gap c0."
    )
