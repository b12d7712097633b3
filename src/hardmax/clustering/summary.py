"""Ensembles summed up: an estimate, its interval and its number of trials for each point of the parameters."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.stats import binom

from hardmax.intervals import clopper_pearson, mean_interval

LEVEL = 0.95
"""Confidence level of all intervals."""

SETTLED_SHARE = 0.95
"""`settled layer` is the layer by which this share of clouds has settled."""

KEYS = ["experiment", "dim", "tokens", "alpha", "condition"]
COLUMNS = [*KEYS, "quantity", "trials", "estimate", "low", "high"]

_WORDS_EDGES = (0, 20, 40, 60, 80, 100, 128)
"""Reviews are summed up by their number of different words, in classes with these upper ends."""


def quantile_interval(values: np.ndarray, share: float) -> tuple[float, float, float]:
    """Quantile and its interval by order statistics; censored trials enter as infinity, so nothing is dropped.

    An end is missing where it lies beyond the sample or among the censored trials.
    """
    ordered = np.concatenate([[-np.inf], np.sort(values), [np.inf]])
    count = len(values)
    below, above = binom.ppf([(1 - LEVEL) / 2, (1 + LEVEL) / 2], count, share).astype(int)
    found = ordered[[max(int(np.ceil(share * count)), 1), below, above + 1]]
    estimate, low, high = (float(value) if np.isfinite(value) else np.nan for value in found)
    return estimate, low, high


def share_interval(event: np.ndarray) -> tuple[float, float, float]:
    """Share of trials and the exact interval of Clopper and Pearson."""
    low, high = clopper_pearson(int(event.sum()), len(event), LEVEL)
    return float(event.mean()), low, high


def _quantities(group: pd.DataFrame) -> Iterator[tuple[str, tuple[float, float, float]]]:
    settled = group["settled_layer"].astype(float).fillna(np.inf).to_numpy()
    yield "clusters", mean_interval(group["clusters"].to_numpy(dtype=float), LEVEL)
    yield "leaders", mean_interval(group["leaders"].to_numpy(dtype=float), LEVEL)
    yield "final layer", mean_interval(group["final_layer"].to_numpy(dtype=float), LEVEL)
    yield "settled layer", quantile_interval(settled, SETTLED_SHARE)
    yield "emerging leader", share_interval((group["leaders"] > group["first_leaders"]).to_numpy())
    yield "not settled", share_interval(np.isinf(settled))
    if "face_limits" in group:
        yield "limit on a face", share_interval((group["face_limits"] > 0).to_numpy())
        yield "limit elsewhere", share_interval((group["other_limits"] > 0).to_numpy())


def _rows(experiment: str, groups: Iterator[tuple[dict[str, float], pd.DataFrame]]) -> Iterator[dict[str, object]]:
    for keys, group in groups:
        tokens = float(group["tokens"].mean())
        for quantity, (estimate, low, high) in _quantities(group):
            yield {
                "experiment": experiment,
                "dim": int(keys["dim"]),
                "tokens": tokens,
                "alpha": keys["alpha"],
                "condition": keys["condition"],
                "quantity": quantity,
                "trials": len(group),
                "estimate": estimate,
                "low": low,
                "high": high,
            }


def _clouds(table: pd.DataFrame, by: list[str]) -> Iterator[tuple[dict[str, float], pd.DataFrame]]:
    for values, group in table.groupby(by, sort=True):
        yield dict(zip(by, values, strict=True)), group


def _by_length(reviews: pd.DataFrame, alpha: float) -> Iterator[tuple[dict[str, float], pd.DataFrame]]:
    """Reviews of one dimension in classes of length, those longer than the last edge in a class of their own."""
    edges = np.array([*_WORDS_EDGES, max(_WORDS_EDGES[-1], int(reviews["tokens"].max())) + 1])
    classes = np.searchsorted(edges, reviews["tokens"].to_numpy(), side="left")
    for (dim, _), group in reviews.groupby([reviews["dim"], classes], sort=True):
        yield {"dim": dim, "alpha": alpha, "condition": 1.0}, group


def summary(ensembles: pd.DataFrame, reviews: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """One row a point of the parameters and quantity: trials, estimate and 95 % interval.

    Args:
        ensembles: one row a cloud, generic and mirrored. Mirrored clouds are pooled over their numbers of tokens.
        reviews: one row a review and dimension; reviews are pooled in classes of their number of different words.
        alpha: the weight the reviews were run with.

    Returns:
        Means with Student's interval (`clusters`, `leaders`, `final layer`), a quantile with its interval by order statistics
        (`settled layer`: 95 % of clouds have settled by then, those that never did counting as infinite) and shares of clouds with Clopper and Pearson's interval.
        `tokens` is the mean number of tokens of the clouds pooled.
    """
    generic = ensembles[ensembles["cloud"] == "generic"]
    mirrored = ensembles[ensembles["cloud"] == "mirrored"]
    rows = [
        *_rows("generic", _clouds(generic, ["dim", "tokens", "alpha", "condition"])),
        *_rows("mirrored", _clouds(mirrored, ["dim", "alpha", "condition"])),
        *_rows("reviews", _by_length(reviews, alpha)),
    ]
    return pd.DataFrame(rows, columns=COLUMNS)
