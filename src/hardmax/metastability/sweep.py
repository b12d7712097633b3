"""The sweep over exit times: points in parameter space, the sample at each, and what the samples say together."""

import itertools
from typing import Any

import numpy as np
import pandas as pd

from hardmax.errors import InputError
from hardmax.geometry.hulls import diameter
from hardmax.metastability.bounds import exit_log_bound, paper_log_bound, paper_rate
from hardmax.metastability.exit_times import exit_times
from hardmax.metastability.polytopes import crowd, polytope, score_gap
from hardmax.metastability.setup import METASTABILITY, check_setup
from hardmax.metastability.survival import enough_replicas, growth_rate, median_interval, survival_curve

AXES = ("shape", "tokens", "gamma", "ratio", "beta")
"""What a point of the sweep is: polytope, tokens a group, step, epsilon/gamma, inverse temperature."""


def sweep_points(grids: list[dict[str, list[Any]]]) -> dict[str, dict[str, Any]]:
    """The points of a list of grids by name; a point that several grids share is one point.

    Args:
        grids: each gives a list of values for every one of `AXES`; its points are all their combinations.

    Returns:
        name, as `simplex3-n2-g0.1-r3.5-b8`, -> the values of the axes.
    """
    points = {}
    for grid in grids:
        for values in itertools.product(*(grid[axis] for axis in AXES)):
            shape, tokens, *numbers = values
            point = dict(zip(AXES, (shape, tokens, *map(float, numbers)), strict=True))
            points["{shape}-n{tokens}-g{gamma:g}-r{ratio:g}-b{beta:g}".format(**point)] = point
    return points


def exits_at(seed: int, *, point: dict[str, Any], spread: float, width: float, pilot: int, most: int, max_time: float) -> pd.DataFrame:
    """Exit times at one point, of as many replicas as bring the median's interval to the wanted width.

    Args:
        seed: root seed of the replicas' streams.
        point: values of `AXES`.
        spread: how far a group's tokens reach to the centre, as in `crowd`.
        width, pilot, most: half-width of log median's interval, replicas to start with, and at most.
        max_time: where runs are censored.

    Returns:
        the columns of `AXES`, then those of `exit_times`.
    """
    x0, groups = crowd(polytope(point["shape"]), point["tokens"], spread)

    def draw(replicas: int) -> pd.DataFrame:
        return exit_times(
            x0, groups, beta=point["beta"], gamma=point["gamma"], epsilon=point["ratio"] * point["gamma"],
            replicas=replicas, seed=seed, max_time=max_time,
        )  # fmt: skip

    table = enough_replicas(draw, width, pilot, most)
    for place, axis in enumerate(AXES):
        table.insert(place, axis, point[axis])
    return table


def medians(exits: pd.DataFrame, spread: float) -> pd.DataFrame:
    """One row a point: geometry, replicas, censored ones, and the median exit time with its distribution-free interval.

    `holds` says whether the polytope and the ratio meet MS-3's hypotheses, `failures` names what fails.
    """
    rows = []
    for values, sample in exits.groupby(list(AXES), sort=False):
        point = dict(zip(AXES, values, strict=True))
        vertices = polytope(point["shape"])
        x0, groups = crowd(vertices, point["tokens"], spread)
        setup = check_setup(x0, groups, beta=point["beta"], gamma=point["gamma"], epsilon=point["ratio"] * point["gamma"])
        failing = setup.failing(METASTABILITY)
        median, low, high = median_interval(sample["exit_time"].to_numpy())
        rows.append(
            point
            | {
                "vertices": len(vertices), "dim": vertices.shape[1], "epsilon": point["ratio"] * point["gamma"], "score_gap": setup.c0,
                "diameter": setup.diameter, "holds": not failing, "failures": "; ".join(failing) or "none", "replicas": len(sample),
                "censored": int(sample["censored"].sum()), "events": sample["events"].mean(), "median": median, "low": low, "high": high,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def survival_curves(exits: pd.DataFrame, spread: float, points: int) -> pd.DataFrame:
    """Kaplan-Meier curves of P(T2 > t) with 95 % intervals at each point, beside MS-3's bound and the amended one.

    Args:
        exits: from `exits_at`.
        spread: as there.
        points: times on each curve: half of them evenly in log time from well before MS-3's bound has fallen to one half, half of them from the
            first exit on, both up to the last exit.
    """
    tables = []
    for values, sample in exits.groupby(list(AXES), sort=False):
        point = dict(zip(AXES, values, strict=True))
        times = sample["exit_time"].to_numpy()
        vertices = polytope(point["shape"])
        x0, groups = crowd(vertices, point["tokens"], spread)
        epsilon, c0 = point["ratio"] * point["gamma"], score_gap(vertices)
        half = point["ratio"] / len(x0) * np.exp(point["beta"] * paper_rate(c0, point["ratio"]))
        starts = max(1.0, min(times.min(), half / 30)), times.min()
        at = np.unique(np.floor(np.concatenate([np.geomspace(start, times.max(), points // 2) for start in starts])))
        curve = survival_curve(times, sample["censored"].to_numpy(), at)
        start = float(np.linalg.norm(x0 - vertices[groups], axis=1).max())
        written = paper_log_bound(at + 1, tokens=len(x0), beta=point["beta"], c0=c0, ratio=point["ratio"])
        amended = exit_log_bound(
            at, sizes=np.bincount(groups), beta=point["beta"], gamma=point["gamma"], epsilon=epsilon, c0=c0,
            diameter=diameter(vertices), radius=float(np.linalg.norm(vertices, axis=1).max()), start=start,
        )  # fmt: skip
        curve["bound"] = 1 - np.exp(np.minimum(written, 0.0))
        curve["amended_bound"] = 1 - np.exp(np.minimum(amended, 0.0))
        tables.append(pd.DataFrame([point] * len(curve)).join(curve))
    return pd.concat(tables, ignore_index=True)


def rates(exits: pd.DataFrame, rng: np.random.Generator, *, fit_from: float, resamples: int) -> pd.DataFrame:
    """Growth rate of log median exit time in beta on each curve, with bootstrap intervals, beside MS-3's rate and the score gap.

    Args:
        exits: from `exits_at`.
        rng: for the bootstrap.
        fit_from: least beta that enters a fit; curves with fewer than two such points are left out.
        resamples: bootstrap samples.
    """
    rows = []
    for values, curve in exits[exits["beta"] >= fit_from].groupby(list(AXES[:-1]), sort=False):
        samples = [sample for _, sample in curve.groupby("beta") if sample["censored"].mean() < 0.5]
        if len(samples) < 2:
            continue
        point = dict(zip(AXES[:-1], values, strict=True))
        beta = np.array([sample["beta"].iloc[0] for sample in samples], dtype=float)
        slope, low, high = growth_rate(beta, [s["exit_time"].to_numpy() for s in samples], rng, resamples)
        c0 = score_gap(polytope(point["shape"]))
        bound = paper_rate(c0, point["ratio"]) if c0 > 0 else float("nan")
        rows.append(
            point
            | {
                "points": len(beta), "beta_low": beta.min(), "beta_high": beta.max(), "replicas": sum(len(s) for s in samples),
                "slope": slope, "low": low, "high": high, "score_gap": c0, "paper_rate": bound, "slope_over_paper_rate": slope / bound,
            }
        )  # fmt: skip
    if not rows:
        raise InputError(f"fit_from: expected curves with at least two points from beta {fit_from:g} on, found none")
    return pd.DataFrame(rows)
