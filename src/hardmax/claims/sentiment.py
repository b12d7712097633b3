"""Verdicts on the sentiment experiment (arXiv 2407.01602): statistical claims, judged from their tables with 95 % intervals."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hardmax.claims.verdict import Verdict, Word
from hardmax.intervals import NORMAL_95

PAPER = "2407.01602"
AGREEMENT, LOSS = 0.99, 0.005
"""SE-2 holds when at least this share of predictions agree and the mean losses (nats) differ by at most this."""
DECODER, LEXICON = ("decoder_agrees", "in_lexicon"), ("in_lexicon", "valence_agrees")
"""Measures of SE-3 as written, and of its amendment."""
DEFINITIONS = ("paper", "script")
"""Of a review's leaders, by the paper's text and by the published script: SE-4 compares them."""
FEW = 0.5
"""SE-5 holds when there are at most this many clusters a token."""


def verdicts(tables: dict[str, pd.DataFrame]) -> list[Verdict]:
    """One verdict a claim.

    Args:
        tables: `sentiment_accuracy`, `sentiment_agreement`, `sentiment_lexicon`, `sentiment_leaders`, `sentiment_clusters`.
    """
    return [
        accuracy_grows(tables["sentiment_accuracy"]),
        softmax_is_hardmax(tables["sentiment_agreement"]),
        leaders_carry_sentiment(tables["sentiment_lexicon"]),
        leaders_a_review(tables["sentiment_leaders"]),
        few_points(tables["sentiment_clusters"]),
    ]


def _last(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of each run's last epoch."""
    return table[table["epoch"] == table.groupby(["dim", "seed"])["epoch"].transform("max")]


def _verdict(claim: str, table: str, **fields: Any) -> Verdict:
    return Verdict(claim=claim, paper=PAPER, table=f"results/tables/{table}.csv", **fields)


def _word(supported: bool, refuted: bool, trials: int) -> Word:
    return "inconclusive" if not trials else "refuted" if refuted else "supported" if supported else "inconclusive"


class _Level(NamedTuple):
    """What a dimension reaches: an estimate and its variance."""

    dim: int
    value: float
    variance: float


def _level(dim: Any, values: pd.Series, variance: float) -> _Level:
    """Mean over the runs of a dimension; `variance` is that of sampling reviews, to which that of seeds is added, if known."""
    seeds = float(values.var(ddof=1)) / len(values) if len(values) > 1 else 0.0
    return _Level(int(dim), float(values.mean()), variance + seeds)


def _grows(series: Sequence[Sequence[_Level]]) -> dict[str, Any]:
    """Verdict, trials and interval of "each series grows from each dimension to the next": a pair of neighbours is a trial."""
    steps = [
        (after.value - before.value, NORMAL_95 * np.sqrt(before.variance + after.variance))
        for levels in series
        for before, after in pairwise(levels)
    ]
    least, half = min(steps, key=lambda step: step[0] - step[1], default=(np.nan, np.nan))
    down = [difference + error < 0 for difference, error in steps]
    return {
        "verdict": _word(all(difference > error for difference, error in steps), any(down), len(steps)),
        "trials": len(steps),
        "violations": int(sum(down)),
        "measured": float(least),
        "bound": 0.0,
        "interval_low": float(least - half),
        "interval_high": float(least + half),
    }


def accuracy_grows(table: pd.DataFrame) -> Verdict:
    """SE-1: each pair of neighbouring dimensions is a trial; its difference counts sampling of reviews and, if known, of seeds.

    The statement's other half, the values themselves, is not judged here: `audit/notes.yaml` says why.
    """
    levels = []
    for dim, runs in table.groupby("dim", sort=True):
        share = float(runs["best_accuracy"].mean())
        levels.append(_level(dim, runs["best_accuracy"], share * (1 - share) / runs["reviews"].iloc[0]))
    return _verdict(
        "SE-1",
        "sentiment_accuracy",
        statement="Test accuracy grows with d: the best one of a run is larger for each dimension than for the one before.",
        hypotheses=f"best test accuracy over {table['epochs'].min()} epochs of {table['steps'].iloc[0]} steps, "
        f"{table['reviews'].iloc[0]} test reviews, d = {', '.join(str(level.dim) for level in levels)}; "
        "the published values are not judged here",
        **_grows([levels]),
    )


def softmax_is_hardmax(table: pd.DataFrame) -> Verdict:
    """SE-2: each test review of each run's last epoch is a trial, a differing prediction a violation."""
    table = _last(table)
    worst = table.loc[table["agreement"].idxmin()]
    held = (table["agreement_low"] >= AGREEMENT) & (table[["difference_low", "difference_high"]].abs().max(axis=1) <= LOSS)
    broken = (table["agreement_high"] < AGREEMENT) | (table["difference_low"] > LOSS) | (table["difference_high"] < -LOSS)
    return _verdict(
        "SE-2",
        "sentiment_agreement",
        statement=f"At the temperature of the training the trained network and its hardmax version agree: at least {AGREEMENT:.0%} of predictions, "
        f"mean loss within {LOSS} nats.",
        hypotheses="the same weights, the same test reviews, last epoch; the temperature is sentiment.training.temperature of the configuration",
        verdict=_word(bool(held.all()), bool(broken.any()), int(table["reviews"].sum())),
        trials=int(table["reviews"].sum()),
        violations=int((table["reviews"] - table["agreeing"]).sum()),
        measured=float(worst["agreement"]),
        bound=AGREEMENT,
        interval_low=float(worst["agreement_low"]),
        interval_high=float(worst["agreement_high"]),
    )


