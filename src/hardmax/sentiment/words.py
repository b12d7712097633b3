"""The words of leaders: which they are, and whether they carry sentiment."""

from collections.abc import Sequence
from math import log

import numpy as np
import pandas as pd

from hardmax.intervals import NORMAL_95
from hardmax.sentiment.estimates import Estimate, ratio
from hardmax.sentiment.lexicon import valences

MEASURES = ("decoder_agrees", "in_lexicon", "valence_agrees")


def confident(reviews: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Reviews that the hardmax classifier gets right with at least this probability."""
    logit = np.where(reviews["label"] == 1, reviews["hardmax"], -reviews["hardmax"])
    return reviews[logit >= log(confidence / (1 - confidence))]


def _tokens(reviews: pd.DataFrame, tokens: pd.DataFrame, words: Sequence[str], confidence: float) -> pd.DataFrame:
    """Leaders and random tokens of confident reviews, with label, valence and what SE-3 asks of them."""
    last = reviews[reviews["epoch"] == reviews.groupby(["dim", "seed"])["epoch"].transform("max")]
    kept = confident(last, confidence)[["dim", "seed", "review", "label"]]
    table = tokens.merge(kept, on=["dim", "seed", "review"], how="inner")
    valence = valences(words)[table["word"].to_numpy()]
    sign = np.where(table["label"] == 1, 1, -1)
    return table.assign(
        valence=valence,
        decoder_agrees=(table["decoder"] * sign > 0).astype(int),
        in_lexicon=(~np.isnan(valence)).astype(int),
        valence_agrees=(np.nan_to_num(valence) * sign > 0).astype(int),
    )


def _difference(first: pd.DataFrame, second: pd.DataFrame, measure: str) -> Estimate:
    """Difference of two ratios over the same reviews, with the interval of their paired linearisations."""
    parts = []
    for table in (first, second):
        part, whole = table[measure].to_numpy(float), table["tokens"].to_numpy(float)
        value = part.sum() / whole.sum()
        parts.append((value, (part - value * whole) / whole.sum()))
    value = float(parts[0][0] - parts[1][0])
    half = NORMAL_95 * float(np.std(parts[0][1] - parts[1][1], ddof=1)) * np.sqrt(len(first)) if len(first) > 1 else float("nan")
    return Estimate(value, value - half, value + half)


def lexicon_table(reviews: pd.DataFrame, tokens: pd.DataFrame, words: Sequence[str], confidence: float) -> pd.DataFrame:
    """SE-3: do leaders of confident reviews carry sentiment, against as many random tokens of the same reviews?

    Rows: `leader`, `random` and `difference` for each run. `decoder_agrees`: the decoder's sign on the token is the label's;
    `in_lexicon`: the word is in the lexicon; `valence_agrees`: it is, with the label's sign. Intervals take reviews as clusters.

    Args:
        reviews, tokens: `review_table` and `leader_tokens` of all runs, with their `dim` and `seed`.
        words: the vocabulary.
        confidence: least probability of the right label.
    """
    table = _tokens(reviews, tokens, words, confidence)
    rows = []
    for (dim, seed), run in table.groupby(["dim", "seed"], sort=True):
        sums = {}
        numbers = np.sort(run["review"].unique())
        for who, part in run.groupby("who"):
            grouped = part.groupby("review")
            sums[who] = grouped[list(MEASURES)].sum().assign(tokens=grouped.size()).reindex(numbers, fill_value=0)
        for who in ("leader", "random", "difference"):
            row = {"dim": dim, "seed": seed, "who": who, "reviews": len(numbers), "tokens": int(sums["leader"]["tokens"].sum())}
            for measure in MEASURES:
                if who == "difference":
                    found = _difference(sums["leader"], sums["random"], measure)
                else:
                    found = ratio(sums[who][measure].to_numpy(), sums[who]["tokens"].to_numpy())
                row |= {measure: found.value, f"{measure}_low": found.low, f"{measure}_high": found.high}
            rows.append(row)
    columns = ["dim", "seed", "who", "reviews", "tokens", *(f"{m}{end}" for m in MEASURES for end in ("", "_low", "_high"))]
    return pd.DataFrame(rows, columns=columns)


def word_table(
    reviews: pd.DataFrame, tokens: pd.DataFrame, words: Sequence[str], confidence: float, top: int, named: Sequence[str] = ()
) -> pd.DataFrame:
    """The `top` most frequent leaders of each run over confidently and correctly classified reviews, and the `named` words.

    Columns: dim, seed, rank, word, reviews (that it leads), share (of all test reviews), positive (of these reviews), decoder, valence.
    A named word that leads no confident review has rank 1 + the number of words that do, and no decoder; one outside the
    vocabulary has no row.
    """
    table = _tokens(reviews, tokens, words, confidence)
    table = table[table["who"] == "leader"]
    grouped = table.groupby(["dim", "seed", "word"])
    counts = grouped.agg(reviews=("label", "size"), positive=("label", "sum"), decoder=("decoder", "first")).reset_index()
    tested = reviews.groupby(["dim", "seed"])["review"].nunique().rename("tested").reset_index()
    known = [number for number, word in enumerate(words) if word in set(named)]
    counts = counts.merge(tested[["dim", "seed"]].merge(pd.DataFrame({"word": known}, dtype=np.int64), how="cross"), how="outer")
    counts[["reviews", "positive"]] = counts[["reviews", "positive"]].fillna(0).astype(np.int64)
    counts = counts.merge(tested, on=["dim", "seed"])
    counts["share"] = counts["reviews"] / counts["tested"]
    counts["valence"] = valences(words)[counts["word"].to_numpy()]
    counts = counts.sort_values(["dim", "seed", "reviews", "word"], ascending=[True, True, False, True])
    runs = counts.assign(leads=counts["reviews"] > 0).groupby(["dim", "seed"])
    counts["rank"] = np.minimum(runs.cumcount(), runs["leads"].transform("sum")) + 1
    chosen = counts[((counts["rank"] <= top) & (counts["reviews"] > 0)) | counts["word"].isin(known)]
    chosen = chosen.assign(word=[words[word] for word in chosen["word"]])
    return chosen[["dim", "seed", "rank", "word", "reviews", "share", "positive", "decoder", "valence"]].reset_index(drop=True)
