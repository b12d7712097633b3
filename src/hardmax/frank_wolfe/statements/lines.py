"""FW-7: straight lines inside cells."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.definiteness import positive_definite
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


def lines(
    steps: int, gamma: tuple[float, float], equal: bool = True, tokens: tuple[int, int] = (2, 8), dims: tuple[int, int] = (1, 5)
) -> Family:
    """Tokens inside cells with a step size of their own at every step, uniform in a range."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        return inside_cells(rng, trials, equal, tokens, dims) | {"gamma": rng.uniform(*gamma, size=(trials, steps))}

    return family


def vertices_of(x: Instances) -> np.ndarray:
    """The vertices, which come first among the tokens; shape (trials, vertices, dim)."""
    return x["tokens"][:, : x["weights"].shape[-1]]


def advantages(x: Instances) -> np.ndarray:
    """Least advantage of the best vertex over the next for every token, in units of the largest energy; infinite for a single vertex."""
    vertices = vertices_of(x)
    scores = np.sort(np.einsum("tnd,tde,tve->tnv", x["tokens"], x["B"], vertices), axis=-1)
    if vertices.shape[1] == 1:
        return np.full(scores.shape[:2], np.inf)
    unit = np.einsum("tvd,tde,tve->tv", vertices, x["B"], vertices).max(axis=1, keepdims=True)
    return (scores[..., -1] - scores[..., -2]) / np.where(unit == 0, 1, unit)


def targets_of(x: Instances) -> np.ndarray:
    """v_sigma(i): the vertex whose cell each token starts in."""
    vertices = vertices_of(x)
    sigma = np.einsum("tnd,tde,tve->tnv", x["tokens"], x["B"], vertices).argmax(axis=-1)
    return np.take_along_axis(vertices, sigma[..., None], axis=1)


IN_CELLS = {
    "B > 0": lambda x: draws.is_definite(x["B"]),
    "tokens in the hull of the vertices": lambda x: (
        (x["weights"] >= 0).all(axis=(1, 2))
        & (np.abs(x["weights"].sum(axis=2) - 1) <= 1e-12).all(axis=1)
        & (np.abs(x["weights"] @ vertices_of(x) - x["tokens"][:, x["weights"].shape[-1] :]).max(axis=(1, 2), initial=0.0) <= 1e-12)
    ),
    "every vertex in its own cell and no other": lambda x: (
        ownership(vertices_of(x), x["B"])
        > CLEAR * np.einsum("tvd,tde,tve->tv", vertices_of(x), x["B"], vertices_of(x)).max(axis=1, keepdims=True)
    ).all(axis=1),
    "no token on a face between cells": lambda x: (advantages(x) > CLEAR).all(axis=1),
}
STEP_SIZES = {"gamma^t in (0,1)": lambda x: ((x["gamma"] > 0) & (x["gamma"] < 1)).all(axis=1)}


def exact_cells(inputs: Inputs) -> list[int] | None:
    """The vertex each token starts towards, or None where the hypotheses of FW-7 fail."""
    tokens, B = inputs["tokens"], inputs["B"]
    count = len(tokens) - len(inputs["weights"])
    vertices = tokens[:count]
    for weights, token in zip(inputs["weights"], tokens[count:], strict=True):
        if sum(weights) != 1 or min(weights) < 0 or [exact.dot(weights, column) for column in zip(*vertices, strict=True)] != token:
            return None
    if not positive_definite(B):
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
    lines = straight_lines(x["tokens"], targets_of(x), remaining(x["gamma"]))
    return compare(np.abs(run - lines).max(axis=-1), "<=", 0.0, draws.radius(x["tokens"])[:, None, None])


def _is_straight_exactly(inputs: Inputs) -> Violation | None:
    sigma = exact_cells(inputs)
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
def small_cells(draw: Any) -> Inputs:
    """Two to four vertices with small whole coordinates and one token inside their hull."""
    vertices = draw(strategies.clouds(2, 4, dims=(1, 2), size=3))
    raw = draw(st.lists(strategies.whole(0, 3), min_size=len(vertices), max_size=len(vertices)).filter(any))
    weights = [w / sum(raw) for w in raw]
    inside = [exact.dot(weights, column) for column in zip(*vertices, strict=True)]
    return {"tokens": [*vertices, inside], "weights": [weights], "B": draw(strategies.definite(len(inside)))}


@st.composite
def _small_lines(draw: Any) -> Inputs:
    sizes = st.sampled_from([Fraction(p, q) for q in (2, 3, 4) for p in range(1, q)])
    return draw(small_cells()) | {"gamma": draw(st.lists(sizes, min_size=1, max_size=4))}


FW7 = Statement(
    claim="FW-7",
    paper=PAPER,
    text="With B^t = B > 0, every vertex in its own cell and no other, and no token on a face between cells, "
    "x_i^t = P_t x_i^0 + (1 - P_t) v_sigma(i) with P_t = prod_{s<t} (1 - gamma^s): straight lines, cells never change.",
    hypotheses=IN_CELLS | STEP_SIZES,
    families={
        "equal norms": lines(40, (0.01, 0.99)),
        "any vertices": lines(40, (0.01, 0.99), equal=False, tokens=(2, 4)),
        "on the line": lines(40, (0.01, 0.99), equal=False, tokens=(2, 2), dims=(1, 1)),
        "many vertices": lines(20, (0.01, 0.99), tokens=(20, 30), dims=(3, 8)),
        "long, small steps": lines(400, (0.001, 0.02), dims=(1, 3)),
        "step sizes near 1": lines(20, (0.99, 0.999999)),
    },
    conclusion=_is_straight,
    exact=_is_straight_exactly,
    strategy=_small_lines(),
)