def leaders_carry_sentiment(table: pd.DataFrame) -> Verdict:
    """SE-3: leaders beat random tokens of the same reviews; a run and measure is a trial. Amendment: the lexicon alone, in the plane."""
    rows = table[(table["who"] == "difference") & (table["reviews"] > 1)]
    beats = "Leaders of confident reviews carry sentiment more often than random tokens of the same reviews:"
    written = _beats(rows, f"{beats} the decoder has the label's sign on them, and their words are in a public lexicon (VADER).", DECODER)
    if written.verdict != "refuted":
        return written
    text = f"{beats} their words are in a public lexicon (VADER), and there with the label's sign, for d = 2."
    amendment = _beats(rows[rows["dim"] == 2], text, LEXICON)
    word: Word = "amended" if amendment.verdict == "supported" else "refuted"
    return replace(written, verdict=word, amendment=amendment.statement, amendments=(amendment,))


def _beats(rows: pd.DataFrame, statement: str, measures: tuple[str, ...]) -> Verdict:
    trials = [(row[m], row[f"{m}_low"], row[f"{m}_high"]) for _, row in rows.iterrows() for m in measures]
    least = min(trials, default=(np.nan, np.nan, np.nan))
    down = [high < 0 for _, _, high in trials]
    return _verdict(
        "SE-3",
        "sentiment_lexicon",
        statement=statement,
        hypotheses="test reviews that the hardmax classifier gets right with at least the configured confidence, d = "
        + ", ".join(map(str, sorted(rows["dim"].unique()))),
        verdict=_word(all(low > 0 for _, low, _ in trials), any(down), len(trials)),
        trials=len(trials),
        violations=int(sum(down)),
        measured=float(least[0]),
        bound=0.0,
        interval_low=float(least[1]),
        interval_high=float(least[2]),
    )


def leaders_a_review(table: pd.DataFrame) -> Verdict:
    """SE-4: does the published script's count measure what the text defines? A run is a trial, distinct means a violation.

    Amendment: what one reads off the table, growth with d, under both definitions; it fails where a mean falls.
    """
    paper = table[table["definition"] == "paper"].set_index(["dim", "seed"])
    script = table[table["definition"] == "script"].set_index(["dim", "seed"]).loc[paper.index]
    apart = (script["mean_low"] > paper["mean_high"]) | (script["mean_high"] < paper["mean_low"])
    far = (script["mean"] - paper["mean"]).abs().idxmax()
    fields = {
        "trials": len(paper),
        "measured": float(paper.loc[far, "mean"]),
        "interval_low": float(paper.loc[far, "mean_low"]),
        "interval_high": float(paper.loc[far, "mean_high"]),
    }
    written = _verdict(
        "SE-4",
        "sentiment_leaders",
        statement="The published script's table of leaders a review is that of the text's definition (measured: mean by the text; bound: by the script).",
        hypotheses="all test reviews; script: one layer more, weights of another epoch, padding counted",
        verdict=_word(not apart.any(), bool(apart.any()), len(paper)),
        violations=int(apart.sum()),
        bound=float(script.loc[far, "mean"]),
        **fields,
    )
    if not apart.any():
        return written
    amendment = _leaders_grow(table)
    word: Word = "amended" if amendment.verdict == "supported" else "refuted"
    return replace(written, verdict=word, amendment=amendment.statement, amendments=(amendment,))


def _leaders_grow(table: pd.DataFrame) -> Verdict:
    """SE-4's amendment: a definition and a pair of neighbouring dimensions is a trial."""
    series = {
        definition: [
            _level(dim, runs["mean"], float((((runs["mean_high"] - runs["mean_low"]) / (2 * NORMAL_95)) ** 2).sum()) / len(runs) ** 2)
            for dim, runs in rows.groupby("dim", sort=True)
        ]
        for definition, rows in table.groupby("definition", sort=True)
        if definition in DEFINITIONS
    }
    means = [", ".join(f"{level.value:.2f} (d = {level.dim})" for level in series[name]) for name in DEFINITIONS]
    return _verdict(
        "SE-4",
        "sentiment_leaders",
        statement="By the text's definition, as by the script's, the mean number of leaders a review grows from each dimension to the next.",
        hypotheses=f"all test reviews; text: last layer, last epoch, words only; means by the text {means[0]}, by the script {means[1]}",
        **_grows(list(series.values())),
    )


def few_points(table: pd.DataFrame) -> Verdict:
    """SE-5: clusters by tokens, at the coarser tolerance; a run is a trial. Amendment: in the plane."""
    table = _last(table)
    table = table[table["tolerance"] == table["tolerance"].max()]
    statement = f"After the last layer the tokens of a review sit at few points: at most {FEW:g} clusters a token"
    written = _few(table, f"{statement}, for every d.")
    plane = table[table["dim"] == 2]
    amendment = _few(plane, f"{statement}, for d = 2.")
    if written.verdict != "refuted":
        return written
    word: Word = "amended" if amendment.verdict == "supported" else "refuted"
    return replace(written, verdict=word, amendment=amendment.statement, amendments=(amendment,))


def _few(table: pd.DataFrame, statement: str) -> Verdict:
    worst = table.loc[table["share"].idxmax()]
    return _verdict(
        "SE-5",
        "sentiment_clusters",
        statement=statement,
        hypotheses=f"all test reviews, tokens linked within {worst['tolerance']:g} of the review's extent, d = "
        + ", ".join(map(str, sorted(table["dim"].unique()))),
        verdict=_word(bool((table["share_high"] <= FEW).all()), bool((table["share_low"] > FEW).any()), len(table)),
        trials=len(table),
        violations=int((table["share_low"] > FEW).sum()),
        measured=float(worst["share"]),
        bound=FEW,
        interval_low=float(worst["share_low"]),
        interval_high=float(worst["share_high"]),
    )
