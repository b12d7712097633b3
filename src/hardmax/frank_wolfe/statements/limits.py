"""FW-8: whether tokens reach their vertices, and how fast."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.exact import hardmax_step, rationals
from hardmax.falsify import Family, Inputs, Instances, Outcome, Statement, Violation, compare
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.lines import (
    IN_CELLS,
    STEP_SIZES,
    exact_cells,
    inside_cells,
    lines,
    small_cells,
    targets_of,
)
from hardmax.frank_wolfe.statements.steps import PAPER
from hardmax.frank_wolfe.trajectories import remaining, trajectories

HORIZON = 200


def _geometric(ratio: tuple[float, float], first: tuple[float, float] = (0.05, 0.95)) -> Family:
    """gamma^t = gamma^0 ratio^t."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        drawn = inside_cells(rng, trials, True, (2, 6), (1, 4))
        return drawn | {"gamma": rng.uniform(*first, size=trials), "ratio": rng.uniform(*ratio, size=trials)}

    return family


def _limit_is_reached(x: Instances) -> Outcome:
    """A lower bound of lim |x_i^t - v_sigma(i)| / |x_i^0 - v_sigma(i)|, which has to be 0.

    After T steps the rest of the way shrinks at most by 1 - sum_{s>=T} gamma^s, by Weierstrass's inequality for products. Without a
    summable schedule the bound is 0 and the distance after T steps must have fallen below (1 - gamma^0)^T.
    """
    first, ratio = x["gamma"][:, None], x["ratio"][:, None]
    gamma = first * ratio ** np.arange(HORIZON)
    run = trajectories(x["tokens"], x["B"][:, None], gamma).tokens
    targets = targets_of(x)
    start = np.linalg.norm(x["tokens"] - targets, axis=-1)
    moving = start > 1e-6 * draws.radius(x["tokens"])[:, None]
    shares = np.linalg.norm(run - targets[:, None], axis=-1) / np.where(moving, start, np.inf)[:, None]
    steps = np.arange(HORIZON + 1)
    with np.errstate(divide="ignore"):
        tail = np.where(ratio < 1, first * ratio**steps / (1 - ratio), np.inf)
    summable = shares * np.maximum(1 - tail, 0.0)[..., None]
    constant = np.where(ratio[..., None] < 1, -np.inf, shares - (1 - first[..., None]) ** steps[:, None])
    return compare(np.maximum(summable, constant), "<=", 0.0)


def _limit_is_reached_exactly(inputs: Inputs) -> Violation | None:
    sigma, gamma, ratio = exact_cells(inputs), inputs["gamma"], inputs["ratio"]
    if sigma is None or not 0 < gamma < 1 or not 0 < ratio < 1:
        return None
    start, B = rationals(inputs["tokens"]), rationals(inputs["B"])
    tokens = start
    for t in range(9):
        tail = gamma * ratio**t / (1 - ratio)
        for index, x in enumerate(tokens):
            way, rest = (exact.minus(start[sigma[index]], each) for each in (start[index], x))
            whole = exact.dot(way, way)
            if whole != 0 and tail < 1:
                return Violation(exact.fraction(exact.dot(rest, way) / whole) * (1 - tail), "<=", Fraction(0), step=t, token=index)
        tokens = hardmax_step(tokens, gamma * ratio**t, B)
    return None


@st.composite
def _small_schedules(draw: Any) -> Inputs:
    sizes = st.sampled_from([Fraction(1, q) for q in (2, 3, 4)])
    return draw(small_cells()) | {"gamma": draw(sizes), "ratio": draw(sizes)}


def _super_exponential(rng: np.random.Generator, trials: int) -> Instances:
    drawn = inside_cells(rng, trials, True, (2, 6), (1, 4))
    rate = rng.uniform(0.05, 0.5, size=(trials, 1))
    return drawn | {"gamma": -np.expm1(-rate * np.arange(1, 21))}


def _at_least_exponential(x: Instances) -> Outcome:
    """|x_i^t - v_sigma(i)| <= prod_{s<t} (1 - gamma^s) |x_i^0 - v_sigma(i)| <= (1 - min gamma)^t |x_i^0 - v_sigma(i)|."""
    run = trajectories(x["tokens"], x["B"][:, None], x["gamma"]).tokens
    targets = targets_of(x)
    distances = np.linalg.norm(run - targets[:, None], axis=-1)
    bound = remaining(x["gamma"])[..., None] * distances[:, :1]
    return compare(distances, "<=", bound, draws.radius(x["tokens"])[:, None, None])


_FW8 = Statement(
    claim="FW-8",
    paper=PAPER,
    text="In particular, for gamma^t in (0,1), x_i^t converges to v_sigma(i), at least exponentially fast.",
    hypotheses=IN_CELLS
    | {
        "gamma^t = gamma^0 ratio^t in (0,1)": lambda x: (x["gamma"] > 0) & (x["gamma"] < 1) & (x["ratio"] > 0) & (x["ratio"] <= 1),
    },
    families={
        "constant step size": _geometric((1.0, 1.0)),
        "slowly falling": _geometric((0.9, 0.999)),
        "fast falling": _geometric((0.1, 0.9)),
    },
    conclusion=_limit_is_reached,
    exact=_limit_is_reached_exactly,
    strategy=_small_schedules(),
)
FW8 = replace(
    _FW8,
    amendments=(
        _FW8.amended(
            "amendment-1",
            "If gamma^t >= c for some c > 0, |x_i^t - v_sigma(i)| <= (1 - c)^t |x_i^0 - v_sigma(i)|; with gamma^t = 1 - exp(-a(t+1)) it is "
            "exp(-a t(t+1)/2) |x_i^0 - v_sigma(i)|.",
            hypotheses=IN_CELLS | STEP_SIZES | {"gamma^t >= 0.001": lambda x: (x["gamma"] >= 0.001).all(axis=1)},
            families={
                "any step sizes": lines(60, (0.001, 0.999)),
                "small steps": lines(400, (0.001, 0.01), dims=(1, 3)),
                "step sizes near 1": lines(20, (0.99, 0.999999)),
                "gamma^t = 1 - exp(-a(t+1))": _super_exponential,
            },
            conclusion=_at_least_exponential,
            strategy=None,
        ),
    ),
)
