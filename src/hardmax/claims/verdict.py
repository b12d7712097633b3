"""A verdict on a claim, and how trials become one."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import nan
from typing import Any, Literal

import pandas as pd

from hardmax.falsify import AS_WRITTEN
from hardmax.intervals import clopper_pearson

Word = Literal["supported", "amended", "refuted", "inconclusive"]
"""`supported`; `amended`: refuted as written, supported under an amendment; `refuted`: no amendment supported; `inconclusive`."""


@dataclass(frozen=True)
class Verdict:
    """One row of the ledger. Trials, violations, measured and bound refer to the statement as written.

    Attributes:
        claim: `FW-3`.
        paper: arXiv number, with the version where the claim is of one version.
        statement, hypotheses: in words.
        verdict: see `Word`.
        trials: how many met the hypotheses.
        violations: how many of these broke the conclusion.
        measured, bound: the two sides of the conclusion where it came closest to failing, or the estimate and what it is compared with.
        interval_low, interval_high: interval of the measured value where it is an estimate, else Clopper and Pearson's of the
            rate of violations (95 %).
        amendment: the amended statement that was tested, where one was needed.
        counterexample, table, figure: repository-relative paths, or empty.
        amendments: the verdicts on the amendments, rows of their own table.
    """

    claim: str
    paper: str
    statement: str
    hypotheses: str
    verdict: Word
    trials: int
    violations: int
    measured: float = nan
    bound: float = nan
    interval_low: float = nan
    interval_high: float = nan
    amendment: str = ""
    counterexample: str = ""
    table: str = ""
    figure: str = ""
    amendments: tuple["Verdict", ...] = field(default=(), repr=False)

    def row(self) -> dict[str, Any]:
        """The verdict's columns in the ledger."""
        return {key: value for key, value in asdict(self).items() if key != "amendments"}


COLUMNS = [f.name for f in fields(Verdict) if f.name != "amendments"]


def _variant(rows: pd.DataFrame) -> Verdict:
    """Verdict on one variant (as written, or an amendment) from its families of trials."""
    first = rows.iloc[0]
    met, violations = int(rows["met"].sum()), int(rows["violations"].sum())
    word: Word = "inconclusive" if met == 0 else "refuted" if violations else "supported"
    tried = rows[rows["met"] > 0]
    worst = tried.loc[tried["worst_margin"].idxmax()] if tried["worst_margin"].notna().any() else first
    low, high = (worst["interval_low"], worst["interval_high"])
    if pd.isna(low) and met:
        low, high = clopper_pearson(violations, met, 0.95)
    found = bool(rows["counterexample"].notna().any())
    return Verdict(
        claim=first["claim"],
        paper=str(first["paper"]),
        statement=first["statement"],
        hypotheses=first["hypotheses"],
        verdict=word,
        trials=met,
        violations=violations,
        measured=float(worst["measured"]),
        bound=float(worst["bound"]),
        interval_low=float(low),
        interval_high=float(high),
        counterexample=f"results/audit/counterexamples/{first['claim']}.json" if found and first["variant"] == AS_WRITTEN else "",
        table=f"results/tables/falsification/{first['claim']}.csv",
    )


def falsification_verdict(table: pd.DataFrame) -> Verdict:
    """Verdict on a claim from its falsification table.

    A statement whose trials never met its hypotheses is inconclusive; one that was violated is amended where an amendment of it
    was tried and held, and refuted otherwise. Where the table has no interval, it is Clopper and Pearson's for the rate of violations.
    """
    variants: Mapping[str, Verdict] = {str(name): _variant(rows) for name, rows in table.groupby("variant", sort=False)}
    written = variants[AS_WRITTEN]
    amendments = tuple(verdict for name, verdict in variants.items() if name != AS_WRITTEN)
    standing = [verdict for verdict in amendments if verdict.verdict == "supported"]
    word: Word = "amended" if written.verdict == "refuted" and standing else written.verdict
    shown = next(iter([*standing, *amendments]), None) if written.verdict == "refuted" else None
    return Verdict(**written.row() | {"verdict": word, "amendment": shown.statement if shown else "", "amendments": amendments})
