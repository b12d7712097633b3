"""Verdicts on the Frank-Wolfe view of attention, FW-1 to FW-13 (arXiv 2508.09628)."""

from dataclasses import replace

import pandas as pd

from hardmax.claims.verdict import Verdict, falsification_verdict

CLAIMS = tuple(f"FW-{number}" for number in range(1, 14))
PROGRAM_TOLERANCE = 1e-9
"""Largest difference of a token's value and the linear program's that is rounding of either."""
FIRST_ORDER = 5.0
"""A step ten times smaller must make a first-order error smaller by at least so much."""


def verdicts(tables: dict[str, pd.DataFrame]) -> list[Verdict]:
    """One verdict a claim, from its falsification and, where a claim says more than one trial can show, from the experiments.

    FW-1 also needs the linear program to agree with the tokens; FW-2 that some diagonal V leaves the hull; FW-12 that the error of
    small steps falls with the step. FW-9's measured value is the probability at the largest dimension, most vertices and largest
    condition number.

    Args:
        tables: `falsification/<claim>` for each claim, `frank_wolfe_checks` and `frank_wolfe_ownership`.
    """
    checks = tables["frank_wolfe_checks"]
    found = {claim: falsification_verdict(tables[f"falsification/{claim}"]) for claim in CLAIMS}
    found["FW-1"] = _unless(found["FW-1"], _programs_agree(checks))
    found["FW-2"] = _unless(found["FW-2"], _diagonal_values_leave(checks))
    found["FW-12"] = _unless(found["FW-12"], _errors_fall(checks))
    found["FW-9"] = _at_largest_dimension(found["FW-9"], tables["frank_wolfe_ownership"])
    return list(found.values())


def _unless(verdict: Verdict, holds: bool) -> Verdict:
    """The verdict, refuted where the experiment contradicts it."""
    return verdict if holds else replace(verdict, verdict="refuted")


def _programs_agree(checks: pd.DataFrame) -> bool:
    differences = checks.loc[checks["check"] == "linear minimisation", "value"]
    return bool(len(differences) and (differences <= PROGRAM_TOLERANCE).all())


def _diagonal_values_leave(checks: pd.DataFrame) -> bool:
    """No cloud leaves its hull where V is a multiple of the identity, and some do elsewhere: the lower end of the share is positive."""
    rows = checks[checks["check"] == "diagonal V"].set_index("case")
    scalar = rows.index == "V = diag(1, 1)"
    return bool((rows.loc[scalar, "value"] == 0).all() and (rows.loc[~scalar, "low"] > 0).any())


def _errors_fall(checks: pd.DataFrame) -> bool:
    """Errors of steps h = 0.1, 0.01, 0.001, in the table's order."""
    rows = checks[(checks["check"] == "flow") & checks["quantity"].str.startswith("error of steps")]
    errors = rows["value"].to_numpy()
    return bool(len(errors) > 1 and (errors[:-1] >= FIRST_ORDER * errors[1:]).all())


def _at_largest_dimension(verdict: Verdict, ownership: pd.DataFrame) -> Verdict:
    row = ownership.sort_values(["dim", "vertices", "condition"]).iloc[-1]
    return replace(
        verdict,
        measured=float(row["probability"]),
        bound=float(row["bound"]),
        interval_low=float(row["low"]),
        interval_high=float(row["high"]),
    )
