"""FW-9, FW-10 and FW-11: when a vertex owns its cell."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from hardmax.definiteness import positive_definite
from hardmax.falsify import Family, Inputs, Instances, Outcome, Rate, Statement, Violation, same, strategies
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.cells import FAMILIES, POSITIVE, SMALL, identity
from hardmax.frank_wolfe.statements.steps import PAPER
from hardmax.geometry.hulls import hull_vertices
from hardmax.geometry.neighbours import vertex_neighbours


def ownership_bound(count: int, dim: int, condition: float) -> float:
    """A lower bound of the probability that each of `count` Gaussian vertices owns its cell (FW-9).

    Given v_i, <B v_i, v_j> is Gaussian of deviation |B v_i| and <B v_i, v_i>/|B v_i| >= |v_i|/condition, so v_j wins with probability at most
    E exp(-|v_i|^2/(2 condition^2))/2 = (1 + condition^-2)^(-dim/2)/2; then the union bound over the ordered pairs.
    """
    return 1.0 - count * (count - 1) / 2 * (1.0 + condition**-2) ** (-dim / 2)


CONDITION = 3.0


def _gaussian(dim: int) -> Family:
    """Vertices from N(0, I_d); the law is invariant under rotations, so a diagonal B is no loss."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        count = int(rng.integers(2, 7))
        return {
            "tokens": rng.normal(size=(trials, count, dim)),
            "diagonal": np.exp(rng.uniform(0.0, np.log(CONDITION), size=(trials, dim))),
        }

    return family


def _owns(x: Instances) -> Rate:
    scores = np.einsum("tid,td,tjd->tij", x["tokens"], x["diagonal"], x["tokens"])
    own = np.einsum("tii->ti", scores)
    count, dim = x["tokens"].shape[1:]
    others = scores - np.where(np.eye(count, dtype=bool), np.inf, 0.0)
    return Rate((own > others.max(axis=-1)).all(axis=1), ">=", ownership_bound(count, dim, CONDITION))


FW9 = Statement(
    claim="FW-9",
    paper=PAPER,
    text="For k vertices (k fixed) from N(0, I_d) and B > 0 with condition number bounded in d, each vertex owns its cell with probability "
    "tending to 1 as d grows (tried: at least our 1 - k(k-1)/2 (1 + cond^-2)^(-d/2)).",
    hypotheses={
        f"B > 0 with condition number at most {CONDITION:g}": lambda x: (
            (x["diagonal"] > 0).all(axis=1) & (x["diagonal"].max(axis=1) <= CONDITION * x["diagonal"].min(axis=1))
        )
    },
    families={f"d = {dim}": _gaussian(dim) for dim in (2, 8, 32, 128, 512)},
    conclusion=_owns,
)


