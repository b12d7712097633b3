"""FW-1, FW-2 and FW-4: a step as linear minimisation, nested hulls, and ties."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.definiteness import symmetric
from hardmax.exact import followed_means, followed_sets, hardmax_step, rationals
from hardmax.falsify import Family, Inputs, Instances, Outcome, Statement, Violation, compare, strategies
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.energies import minimise_by_tokens
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.trajectories import trajectories

PAPER = "2508.09628v1"


def _any_matrix(rng: np.random.Generator, trials: int, dim: int) -> np.ndarray:
    return rng.normal(size=(trials, dim, dim))


def _symmetric(rng: np.random.Generator, trials: int, dim: int) -> np.ndarray:
    matrices = rng.normal(size=(trials, dim, dim))
    return matrices + matrices.swapaxes(-1, -2)


def _is_linear_minimisation(x: Instances) -> Outcome:
    """<grad J_*(x_i), m_i> = min_y <grad J_*(x_i), y> where m_i is what (SA_inf) with B = -B_* moves x_i towards."""
    tokens, B = x["tokens"], x["B"]
    run = trajectories(tokens, -B[:, None], np.ones((len(tokens), 1)))
    gradient = np.einsum("tde,tne->tnd", (B + B.swapaxes(-1, -2)) / 2, tokens)
    left = np.einsum("tnd,tnd->tn", gradient, run.tokens[:, 1])
    right = minimise_by_tokens(gradient, tokens[:, None])
    scale = np.abs(B).max(axis=(-1, -2)) * draws.radius(tokens) ** 2
    return compare(left[:, None], "==", right[:, None], scale[:, None, None], tie=run.tied[:, 0], first_step=-1)


def _is_linear_minimisation_exactly(inputs: Inputs) -> Violation | None:
    tokens, B = rationals(inputs["tokens"]), rationals(inputs["B"])
    negative = [[-entry for entry in row] for row in B]
    sets = followed_sets(tokens, negative)
    for index, (x, mean) in enumerate(zip(tokens, followed_means(tokens, sets), strict=True)):
        columns = list(zip(*B, strict=True))
        gradient = [(a + b) / 2 for a, b in zip(exact.apply(B, x), exact.apply(columns, x), strict=True)]
        left, right = exact.dot(gradient, mean), min(exact.dot(gradient, y) for y in tokens)
        if left != right:
            tie = any(tokens[j] != tokens[sets[index][0]] for j in sets[index])
            return Violation(exact.fraction(left), "==", exact.fraction(right), token=index, tie=tie)
    return None


_PLANE_AND_MATRIX = st.fixed_dictionaries(
    {
        "tokens": strategies.clouds(1, 3, dims=(2, 2), size=3),
        "B": strategies.vectors(2, 2, strategies.whole(-2, 2)),
    }
)

_FW1 = Statement(
    claim="FW-1",
    paper=PAPER,
    text="With B = -B_*, (SA_inf) is the Frank-Wolfe step for J_*(x) = <B_* x, x>/2 over the hull: every token moves towards a minimiser of J_* "
    "linearised at it, which a token attains.",
    families={
        "any matrix": draws.with_matrix(draws.clouds, _any_matrix),
        "symmetric matrix": draws.with_matrix(draws.clouds, _symmetric),
        "definite matrix": draws.with_matrix(draws.clouds, draws.definite),
        "grid, ties": draws.with_matrix(draws.grids, _symmetric, tokens=(1, 6)),
        "many tokens": draws.with_matrix(draws.clouds, _symmetric, tokens=(40, 60), dims=(8, 10)),
    },
    conclusion=_is_linear_minimisation,
    exact=_is_linear_minimisation_exactly,
    strategy=_PLANE_AND_MATRIX,
)
FW1 = replace(
    _FW1,
    amendments=(
        _FW1.amended(
            "amendment-1",
            "The same for symmetric B_*, for which the gradient of J_* is B_* x.",
            hypotheses={"B_* symmetric": lambda x: draws.is_symmetric(x["B"])},
            exact=lambda inputs: _is_linear_minimisation_exactly(inputs) if symmetric(inputs["B"]) else None,
        ),
    ),
)


def _runs(draw: Any, steps: int, gamma: tuple[float, float] = (0.01, 0.99), **shape: Any) -> Family:
    """Clouds with a matrix and a step size of their own at every step."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        count, dim = draws.shape(rng, **shape)
        return {
            "tokens": draw(rng, trials, count, dim),
            "B": rng.normal(size=(trials, steps, dim, dim)) * np.exp(rng.normal(size=(trials, steps, 1, 1))),
            "gamma": rng.uniform(*gamma, size=(trials, steps)),
        }

    return family


def _nested(x: Instances) -> Outcome:
    """No direction sees a token of K^{t+1} beyond K^t: the directions from the centroid to each token, and the axes."""
    run = trajectories(x["tokens"], x["B"], x["gamma"]).tokens
    before, after = run[:, :-1], run[:, 1:]
    dim = run.shape[-1]
    axes = np.broadcast_to(np.concatenate([np.eye(dim), -np.eye(dim)]), (*before.shape[:2], 2 * dim, dim))
    directions = np.concatenate([after - before.mean(axis=2, keepdims=True), axes], axis=2)
    lengths = np.linalg.norm(directions, axis=-1, keepdims=True)
    directions = directions / np.where(lengths == 0.0, 1.0, lengths)
    left, right = (np.einsum("tsud,tsnd->tsun", directions, each).max(axis=-1) for each in (after, before))
    worst = (left - right).argmax(axis=-1)[..., None]
    left, right = (np.take_along_axis(each, worst, axis=-1)[..., 0] for each in (left, right))
    return compare(left, "<=", right, draws.radius(x["tokens"])[:, None])


