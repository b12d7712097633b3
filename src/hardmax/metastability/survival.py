"""Censored exit times: survival curves, medians and growth rates with intervals, and how many replicas an interval needs."""

import math
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from scipy.special import bdtr

LEVEL = 0.95


def survival_curve(
    times: Float[np.ndarray, " replicas"], censored: Bool[np.ndarray, " replicas"], at: Float[np.ndarray, " points"]
) -> pd.DataFrame:
    """Kaplan and Meier's estimate of P(T > t) from right-censored times, with the log-log interval at 95 %.

    Returns:
        One row a point of `at`: time, survival, low, high. Where the interval is not defined (survival 0 or 1) it is the exact one for as many
        replicas as there are.
    """
    from scipy.stats import CensoredData, ecdf

    curve = ecdf(CensoredData.right_censored(times, censored)).sf
    survival = np.asarray(curve.evaluate(at))
    count = len(times)
    if censored.all():
        low = high = np.full(len(at), np.nan)
    else:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The confidence interval is undefined", RuntimeWarning)
            band = curve.confidence_interval(LEVEL, method="log-log")
        low, high = np.asarray(band.low.evaluate(at)), np.asarray(band.high.evaluate(at))
    edge = 1 - ((1 - LEVEL) / 2) ** (1 / count)
    undefined = ~(np.isfinite(low) & np.isfinite(high)) | (survival <= 0) | (survival >= 1)
    low = np.where(undefined, np.where(survival >= 1, 1 - edge, 0.0), low)
    high = np.where(undefined, np.where(survival >= 1, 1.0, edge), high)
    return pd.DataFrame({"time": at, "survival": survival, "low": low, "high": high})


def median_interval(times: Float[np.ndarray, " replicas"]) -> tuple[float, float, float]:
    """Sample median and its distribution-free 95 % interval from order statistics, as (median, low, high).

    Censored times enter at their lower bound max_time, which is right for every order statistic below it; an end of the interval that
    is max_time means "at least".
    """
    ordered = np.sort(times)
    count = len(ordered)
    # The interval from the r-th smallest to the r-th largest misses the median with probability 2 P(Bin(count, 1/2) < r).
    ranks = np.arange(count // 2 + 1)
    rank = int(np.searchsorted(bdtr(np.maximum(ranks - 1, 0), count, 0.5) * (ranks > 0), (1 - LEVEL) / 2, side="right")) - 1
    low, high = (ordered[rank - 1], ordered[count - rank]) if rank > 0 else (1.0, math.inf)
    return float(np.median(ordered)), float(low), float(high)


def log_width(times: Float[np.ndarray, " replicas"]) -> float:
    """Half the width of the median's interval in log time."""
    _, low, high = median_interval(times)
    return (math.log(high) - math.log(low)) / 2 if math.isfinite(high) else math.inf


def enough_replicas(draw: Callable[[int], pd.DataFrame], width: float, pilot: int, most: int) -> pd.DataFrame:
    """Exit times of as many replicas as bring half the width of log median's interval to `width`.

    A pilot gives the width that its size affords; widths fall with the square root of the number. Replicas have streams of their own, so
    the pilot is the beginning of the final sample and nothing is thrown away.

    Args:
        draw: number of replicas -> their exit times, the first ones always the same.
        width: wanted half-width in log time, positive.
        pilot, most: replicas to start with, and at most.
    """
    table = draw(pilot)
    for _ in range(2):
        reached = log_width(table["exit_time"].to_numpy())
        wanted = most if math.isinf(reached) else math.ceil(1.1 * len(table) * (reached / width) ** 2)
        if reached <= width or len(table) >= most:
            break
        table = draw(min(max(wanted, len(table) + 1), most))
    return table


def growth_rate(
    beta: Float[np.ndarray, " points"], samples: list[np.ndarray], rng: np.random.Generator, resamples: int
) -> tuple[float, float, float]:
    """Slope of log median exit time against beta, with the 95 % percentile interval of the bootstrap over replicas.

    Args:
        beta: inverse temperatures, at least two distinct ones.
        samples: exit times of the replicas at each beta, medians not censored.
        resamples: bootstrap samples; every beta's replicas are drawn anew.
    """

    centred = beta - beta.mean()

    def slope(log_medians: np.ndarray) -> np.ndarray:
        return np.asarray(log_medians @ centred / (centred @ centred))

    measured = float(slope(np.log([np.median(times) for times in samples])))
    medians = np.stack([np.median(rng.choice(times, (resamples, len(times))), axis=1) for times in samples], axis=1)
    low, high = np.quantile(slope(np.log(medians)), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return measured, float(low), float(high)
