"""FW-3: descent of the energy with decreasing matrices."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.definiteness import positive_semidefinite
from hardmax.exact import hardmax_step, rationals
from hardmax.falsify import Family, Inputs, Instances, Outcome, Statement, Violation, batch_of_one, strategies
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.steps import PAPER

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
    if not (inside and positive_semidefinite(last) and positive_semidefinite(rise) and 0 <= decay <= 1):
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
