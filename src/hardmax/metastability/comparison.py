"""Whether jumping from event to event samples the same law as taking every step."""

import numpy as np
import pandas as pd
from scipy.stats import ks_2samp

from hardmax.metastability.exit_times import Method, exit_times
from hardmax.metastability.polytopes import crowd, polytope
from hardmax.metastability.survival import median_interval, survival_curve

QUANTITIES = ("exit_time", "events")


def both_methods(
    seeds: dict[Method, int], *, shape: str, tokens: int, spread: float, gamma: float, ratio: float, beta: list[float], replicas: int
) -> pd.DataFrame:
    """Exit times by both methods at small beta: the columns of `exit_times` after `method` and `beta`.

    Args:
        seeds: method -> root seed of its replicas.
        shape, tokens, spread: polytope and tokens, as in `crowd`.
        gamma, ratio: step and epsilon/gamma.
        beta: inverse temperatures at which every step can be taken.
        replicas: runs of each method at each beta.
    """
    x0, groups = crowd(polytope(shape), tokens, spread)
    tables = []
    for b in beta:
        for method, seed in seeds.items():
            table = exit_times(
                x0,
                groups,
                beta=b,
                gamma=gamma,
                epsilon=ratio * gamma,
                replicas=replicas,
                seed=seed,
                method=method,
            )
            table.insert(0, "beta", b)
            table.insert(0, "method", method)
            tables.append(table)
    return pd.concat(tables, ignore_index=True)


def comparison(exits: pd.DataFrame, level: float) -> pd.DataFrame:
    """Two-sample Kolmogorov-Smirnov tests of events against steps, with Holm's correction over all of them.

    The tests are conservative for whole-numbered samples with ties.

    Args:
        exits: from `both_methods`.
        level: probability of any rejection where both methods have one law.

    Returns:
        One row a beta and quantity (exit_time, events): replicas, medians with 95 % intervals by each method, statistic, p, `p_holm`,
        level and `rejected`.
    """
    rows = []
    for beta, group in exits.groupby("beta", sort=False):
        for quantity in QUANTITIES:
            samples = {method: sample[quantity].to_numpy() for method, sample in group.groupby("method")}
            test = ks_2samp(samples["events"], samples["steps"])
            row = {"beta": beta, "quantity": quantity, "replicas": len(samples["events"])}
            for method in ("events", "steps"):
                row |= dict(zip([f"{method}_{end}" for end in ("median", "low", "high")], median_interval(samples[method]), strict=True))
            rows.append(row | {"statistic": float(test.statistic), "p": float(test.pvalue)})
    table = pd.DataFrame(rows)
    order = np.argsort(table["p"].to_numpy(), kind="stable")
    scaled = table["p"].to_numpy()[order] * (len(table) - np.arange(len(table)))
    holm = np.empty(len(table))
    holm[order] = np.minimum(1.0, np.maximum.accumulate(scaled))
    table["p_holm"], table["level"], table["rejected"] = holm, level, holm < level
    return table


def comparison_curves(exits: pd.DataFrame, points: int) -> pd.DataFrame:
    """Kaplan-Meier curves of both methods at the same times: beta, method, time, survival, low, high."""
    tables = []
    for beta, group in exits.groupby("beta", sort=False):
        at = np.unique(np.floor(np.geomspace(1.0, group["exit_time"].max(), points)))
        for method, sample in group.groupby("method"):
            curve = survival_curve(sample["exit_time"].to_numpy(), sample["censored"].to_numpy(), at)
            curve.insert(0, "method", method)
            curve.insert(0, "beta", beta)
            tables.append(curve)
    return pd.concat(tables, ignore_index=True)
