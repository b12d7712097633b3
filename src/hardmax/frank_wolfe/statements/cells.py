"""FW-5, FW-6, FW-9, FW-10 and FW-11: what cells look like, and when a vertex owns its cell."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.falsify import Family, Inputs, Instances, Outcome, Rate, Statement, Violation, compare, same, strategies
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.steps import PAPER
from hardmax.geometry.cells import vertex_cells
from hardmax.geometry.hulls import hull_vertices
from hardmax.geometry.neighbours import vertex_neighbours
from hardmax.geometry.polygons import area, convex_polygon, cut

POINTS = 40
"""Points of the polytope, spread evenly, at which memberships are compared."""


def _polytopes(draw: Any, matrix: Any, tokens: tuple[int, int] = (2, 9), dims: tuple[int, int] = (1, 4)) -> Family:
    def family(rng: np.random.Generator, trials: int) -> Instances:
        count, dim = draws.shape(rng, tokens, dims)
        return {"tokens": draw(rng, trials, count, dim), "B": matrix(rng, trials, dim)}

    return family


def identity(rng: np.random.Generator, trials: int, dim: int) -> np.ndarray:
    """B = I."""
    return np.broadcast_to(np.eye(dim), (trials, dim, dim)).copy()


def ill_conditioned(rng: np.random.Generator, trials: int, dim: int) -> np.ndarray:
    """B > 0 with eigenvalues over several orders of magnitude."""
    return draws.definite(rng, trials, dim, spread=3.0)


_POSITIVE = {"B > 0": lambda x: draws.is_definite(x["B"])}
_FAMILIES = {
    "plane": _polytopes(draws.clouds, draws.definite, dims=(2, 2)),
    "any dimension": _polytopes(draws.clouds, draws.definite),
    "one to three tokens": _polytopes(draws.clouds, draws.definite, tokens=(1, 3), dims=(1, 3)),
    "grid, ties": _polytopes(draws.grids, identity, tokens=(2, 7), dims=(1, 3)),
    "flat": _polytopes(draws.flat, draws.definite, tokens=(3, 7), dims=(2, 4)),
    "ill-conditioned": _polytopes(draws.clouds, ill_conditioned),
}
_SMALL = st.integers(1, 2).flatmap(
    lambda dim: st.fixed_dictionaries({"tokens": strategies.clouds(1, 5, dims=(dim, dim), size=3), "B": strategies.definite(dim)})
)


def _slacks(x: Instances, points: np.ndarray) -> np.ndarray:
    """<B p, v_i> less its maximum over i, in units of |B| R^2: zero in the cell of v_i; shape (trials, points, vertices)."""
    scores = np.einsum("tpd,tde,tne->tpn", points, x["B"], x["tokens"])
    unit = np.abs(x["B"]).max(axis=(-1, -2)) * draws.radius(x["tokens"]) ** 2
    return (scores - scores.max(axis=-1, keepdims=True)) / unit[:, None, None]


def _spread_points(x: Instances) -> np.ndarray:
    return np.einsum("pn,tnd->tpd", draws.hull_weights(x["tokens"].shape[1], POINTS), x["tokens"])


def _plane_defects(tokens: np.ndarray, B: np.ndarray) -> tuple[float, float, float]:
    """Of the cells in the plane: area they miss or count twice in sum, area two of them share, area one of them lacks to convexity."""
    parts = vertex_cells(tokens, B)
    owners = [index for index, part in enumerate(parts) if area(part) > 0]
    missing = abs(area(convex_polygon(tokens)) - sum(area(parts[index]) for index in owners))
    shared = max((area(cut(parts[i], (tokens[j] - tokens[i]) @ B)) for i in owners for j in owners if i != j), default=0.0)
    lacking = max((area(convex_polygon(parts[index])) - area(parts[index]) for index in owners), default=0.0)
    return missing, shared, lacking


def _cells_partition(x: Instances) -> Outcome:
    """Defects of covering, disjointness and convexity: areas of polygons in the plane, evenly spread points elsewhere."""
    tokens = x["tokens"]
    unit = draws.radius(tokens) ** 2
    if tokens.shape[-1] == 2:
        left = np.array([max(_plane_defects(*trial)) for trial in zip(tokens, x["B"], strict=True)]) / unit
        return compare(left, "<=", 0.0)
    points = _spread_points(x)
    slacks = _slacks(x, points)
    distinct = np.abs(tokens[:, :, None] - tokens[:, None]).max(axis=-1) > 0
    inside = (slacks >= -1e-14).astype(float)
    overlaps = np.einsum("tpi,tpj,tij->tp", inside, inside, distinct.astype(float)).max(axis=-1) > 0
    mates = slacks.argmax(axis=-1)
    together = mates[:, :-1] == mates[:, 1:]
    middles = _slacks(x, (points[:, :-1] + points[:, 1:]) / 2)
    own = np.take_along_axis(middles, mates[:, :-1, None], axis=-1)[..., 0]
    defects = np.where(together, -own, 0.0).max(axis=-1)
    return compare(np.where(overlaps, 1.0, defects), "<=", 0.0)


FW5 = Statement(
    claim="FW-5",
    paper=PAPER,
    text="For B > 0 the cells are convex, cover K and have disjoint interiors.",
    hypotheses=_POSITIVE,
    families={name: family for name, family in _FAMILIES.items() if name != "grid, ties"}
    | {"grid in the plane": _polytopes(draws.grids, draws.definite, tokens=(3, 9), dims=(2, 2))},
    conclusion=_cells_partition,
    strategy=st.fixed_dictionaries({"tokens": strategies.clouds(1, 5, dims=(2, 2), size=3), "B": strategies.definite(2)}),
)


def _on_level(matrix: Any, dims: tuple[int, int], tokens: tuple[int, int] = (2, 9)) -> Family:
    """Vertices with one value of J: points of the unit sphere, pulled back by the square root of B."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        count, dim = draws.shape(rng, tokens, dims)
        directions = draws.clouds(rng, trials, count, dim)
        B = matrix(rng, trials, dim)
        squared = np.einsum("tnd,tde,tne->tn", directions, B, directions)
        return {"tokens": directions * np.exp(rng.normal(size=(trials, 1, 1))) / np.sqrt(squared)[..., None], "B": B}

    return family