def _neighbour_sides(x: Instances) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every vertex v_i that is not 0, in units of its energy: the largest <B v_i, y - v_i> over the other tokens, the same over its
    neighbours alone, and whether v_i counts. Tokens that are no vertices do not; -inf where there is nobody to compare with."""
    tokens, B = x["tokens"], x["B"]
    others = np.full(tokens.shape[:2], -np.inf)
    nearby = np.full(tokens.shape[:2], -np.inf)
    counts = np.zeros(tokens.shape[:2], dtype=bool)
    for trial, (points, matrix) in enumerate(zip(tokens, B, strict=True)):
        joined = vertex_neighbours(points)
        scores = (points @ matrix) @ points.T
        energies = np.diag(scores)
        vertices = np.flatnonzero(joined.any(axis=1)) if joined.any() else hull_vertices(points)[:1]
        vertices = vertices[energies[vertices] > 0]
        counts[trial, vertices] = True
        sides = (scores[vertices] - energies[vertices, None]) / energies[vertices, None]
        apart = np.abs(points[vertices][:, None] - points[None]).max(axis=-1) > 0
        others[trial, vertices] = np.where(apart, sides, -np.inf).max(axis=1)
        nearby[trial, vertices] = np.where(joined[vertices], sides, -np.inf).max(axis=1)
    return others, nearby, counts


def _equivalence(closed_cell: bool, strict_side: bool) -> Callable[[Instances], Outcome]:
    def conclusion(x: Instances) -> Outcome:
        others, nearby, counts = _neighbour_sides(x)
        member = others <= 0 if closed_cell else others < 0
        beside = nearby < 0 if strict_side else nearby <= 0
        certainty = np.where(counts, np.minimum(np.abs(others), np.abs(nearby)), 0.0)
        tie = (others == 0) | (nearby == 0)
        return same(member[:, None], beside[:, None], np.minimum(certainty, 1e300)[:, None], tie=tie[:, None])

    return conclusion


def _equivalence_exactly(closed_cell: bool, strict_side: bool) -> Callable[[Inputs], Violation | None]:
    def search(inputs: Inputs) -> Violation | None:
        tokens, B = inputs["tokens"], inputs["B"]
        if len(tokens[0]) > 2 or not positive_definite(B):
            return None
        for index, joined in exact.neighbours(tokens).items():
            vertex = tokens[index]
            query = exact.apply(B, vertex)
            if not any(vertex):
                continue
            others = [exact.dot(query, exact.minus(y, vertex)) for y in tokens if y != vertex]
            nearby = [exact.dot(query, exact.minus(tokens[j], vertex)) for j in joined]
            member = all(side <= 0 if closed_cell else side < 0 for side in others)
            beside = all(side < 0 if strict_side else side <= 0 for side in nearby)
            if member != beside:
                return Violation(int(member), "==", int(beside), token=index, tie=0 in others)
        return None

    return search


_FW10 = Statement(
    claim="FW-10",
    paper=PAPER,
    text="For B > 0 a vertex v_i not 0 lies in its cell if and only if its neighbours and the origin lie strictly on one side of the hyperplane "
    "<B v_i, x - v_i> = 0.",
    hypotheses=POSITIVE,
    families=FAMILIES | {"many vertices": draws.with_matrix(draws.clouds, draws.definite, tokens=(15, 20), dims=(2, 4))},
    conclusion=_equivalence(True, True),
    exact=_equivalence_exactly(True, True),
    strategy=SMALL,
)
FW10 = replace(
    _FW10,
    amendments=(
        _FW10.amended(
            "amendment-1",
            "v_i lies in its cell and in no other if and only if its neighbours and the origin lie strictly on one side.",
            conclusion=_equivalence(False, True),
            exact=_equivalence_exactly(False, True),
        ),
        _FW10.amended(
            "amendment-2",
            "v_i lies in its cell if and only if none of its neighbours lies strictly on the other side from the origin.",
            conclusion=_equivalence(True, False),
            exact=_equivalence_exactly(True, False),
        ),
    ),
)


def _angle_condition(x: Instances) -> Outcome:
    """Strictly on the origin's side of the hyperplane, against an acute angle at v_i, measured as an angle, for every vertex and neighbour."""
    tokens = x["tokens"]
    shape = (len(tokens), tokens.shape[1], tokens.shape[1])
    angles, sides, pairs = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape, dtype=bool)
    for trial, points in enumerate(tokens):
        pairs[trial] = vertex_neighbours(points) & (np.abs(points).max(axis=1) > 0)[:, None]
        for i, j in zip(*np.nonzero(pairs[trial]), strict=True):
            edge, inward = points[j] - points[i], -points[i]
            lengths = np.linalg.norm(edge) * np.linalg.norm(inward)
            sum_, difference = (edge / np.linalg.norm(edge) + s * inward / np.linalg.norm(inward) for s in (1, -1))
            angles[trial, i, j] = 2 * np.arctan2(np.linalg.norm(difference), np.linalg.norm(sum_))
            sides[trial, i, j] = points[i] @ edge / lengths
    acute, beside = angles < np.pi / 2, sides < 0
    certainty = np.where(pairs, np.minimum(np.abs(angles - np.pi / 2), np.abs(sides)), 0.0)
    return same(acute, beside, np.nan_to_num(certainty))


FW11 = Statement(
    claim="FW-11",
    paper=PAPER,
    text="For B = I the condition of FW-10 says that the angle at v_i between each neighbour and the origin is acute.",
    hypotheses={"B = I": lambda x: (x["B"] == np.eye(x["B"].shape[-1])).all(axis=(1, 2))},
    families={
        "plane": draws.with_matrix(draws.clouds, identity, dims=(2, 2)),
        "any dimension": draws.with_matrix(draws.clouds, identity),
        "one to three tokens": draws.with_matrix(draws.clouds, identity, tokens=(1, 3), dims=(1, 3)),
        "grid, right angles": draws.with_matrix(draws.grids, identity, tokens=(2, 7), dims=(2, 3)),
        "flat": draws.with_matrix(draws.flat, identity, tokens=(3, 7), dims=(2, 4)),
    },
    conclusion=_angle_condition,
    strategy=st.fixed_dictionaries(
        {"tokens": strategies.clouds(1, 4, dims=(2, 2), size=3), "B": st.just([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]])}
    ),
)