def _nested_exactly(inputs: Inputs) -> Violation | None:
    tokens = rationals(inputs["tokens"])
    for t, gamma in enumerate(inputs["gamma"]):
        if not 0 < gamma < 1:
            return None
        after = hardmax_step(tokens, gamma, rationals(inputs["B"][min(t, len(inputs["B"]) - 1)]))
        for index, x in enumerate(after):
            outside = exact.outside(tokens, x)
            if outside > 0:
                return Violation(exact.fraction(outside), "<=", exact.fraction(0 * outside), step=t, token=index)
        tokens = after
    return None


@st.composite
def _short_runs(draw: Any) -> Inputs:
    tokens = draw(strategies.clouds(1, 4, dims=(1, 2), size=3))
    dim, steps = len(tokens[0]), draw(st.integers(1, 3))
    return {
        "tokens": tokens,
        "B": [draw(strategies.vectors(dim, dim, strategies.whole(-2, 2))) for _ in range(steps)],
        "gamma": [draw(st.sampled_from([Fraction(p, q) for q in (2, 3, 4) for p in range(1, q)])) for _ in range(steps)],
    }


FW2 = Statement(
    claim="FW-2",
    paper=PAPER,
    text="With V a multiple of the identity the hulls are nested, K^{t+1} in K^t; with a general positive diagonal V this can fail.",
    hypotheses={"gamma^t in (0,1)": lambda x: ((x["gamma"] > 0) & (x["gamma"] < 1)).all(axis=1)},
    families={
        "generic": _runs(draws.clouds, 20),
        "one or two tokens": _runs(draws.clouds, 20, tokens=(1, 2)),
        "grid, ties": _runs(draws.grids, 20, tokens=(2, 6), dims=(1, 3)),
        "flat": _runs(draws.flat, 20, dims=(2, 5)),
        "long": _runs(draws.clouds, 200, gamma=(0.001, 0.05), tokens=(2, 6), dims=(2, 3)),
        "step sizes near 1": _runs(draws.clouds, 20, gamma=(0.99, 0.999999)),
    },
    conclusion=_nested,
    exact=_nested_exactly,
    strategy=_short_runs(),
)


def _halves(rng: np.random.Generator, trials: int) -> Instances:
    """Step size 1/2, at which two tokens that follow each other merge."""
    drawn = _runs(draws.clouds, 20)(rng, trials)
    return drawn | {"gamma": np.full_like(drawn["gamma"], 0.5), "B": -np.abs(drawn["B"][:, :, :1, :1]) * np.eye(drawn["tokens"].shape[-1])}


def _nearly_singular(rng: np.random.Generator, trials: int) -> Instances:
    drawn = _runs(draws.clouds, 20)(rng, trials)
    return drawn | {"B": drawn["B"] * np.array([1e-6] + [1.0] * (drawn["B"].shape[-1] - 1))}


def _one_maximiser(x: Instances) -> Outcome:
    """The least angle between a query and the directions in which it ties, over tokens that do not coincide within 1e-9."""
    run = trajectories(x["tokens"], x["B"], x["gamma"])
    tokens = run.tokens[:, :-1]
    queries = np.einsum("tsde,tsne->tsnd", x["B"], tokens)
    followed = np.take_along_axis(tokens, run.followed[..., None], axis=2)
    offsets = followed[:, :, :, None, :] - tokens[:, :, None, :, :]
    lengths = np.linalg.norm(offsets, axis=-1)
    apart = lengths > 1e-9 * draws.radius(x["tokens"])[:, None, None, None]
    sizes = np.linalg.norm(queries, axis=-1)[..., None] * lengths
    sines = np.einsum("tsnd,tsnmd->tsnm", queries, offsets) / np.where(apart & (sizes > 0), sizes, 1.0)
    left = np.where(apart, sines, np.inf).min(axis=-1)
    return compare(left, ">=", TIED, TIED, tie=True)


TIED = 1e-14
"""Sine of the angle below which a tie is called one: random trials come within it about never."""

FW4 = Statement(
    claim="FW-4",
    paper=PAPER,
    text="If every B^t is invertible, for almost every initial cloud every token follows one token (coinciding ones count as one) at every step.",
    hypotheses={
        "B^t invertible": lambda x: (np.linalg.svd(x["B"], compute_uv=False)[..., -1] > 0).all(axis=1),
        "gamma^t in (0,1)": lambda x: ((x["gamma"] > 0) & (x["gamma"] < 1)).all(axis=1),
    },
    families={
        "generic": _runs(draws.clouds, 20),
        "on the line": _runs(draws.clouds, 40, dims=(1, 1)),
        "many tokens": _runs(draws.clouds, 10, tokens=(20, 30), dims=(2, 6)),
        "step size 1/2, tokens merge": _halves,
        "long": _runs(draws.clouds, 200, gamma=(0.2, 0.8), tokens=(2, 5), dims=(1, 3)),
        "nearly singular": _nearly_singular,
    },
    conclusion=_one_maximiser,
)
