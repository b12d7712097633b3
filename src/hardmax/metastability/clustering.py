"""The clustering phase: what the tokens have done at T1 (MS-2)."""

import itertools
import math

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from hardmax.intervals import clopper_pearson
from hardmax.metastability.exit_times import chain_inputs
from hardmax.metastability.polytopes import crowd, polytope
from hardmax.metastability.region import admissible_region, sample
from hardmax.metastability.setup import CLUSTERING, Setup, check_setup

LATEST = 20
"""The clustered state is waited for up to this many times T1."""


def clustering_time(setup: Setup, gamma: float) -> int:
    """T1 = floor(log(tau/m)/log(1 - gamma)), m the least distance of the other tokens from their vertices."""
    if gamma == 1:
        return 1
    return math.floor(math.log(setup.tau / setup.nearest) / math.log1p(-gamma) + 1e-9)


def clustering_factor(setup: Setup, gamma: float) -> float:
    """C = (max |x_i - v| / min |x_i - v|) / (1 - gamma): what the hardmax path needs at most at T1."""
    return setup.farthest / setup.nearest / (1 - gamma)


def factor_needed(x: Float[np.ndarray, "tokens dim"], groups: Int[np.ndarray, " tokens"], setup: Setup) -> float:
    """The smallest C with every other token within C tau of its vertex."""
    others = slice(len(setup.vertices), None)
    away = np.linalg.norm(x[others] - setup.vertices[groups[others]], axis=1)
    return float(away.max()) / setup.tau


def deep_tokens(
    vertices: Float[np.ndarray, "vertices dim"], number: int, beta: float, trials: int, rng: np.random.Generator
) -> Float[np.ndarray, "trials tokens dim"] | None:
    """The vertices, then `number` tokens a group drawn from its admissible region, for each trial; None where a region is empty."""
    groups = []
    for g in range(len(vertices)):
        region = admissible_region(vertices, g, beta)
        points = None if region is None else sample(*region, number * trials, rng)
        if points is None:
            return None
        groups.append(rng.permutation(points).reshape(trials, number, -1))
    others = np.stack(groups, axis=2).reshape(trials, number * len(vertices), -1)
    return np.concatenate([np.broadcast_to(vertices, (trials, *vertices.shape)), others], axis=1)


def clustering_trials(
    rng: np.random.Generator, *, shapes: list[str], beta: list[float], gamma: list[float], tokens: int, trials: int
) -> pd.DataFrame:
    """The chain up to T1 from tokens deep in the admissible region, and from tokens halfway to the centre.

    Halfway tokens are the same at every beta, so that what depends on beta alone shows, and below the beta at which the admissible
    region appears they are the only ones.

    Args:
        rng: all randomness.
        shapes: polytopes by name; beta: inverse temperatures; gamma: steps.
        tokens: tokens a group beside the vertex.
        trials: runs for each shape, beta, gamma and placement.

    Returns:
        One row a trial: shape, placement (deep, halfway), beta, gamma, trial, `met` (the hypotheses of MS-2), `t1`, `measured_t1` (the first
        step at which the clustered state holds with C = 1/(1 - gamma); missing if it did not within 20 T1), `kept` (vertex tokens within
        beta^(-1/4) of their vertices at T1), `spread` (max |x_i - v|/min |x_i - v| at the start), `needed` (smallest C at T1).
    """
    rows = []
    for shape in shapes:
        vertices = polytope(shape)
        halfway, groups = crowd(vertices, tokens + 1, 0.5)
        halfway[len(vertices) :] = 0.5 * (vertices[groups[len(vertices) :]] + vertices.mean(axis=0))
        for b, step in itertools.product(beta, gamma):
            deep = deep_tokens(vertices, tokens, b, trials, rng)
            for placement, clouds in {"deep": deep, "halfway": [halfway] * trials}.items():
                for trial, x in enumerate([] if clouds is None else clouds):
                    row = _trial(x, groups, b, step, rng)
                    rows.append({"shape": shape, "placement": placement, "beta": b, "gamma": step, "trial": trial} | row)
    return pd.DataFrame(rows)


def _trial(x: np.ndarray, groups: np.ndarray, beta: float, gamma: float, rng: np.random.Generator) -> dict[str, object]:
    setup = check_setup(x, groups, beta=beta, gamma=gamma)
    chain = chain_inputs(x, groups, beta, gamma)
    t1 = clustering_time(setup, gamma)
    measured, kept, needed = math.nan, False, math.nan
    for step in range(LATEST * t1 + 1):
        away = np.linalg.norm(x[: len(setup.vertices)] - setup.vertices, axis=1)
        near, factor = bool(away.max() <= beta**-0.25), factor_needed(x, groups, setup)
        if math.isnan(measured) and near and factor * (1 - gamma) <= 1 + 1e-12:
            measured = float(step)
        if step == t1:
            kept, needed = near, factor
        if step >= t1 and not math.isnan(measured):
            break
        x = chain.advance(x, 1, rng)
    return {
        "met": not setup.failing(CLUSTERING),
        "t1": t1,
        "measured_t1": measured,
        "kept": kept,
        "spread": setup.farthest / setup.nearest,
        "needed": needed,
    }


def clustering_success(trials: pd.DataFrame) -> pd.DataFrame:
    """Share of trials in the clustered state at T1 with Clopper-Pearson intervals (95 %), against 1 - beta^(-1/8).

    Returns:
        One row a shape, placement, beta, gamma and criterion: `C = 2` (an example of a universal constant), and `C = spread/(1 - gamma)`; with trials,
        met, successes, share, low, high, bound, and medians of t1, measured_t1, spread and needed.
    """
    rows = []
    for (shape, placement, beta, gamma), group in trials.groupby(["shape", "placement", "beta", "gamma"], sort=False):
        criteria = {"C = 2": 2.0, "C = spread/(1 - gamma)": group["spread"] / (1 - gamma) * (1 + 1e-9)}
        for criterion, factor in criteria.items():
            successes = int((group["kept"] & (group["needed"] <= factor)).sum())
            low, high = clopper_pearson(successes, len(group), 0.95)
            rows.append(
                {
                    "shape": shape, "placement": placement, "beta": beta, "gamma": gamma, "criterion": criterion, "trials": len(group),
                    "met": int(group["met"].sum()), "successes": successes, "share": successes / len(group), "low": low, "high": high,
                    "bound": 1 - beta ** (-1 / 8), "t1": group["t1"].median(), "measured_t1": group["measured_t1"].median(),
                    "measured_trials": int(group["measured_t1"].notna().sum()),
                    "spread": group["spread"].median(), "needed": group["needed"].median(),
                }
            )  # fmt: skip
    return pd.DataFrame(rows)
