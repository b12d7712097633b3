"""Estimates over reviews with their intervals: means, shares, and shares of tokens that come in reviews."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Num

from hardmax.intervals import NORMAL_95, clopper_pearson


class Estimate(NamedTuple):
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


def share(successes: int, trials: int) -> Estimate:
    """Share of independent trials, with Clopper and Pearson's interval."""
    low, high = clopper_pearson(successes, trials, 0.95)
    return Estimate(successes / trials if trials else float("nan"), low, high)


def mean(values: Num[np.ndarray, " reviews"]) -> Estimate:
    """Mean over reviews, with the normal interval."""
    value = float(np.mean(values))
    half = NORMAL_95 * float(np.std(values, ddof=1)) / np.sqrt(len(values)) if len(values) > 1 else float("nan")
    return Estimate(value, value - half, value + half)


def ratio(part: Num[np.ndarray, " reviews"], whole: Num[np.ndarray, " reviews"]) -> Estimate:
    """Sum of `part` by sum of `whole`, a share of tokens: tokens of a review are no independent trials, reviews are.

    The interval is the ratio estimator's normal one (linearised, reviews as clusters), cut at 0 and 1.
    """
    total, n = float(whole.sum()), len(whole)
    if not total:
        return Estimate(float("nan"), 0.0, 1.0)
    value = float(part.sum()) / total
    if n < 2:
        return Estimate(value, 0.0, 1.0)
    half = NORMAL_95 * float(np.std(part - value * whole, ddof=1)) * np.sqrt(n) / total
    return Estimate(value, max(0.0, value - half), min(1.0, value + half))
