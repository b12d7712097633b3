"""Confidence intervals that several topics report: of a probability, and of a mean."""

from statistics import NormalDist

import numpy as np

NORMAL_95 = NormalDist().inv_cdf(0.975)
"""Half width of a normal estimate's 95 % interval, in standard errors."""


def clopper_pearson(successes: int, trials: int, confidence: float) -> tuple[float, float]:
    """Exact two-sided confidence interval of a probability."""
    from scipy.stats import binomtest

    interval = binomtest(successes, trials).proportion_ci(confidence, method="exact")
    return float(interval.low), float(interval.high)


def mean_interval(values: np.ndarray, confidence: float = 0.95) -> tuple[float, float, float]:
    """Mean and Student's interval; the whole line is no better known than one value, so the interval of one trial is missing."""
    from scipy.stats import t

    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, float("nan"), float("nan")
    half = float(t.ppf((1 + confidence) / 2, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))
    return mean, mean - half, mean + half