def _is_voronoi(x: Instances) -> Outcome:
    """The advantage of each vertex by scores is half that by squared B-distance, so that both cells are the same, borders included."""
    points = np.concatenate([_spread_points(x), x["tokens"]], axis=1)
    by_score = _slacks(x, points)
    offsets = points[:, :, None, :] - x["tokens"][:, None, :, :]
    squared = np.einsum("tpnd,tde,tpne->tpn", offsets, x["B"], offsets)
    unit = np.abs(x["B"]).max(axis=(-1, -2)) * draws.radius(x["tokens"]) ** 2
    by_distance = (squared.min(axis=-1, keepdims=True) - squared) / (2 * unit[:, None, None])
    return compare(by_score, "==", by_distance, first_step=-1)


_CIRCLE = [(a, b) for a in range(-5, 6) for b in range(-5, 6) if a * a + b * b == 25]

FW6 = Statement(
    claim="FW-6",
    paper=PAPER,
    text="If B > 0 and J(v_i) = c for all i, the cell of v_i is K intersected with its B-norm Voronoi cell among the vertices.",
    hypotheses=_POSITIVE
    | {
        "J(v_i) = c": lambda x: (
            np.ptp(energies := np.einsum("tnd,tde,tne->tn", x["tokens"], x["B"], x["tokens"]), axis=1) <= 1e-12 * energies.max(axis=1)
        )
    },
    families={
        "plane": _on_level(draws.definite, (2, 2)),
        "any dimension": _on_level(draws.definite, (1, 6)),
        "many vertices": _on_level(draws.definite, (3, 8), tokens=(30, 40)),
        "ill-conditioned": _on_level(ill_conditioned, (2, 4)),
    },
    conclusion=_is_voronoi,
    strategy=st.fixed_dictionaries(
        {
            "tokens": st.lists(st.sampled_from(_CIRCLE), min_size=1, max_size=5).map(
                lambda points: [[Fraction(entry) for entry in point] for point in points]
            ),
            "B": st.just([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]),
        }
    ),
    tolerance=1e-8,
)


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
    "tending to 1 as d grows: at least 1 - k(k-1)/2 (1 + cond^-2)^(-d/2).",
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
        if len(tokens[0]) > 2 or not exact.positive_definite(B):
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
    hypotheses=_POSITIVE,
    families=_FAMILIES | {"many vertices": _polytopes(draws.clouds, draws.definite, tokens=(15, 20), dims=(2, 4))},
    conclusion=_equivalence(True, True),
    exact=_equivalence_exactly(True, True),
    strategy=_SMALL,
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
        "plane": _polytopes(draws.clouds, identity, dims=(2, 2)),
        "any dimension": _polytopes(draws.clouds, identity),
        "one to three tokens": _polytopes(draws.clouds, identity, tokens=(1, 3), dims=(1, 3)),
        "grid, right angles": _polytopes(draws.grids, identity, tokens=(2, 7), dims=(2, 3)),
        "flat": _polytopes(draws.flat, identity, tokens=(3, 7), dims=(2, 4)),
    },
    conclusion=_angle_condition,
    strategy=st.fixed_dictionaries(
        {"tokens": strategies.clouds(1, 4, dims=(2, 2), size=3), "B": st.just([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]])}
    ),
)
