"""FW-7, FW-8 and FW-12: straight lines inside cells, their rates, and the flow."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.exact import hardmax_step, rationals
from hardmax.falsify import Family, Inputs, Instances, Outcome, Statement, Violation, compare, strategies
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.steps import PAPER
from hardmax.frank_wolfe.trajectories import remaining, straight_lines, trajectories
from hardmax.geometry.cells import ownership

CLEAR = 1e-7
"""Advantage, in units of the largest energy, that counts as off the faces between cells."""


def inside_cells(rng: np.random.Generator, trials: int, equal: bool, tokens: tuple[int, int], dims: tuple[int, int]) -> Instances:
    """Vertices and points of their hull given by convex weights; vertices of one B-norm own their cells, others may not.

    Tokens are the vertices first, then `weights` times the vertices.
    """
    count, dim = draws.shape(rng, tokens, dims)
    B = draws.definite(rng, trials, dim)
    vertices = rng.normal(size=(trials, count, dim))
    if equal:
        vertices /= np.sqrt(np.einsum("tnd,tde,tne->tn", vertices, B, vertices))[..., None]
    weights = rng.dirichlet(np.full(count, rng.choice([0.3, 1.0])), size=(trials, int(rng.integers(1, 9))))
    return {"tokens": np.concatenate([vertices, weights @ vertices], axis=1), "weights": weights, "B": B}


def _lines(
    steps: int, gamma: tuple[float, float], equal: bool = True, tokens: tuple[int, int] = (2, 8), dims: tuple[int, int] = (1, 5)
) -> Family:
    def family(rng: np.random.Generator, trials: int) -> Instances:
        return inside_cells(rng, trials, equal, tokens, dims) | {"gamma": rng.uniform(*gamma, size=(trials, steps))}

    return family


def _vertices(x: Instances) -> np.ndarray:
    return x["tokens"][:, : x["weights"].shape[-1]]


def _advantages(x: Instances) -> np.ndarray:
    """Least advantage of the best vertex over the next for every token, in units of the largest energy; infinite for a single vertex."""
    vertices = _vertices(x)
    scores = np.sort(np.einsum("tnd,tde,tve->tnv", x["tokens"], x["B"], vertices), axis=-1)
    if vertices.shape[1] == 1:
        return np.full(scores.shape[:2], np.inf)
    unit = np.einsum("tvd,tde,tve->tv", vertices, x["B"], vertices).max(axis=1, keepdims=True)
    return (scores[..., -1] - scores[..., -2]) / np.where(unit == 0, 1, unit)


def _targets(x: Instances) -> np.ndarray:
    """v_sigma(i): the vertex whose cell each token starts in."""
    vertices = _vertices(x)
    sigma = np.einsum("tnd,tde,tve->tnv", x["tokens"], x["B"], vertices).argmax(axis=-1)
    return np.take_along_axis(vertices, sigma[..., None], axis=1)


IN_CELLS = {
    "B > 0": lambda x: draws.is_definite(x["B"]),
    "tokens in the hull of the vertices": lambda x: (
        (x["weights"] >= 0).all(axis=(1, 2))
        & (np.abs(x["weights"].sum(axis=2) - 1) <= 1e-12).all(axis=1)
        & (np.abs(x["weights"] @ _vertices(x) - x["tokens"][:, x["weights"].shape[-1] :]).max(axis=(1, 2), initial=0.0) <= 1e-12)
    ),
    "every vertex in its own cell and no other": lambda x: (
        ownership(_vertices(x), x["B"])
        > CLEAR * np.einsum("tvd,tde,tve->tv", _vertices(x), x["B"], _vertices(x)).max(axis=1, keepdims=True)
    ).all(axis=1),
    "no token on a face between cells": lambda x: (_advantages(x) > CLEAR).all(axis=1),
}
_STEP_SIZES = {"gamma^t in (0,1)": lambda x: ((x["gamma"] > 0) & (x["gamma"] < 1)).all(axis=1)}


def _exact_cells(inputs: Inputs) -> list[int] | None:
    """The vertex each token starts towards, or None where the hypotheses of FW-7 fail."""
    tokens, B = inputs["tokens"], inputs["B"]
    count = len(tokens) - len(inputs["weights"])
    vertices = tokens[:count]
    for weights, token in zip(inputs["weights"], tokens[count:], strict=True):
        if sum(weights) != 1 or min(weights) < 0 or [exact.dot(weights, column) for column in zip(*vertices, strict=True)] != token:
            return None
    if not exact.positive_definite(B):
        return None
    sigma = []
    for index, x in enumerate(tokens):
        query = exact.apply(B, x)
        scores = [exact.dot(query, v) for v in vertices]
        best = [k for k, score in enumerate(scores) if score == max(scores)]
        if len(best) > 1 or (index < count and best != [index]):
            return None
        sigma.append(best[0])
    return sigma


def _is_straight(x: Instances) -> Outcome:
    """Distance from P_t x_i^0 + (1 - P_t) v_sigma(i), at every step."""
    run = trajectories(x["tokens"], x["B"][:, None], x["gamma"]).tokens
    lines = straight_lines(x["tokens"], _targets(x), remaining(x["gamma"]))
    return compare(np.abs(run - lines).max(axis=-1), "<=", 0.0, draws.radius(x["tokens"])[:, None, None])


def _is_straight_exactly(inputs: Inputs) -> Violation | None:
    sigma = _exact_cells(inputs)
    if sigma is None or not all(0 < gamma < 1 for gamma in inputs["gamma"]):
        return None
    start, B = rationals(inputs["tokens"]), rationals(inputs["B"])
    tokens, left = start, Fraction(1)
    for t, gamma in enumerate(inputs["gamma"]):
        tokens, left = hardmax_step(tokens, gamma, B), left * (1 - gamma)
        for index, x in enumerate(tokens):
            share = rationals([[left]])[0][0]
            line = [share * a + (1 - share) * b for a, b in zip(start[index], start[sigma[index]], strict=True)]
            off = max(abs(a - b) for a, b in zip(x, line, strict=True))
            if off != 0:
                return Violation(exact.fraction(off), "<=", Fraction(0), step=t + 1, token=index)
    return None


@st.composite
def _small_cells(draw: Any) -> Inputs:
    vertices = draw(strategies.clouds(2, 4, dims=(1, 2), size=3))
    raw = draw(st.lists(strategies.whole(0, 3), min_size=len(vertices), max_size=len(vertices)).filter(any))
    weights = [w / sum(raw) for w in raw]
    inside = [exact.dot(weights, column) for column in zip(*vertices, strict=True)]
    return {"tokens": [*vertices, inside], "weights": [weights], "B": draw(strategies.definite(len(inside)))}


@st.composite
def _small_lines(draw: Any) -> Inputs:
    sizes = st.sampled_from([Fraction(p, q) for q in (2, 3, 4) for p in range(1, q)])
    return draw(_small_cells()) | {"gamma": draw(st.lists(sizes, min_size=1, max_size=4))}


FW7 = Statement(
    claim="FW-7",
    paper=PAPER,
    text="With B^t = B > 0, every vertex in its own cell and no other, and no token on a face between cells, "
    "x_i^t = P_t x_i^0 + (1 - P_t) v_sigma(i) with P_t = prod_{s<t} (1 - gamma^s): straight lines, cells never change.",
    hypotheses=IN_CELLS | _STEP_SIZES,
    families={
        "equal norms": _lines(40, (0.01, 0.99)),
        "any vertices": _lines(40, (0.01, 0.99), equal=False, tokens=(2, 4)),
        "on the line": _lines(40, (0.01, 0.99), equal=False, tokens=(2, 2), dims=(1, 1)),
        "many vertices": _lines(20, (0.01, 0.99), tokens=(20, 30), dims=(3, 8)),
        "long, small steps": _lines(400, (0.001, 0.02), dims=(1, 3)),
        "step sizes near 1": _lines(20, (0.99, 0.999999)),
    },
    conclusion=_is_straight,
    exact=_is_straight_exactly,
    strategy=_small_lines(),
)

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
    targets = _targets(x)
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
    sigma, gamma, ratio = _exact_cells(inputs), inputs["gamma"], inputs["ratio"]
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
    return draw(_small_cells()) | {"gamma": draw(sizes), "ratio": draw(sizes)}


def _super_exponential(rng: np.random.Generator, trials: int) -> Instances:
    drawn = inside_cells(rng, trials, True, (2, 6), (1, 4))
    rate = rng.uniform(0.05, 0.5, size=(trials, 1))
    return drawn | {"gamma": -np.expm1(-rate * np.arange(1, 21))}


def _at_least_exponential(x: Instances) -> Outcome:
    """|x_i^t - v_sigma(i)| <= prod_{s<t} (1 - gamma^s) |x_i^0 - v_sigma(i)| <= (1 - min gamma)^t |x_i^0 - v_sigma(i)|."""
    run = trajectories(x["tokens"], x["B"][:, None], x["gamma"]).tokens
    targets = _targets(x)
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
            hypotheses=IN_CELLS | _STEP_SIZES | {"gamma^t >= 0.001": lambda x: (x["gamma"] >= 0.001).all(axis=1)},
            families={
                "any step sizes": _lines(60, (0.001, 0.999)),
                "small steps": _lines(400, (0.001, 0.01), dims=(1, 3)),
                "step sizes near 1": _lines(20, (0.99, 0.999999)),
                "gamma^t = 1 - exp(-a(t+1))": _super_exponential,
            },
            conclusion=_at_least_exponential,
            strategy=None,
        ),
    ),
)

STEPS_OF_FLOW = (0.1, 0.01)
TIME = 3.0
SHIFT = 1e-6


def _flow_limit(x: Instances) -> Outcome:
    """Three errors in units of what bounds them: of (SA_inf) at step h against h diam, of the closed form's velocity against rounding, and
    of the flow from shifted data against the shift."""
    unit = 2 * draws.radius(x["tokens"])[:, None, None]
    targets = _targets(x)
    worst = []
    for h in STEPS_OF_FLOW:
        steps = round(TIME / h)
        gamma = np.full((len(unit), steps), h / (1 + h))
        shares = np.broadcast_to(np.exp(-h * np.arange(steps + 1)), (len(unit), steps + 1))
        lines = straight_lines(x["tokens"], targets, shares)
        run = trajectories(x["tokens"], x["B"][:, None], gamma).tokens
        worst.append((np.abs(run - lines).max(axis=-1) / (h * unit)).max(axis=(1, 2)))
        if h == STEPS_OF_FLOW[0]:
            shift = SHIFT * unit * np.where(np.arange(run.shape[-1]) % 2, -1.0, 1.0)
            moved = trajectories(x["tokens"] + shift, x["B"][:, None], gamma).tokens
            worst.append((np.abs(moved - run).max(axis=-1) / (SHIFT * unit * (1 + 1e-6))).max(axis=(1, 2)))
            pieces = {name: np.repeat(x[name], steps + 1, axis=0) for name in ("B", "weights")}
            velocity = _targets(pieces | {"tokens": lines.reshape(-1, *lines.shape[2:])}).reshape(lines.shape) - lines
            expected = shares[..., None, None] * (targets - x["tokens"])[:, None]
            worst.append((np.abs(velocity - expected).max(axis=-1) / (1e-12 * unit)).max(axis=(1, 2)))
    return compare(np.max(worst, axis=0), "<=", 1.0)


FW12 = Statement(
    claim="FW-12",
    paper=PAPER,
    text="Under FW-7's conditions x_i' = argmax - x_i has the one solution e^{-t} x_i^0 + (1 - e^{-t}) v_sigma(i), continuous in the data; it is "
    "the limit h -> 0 of (SA_inf).",
    hypotheses=IN_CELLS
    | {
        "shifted data in the same cells": lambda x: (
            (_advantages(x) > 100 * SHIFT * np.sqrt(np.linalg.cond(x["B"]))[:, None]).all(axis=1)
            & (ownership(_vertices(x), x["B"]) > 0).all(axis=1)
        )
    },
    families={
        "equal norms": lambda rng, trials: inside_cells(rng, trials, True, (2, 6), (1, 4)),
        "any vertices": lambda rng, trials: inside_cells(rng, trials, False, (2, 3), (1, 4)),
        "many vertices": lambda rng, trials: inside_cells(rng, trials, True, (12, 20), (3, 6)),
    },
    conclusion=_flow_limit,
    strategy=_small_cells(),
    chunk=50,
)
