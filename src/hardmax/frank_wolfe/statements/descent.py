"""FW-3 and FW-13: descent of the energy with decreasing matrices, and the Frank-Wolfe gap of the attractive case."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.exact import hardmax_step, rationals
from hardmax.falsify import Family, Inputs, Instances, Outcome, Statement, Violation, batch_of_one, compare, strategies
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.energies import frank_wolfe_gap
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.steps import PAPER
from hardmax.frank_wolfe.trajectories import trajectories

STEPS = 200
"""Horizon of FW-3's trials."""


def around_origin(rng: np.random.Generator, trials: int, count: int, dim: int, evenness: float) -> Instances:
    """Clouds whose hull holds the origin, with the convex weights that show it; small `evenness` puts it near the boundary."""
    weights = rng.dirichlet(np.full(count, evenness), size=trials)
    tokens = draws.clouds(rng, trials, count, dim)
    return {"tokens": tokens - np.einsum("tn,tnd->td", weights, tokens)[:, None], "weights": weights}


def _mirrored(rng: np.random.Generator, trials: int, count: int, dim: int) -> Instances:
    half = draws.clouds(rng, trials, (count + 1) // 2, dim)
    tokens = np.concatenate([half, -half], axis=1)
    return {"tokens": tokens, "weights": np.full(tokens.shape[:2], 1.0 / tokens.shape[1])}


def _grid(rng: np.random.Generator, trials: int, count: int, dim: int) -> Instances:
    tokens = draws.grids(rng, trials, count, dim)
    tokens[:, -1] = -tokens[:, :-1].sum(axis=1)
    return {"tokens": tokens, "weights": np.full(tokens.shape[:2], 1.0 / count)}


def _decreasing(rng: np.random.Generator, trials: int, dim: int) -> Instances:
    """B_*^t = last + decay^t (first - last): falling at once, geometrically, slowly or not at all, to any rank."""
    last = draws.semidefinite(rng, trials, dim)
    first = last + draws.semidefinite(rng, trials, dim)
    return {"B": np.stack([first, last], axis=1), "decay": rng.choice([0.0, 0.3, 0.9, 0.99, 1.0], size=trials)}


def _constant(rng: np.random.Generator, trials: int, dim: int) -> Instances:
    matrix = draws.definite(rng, trials, dim)
    return {"B": np.stack([matrix, matrix], axis=1), "decay": np.ones(trials)}


def _family(cloud: Callable[..., Instances], matrices: Any, tokens: tuple[int, int] = (2, 12), dims: tuple[int, int] = (1, 4)) -> Family:
    def family(rng: np.random.Generator, trials: int) -> Instances:
        count, dim = draws.shape(rng, tokens, dims)
        return cloud(rng, trials, count, dim) | matrices(rng, trials, dim)

    return family


def even(rng: np.random.Generator, trials: int, count: int, dim: int) -> Instances:
    """The origin well inside."""
    return around_origin(rng, trials, count, dim, 3.0)


def uneven(rng: np.random.Generator, trials: int, count: int, dim: int) -> Instances:
    """The origin near the boundary: asymmetric clouds."""
    return around_origin(rng, trials, count, dim, 0.3)


def _origin_inside(x: Instances) -> np.ndarray:
    """The weights are convex and their mean of the tokens is the origin."""
    weights = x["weights"]
    centre = np.abs(np.einsum("tn,tnd->td", weights, x["tokens"])).max(axis=-1)
    return (weights >= 0).all(axis=1) & (np.abs(weights.sum(axis=1) - 1) <= 1e-12) & (centre <= 1e-12 * draws.radius(x["tokens"]))


def _falls(x: Instances) -> np.ndarray:
    """B_*[0] - B_*[1] >= 0 up to the rounding of the difference, and shares that fall from 1."""
    first, last = x["B"][:, 0], x["B"][:, 1]
    least = np.linalg.eigvalsh(first - last)[:, 0]
    return (least >= -1e-12 * np.abs(first).max(axis=(-1, -2))) & (x["decay"] >= 0) & (x["decay"] <= 1)


def _descent(while_inside: bool, above_least: bool) -> Callable[[Instances], Outcome]:
    def conclusion(x: Instances) -> Outcome:
        from hardmax.frank_wolfe.descent import descents

        largest = np.linalg.eigvalsh(x["B"][:, 0])[:, -1]
        tokens, B, decay = (np.ascontiguousarray(x[name]) for name in ("tokens", "B", "decay"))
        left, right, margin, step, token, tie = descents(tokens, B, decay, largest, STEPS, while_inside, above_least)
        return Outcome(left, "<=", right, margin, step, token, tie)

    return conclusion


AS_WRITTEN_DESCENT = _descent(False, False)


def _descent_exactly(inputs: Inputs) -> Violation | None:
    """Floats find candidates, rationals check the hypotheses and the energies; lambda_max is replaced by a rational at least as large."""
    if not AS_WRITTEN_DESCENT(batch_of_one(inputs)).margin[0] > 0:
        return None
    first, last = inputs["B"]
    rise = [exact.minus(u, v) for u, v in zip(first, last, strict=True)]
    weights, decay = inputs["weights"], inputs["decay"]
    inside = all(w >= 0 for w in weights) and sum(weights) == 1
    inside = inside and all(exact.dot(weights, column) == 0 for column in zip(*inputs["tokens"], strict=True))
    if not (inside and exact.positive_semidefinite(last) and exact.positive_semidefinite(rise) and 0 <= decay <= 1):
        return None
    bound = 2 * exact.largest_eigenvalue_bound(first) * exact.diameter_squared(inputs["tokens"])
    tokens, share, tie = rationals(inputs["tokens"]), Fraction(1), False
    for t in range(STEPS):
        matrix = [[b + share * r for b, r in zip(u, v, strict=True)] for u, v in zip(last, rise, strict=True)]
        positive = rationals(matrix)
        negative = [[-entry for entry in row] for row in positive]
        tie = tie or exact.has_tie(tokens, negative)
        tokens = hardmax_step(tokens, Fraction(2, t + 2), negative)
        share *= decay
        for index, x in enumerate(tokens):
            energy = exact.fraction(exact.energy(positive, x))
            if energy > bound / (t + 1):
                return Violation(energy, "<=", bound / (t + 1), step=t, token=index, tie=tie)
    return None


@st.composite
def _descents(draw: Any) -> Inputs:
    """Small clouds; the last token puts the weighted mean at the origin."""
    free = draw(strategies.clouds(1, 3, dims=(1, 2), size=9))
    dim = len(free[0])
    raw = [*draw(st.lists(strategies.whole(1, 9), min_size=len(free), max_size=len(free))), Fraction(1)]
    last = [-sum((w * x for w, x in zip(raw, column, strict=False)), Fraction(0)) for column in zip(*free, strict=True)]
    B = draw(strategies.diagonal(dim, 1, 3))
    falls = draw(st.booleans())
    return {
        "tokens": [*free, last],
        "weights": [w / sum(raw) for w in raw],
        "B": [B, [[entry / 2 for entry in row] for row in B] if falls else B],
        "decay": Fraction(1, 2) if falls else Fraction(1),
    }


_DECREASING = {
    "0 in K^0": _origin_inside,
    "B_*^t >= 0": lambda x: draws.is_definite(x["B"][:, 1], semi=True),
    "B_*^t - B_*^{t+1} >= 0": _falls,
}
_FW3 = Statement(
    claim="FW-3",
    paper=PAPER,
    text="If B_*^t >= 0 decreases, gamma^t = 2/(t+2) and 0 in K^0, then J_*^t(x_i^{t+1}) <= 2/(t+1) lambda_max(B_*^0) diam(K^0)^2 "
    "for every token and t: all tokens cluster at the origin.",
    hypotheses=_DECREASING,
    families={
        "origin well inside": _family(even, _decreasing),
        "origin near the boundary": _family(uneven, _decreasing),
        "constant matrix": _family(uneven, _constant),
        "two or three tokens": _family(uneven, _decreasing, tokens=(2, 3), dims=(1, 2)),
        "mirrored": _family(_mirrored, _decreasing),
        "grid, ties": _family(_grid, _decreasing, tokens=(2, 6), dims=(1, 3)),
    },
    conclusion=AS_WRITTEN_DESCENT,
    exact=_descent_exactly,
    strategy=_descents(),
)
FW3 = replace(
    _FW3,
    amendments=(
        _FW3.amended(
            "amendment-1",
            "The bound holds at t if 0 in K^s for all s <= t. Tokens then cluster at the origin where also B_*^t >= c I for some c > 0.",
            conclusion=_descent(True, False),
        ),
        _FW3.amended(
            "amendment-2",
            "For constant B_* > 0 the bound holds for the energy above its least value on K^{t+1}: all tokens cluster at the B_*-norm "
            "projection of the origin onto the intersection of the hulls.",
            hypotheses=_DECREASING
            | {
                "B_* constant": lambda x: (x["B"][:, 0] == x["B"][:, 1]).all(axis=(1, 2)),
                "B_* > 0": lambda x: draws.is_definite(x["B"][:, 1]),
            },
            families={
                "origin well inside": _family(even, _constant),
                "origin near the boundary": _family(uneven, _constant),
                "two or three tokens": _family(uneven, _constant, tokens=(2, 3), dims=(1, 2)),
                "grid, ties": _family(_grid, _constant, tokens=(2, 6), dims=(1, 3)),
            },
            conclusion=_descent(False, True),
        ),
    ),
)


def _scaled(steps: int, cloud: Any = draws.clouds, gamma: tuple[float, float] = (0.01, 0.99), **shape: Any) -> Family:
    """B^t = beta^t B with beta^t a multiple of gamma^t."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        count, dim = draws.shape(rng, **shape)
        step_sizes = rng.uniform(*gamma, size=(trials, steps))
        return {
            "tokens": cloud(rng, trials, count, dim),
            "B": draws.semidefinite(rng, trials, dim),
            "gamma": step_sizes,
            "beta": step_sizes * np.exp(rng.normal(size=(trials, 1))),
        }

    return family


def _gap_bound(x: Instances) -> Outcome:
    """min over s in [1,t] of the gap against (J^1(x_i^1)/gamma^1 - min_{K^t} J^t/gamma^t)/t; J^t is concave, least at a token."""
    run = trajectories(x["tokens"], x["beta"][..., None, None] * x["B"][:, None], x["gamma"])
    tokens = run.tokens[:, :-1]
    products = np.einsum("tde,tsne->tsnd", x["B"], tokens)
    beta, gamma = x["beta"][..., None], x["gamma"][..., None]
    gaps = frank_wolfe_gap(-beta[..., None] * products, tokens)
    energies = -beta * np.einsum("tsnd,tsnd->tsn", products, tokens) / 2
    scaled = energies / gamma
    right = (scaled[:, :1] - scaled.min(axis=-1, keepdims=True)) / np.arange(1, gaps.shape[1] + 1)[:, None]
    scale = np.abs(scaled).max(axis=(1, 2))
    left = np.minimum.accumulate(gaps, axis=1)
    tie = np.logical_or.accumulate(run.tied, axis=1)[..., None]
    return compare(left, "<=", right, np.where(scale == 0, 1, scale)[:, None, None], tie=tie, first_step=1)


def _gap_bound_exactly(inputs: Inputs) -> Violation | None:
    tokens, B = rationals(inputs["tokens"]), rationals(inputs["B"])
    gammas, betas = inputs["gamma"], inputs["beta"]
    proportional = all(a * d == b * c for a, b, c, d in zip(betas, betas[1:], gammas, gammas[1:], strict=False))
    if not (proportional and all(0 < g < 1 for g in gammas) and all(b > 0 for b in betas) and exact.positive_semidefinite(inputs["B"])):
        return None
    tie = False
    least: list[Fraction | None] = [None] * len(tokens)
    first = [-betas[0] * exact.fraction(exact.energy(B, x)) / gammas[0] for x in tokens]
    for t, (gamma, beta) in enumerate(zip(gammas, betas, strict=True), start=1):
        energies = [-beta * exact.fraction(exact.energy(B, x)) / gamma for x in tokens]
        for index, x in enumerate(tokens):
            query = exact.apply(B, x)
            gap = beta * exact.fraction(max(exact.dot(query, y) for y in tokens) - exact.dot(query, x))
            so_far = least[index]
            least[index] = smallest = gap if so_far is None else min(so_far, gap)
            right = (first[index] - min(energies)) / t
            if smallest > right:
                return Violation(smallest, "<=", right, step=t, token=index, tie=tie)
        tie = tie or exact.has_tie(tokens, B)
        tokens = hardmax_step(tokens, gamma, B)
    return None


@st.composite
def _scaled_runs(draw: Any) -> Inputs:
    tokens = draw(strategies.clouds(1, 4, dims=(1, 2), size=3))
    gammas = [draw(st.sampled_from([Fraction(p, q) for q in (2, 3, 4) for p in range(1, q)])) for _ in range(draw(st.integers(1, 4)))]
    factor = draw(strategies.whole(1, 4))
    return {
        "tokens": tokens,
        "B": draw(strategies.diagonal(len(tokens[0]), 0, 3)),
        "gamma": gammas,
        "beta": [factor * gamma for gamma in gammas],
    }


FW13 = Statement(
    claim="FW-13",
    paper=PAPER,
    text="If B^t = beta^t B, B >= 0, beta^t/beta^{t+1} = gamma^t/gamma^{t+1}: the least Frank-Wolfe gap of x_i over steps 1 to t is at most "
    "(J^1(x_i^1)/gamma^1 - inf_{K^t} J^t/gamma^t)/t.",
    hypotheses={
        "B >= 0": lambda x: draws.is_definite(x["B"], semi=True),
        "gamma^t in (0,1)": lambda x: ((x["gamma"] > 0) & (x["gamma"] < 1)).all(axis=1),
        "beta^t > 0, an inverse temperature": lambda x: (x["beta"] > 0).all(axis=1),
        "beta^t/beta^{t+1} = gamma^t/gamma^{t+1}": lambda x: (
            np.abs(np.diff(np.log(x["beta"]), axis=1) - np.diff(np.log(x["gamma"]), axis=1)) <= 1e-12
        ).all(axis=1),
    },
    families={
        "generic": _scaled(50),
        "one to three tokens": _scaled(50, tokens=(1, 3), dims=(1, 2)),
        "grid, ties": _scaled(30, cloud=draws.grids, tokens=(2, 6), dims=(1, 3)),
        "long, small steps": _scaled(300, gamma=(0.001, 0.02), tokens=(2, 6), dims=(1, 3)),
        "step sizes near 1": _scaled(30, gamma=(0.99, 0.999999)),
        "step sizes of all sizes": _scaled(50, gamma=(1e-6, 0.999999)),
        "many tokens": _scaled(10, tokens=(20, 30), dims=(4, 8)),
    },
    conclusion=_gap_bound,
    exact=_gap_bound_exactly,
    strategy=_scaled_runs(),
)
