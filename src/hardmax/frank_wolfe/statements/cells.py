"""FW-5 and FW-6: cells partition the polytope, and are Voronoi cells where the vertices have one energy."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.falsify import Family, Instances, Outcome, Statement, compare, strategies
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.steps import PAPER
from hardmax.geometry.cells import vertex_cells
from hardmax.geometry.polygons import area, convex_polygon, cut

POINTS = 40
"""Points of the polytope, spread evenly, at which memberships are compared."""


def identity(rng: np.random.Generator, trials: int, dim: int) -> np.ndarray:
    """B = I."""
    return np.broadcast_to(np.eye(dim), (trials, dim, dim)).copy()


def ill_conditioned(rng: np.random.Generator, trials: int, dim: int) -> np.ndarray:
    """B > 0 with eigenvalues over several orders of magnitude."""
    return draws.definite(rng, trials, dim, spread=3.0)


POSITIVE = {"B > 0": lambda x: draws.is_definite(x["B"])}
FAMILIES = {
    "plane": draws.with_matrix(draws.clouds, draws.definite, dims=(2, 2)),
    "any dimension": draws.with_matrix(draws.clouds, draws.definite),
    "one to three tokens": draws.with_matrix(draws.clouds, draws.definite, tokens=(1, 3), dims=(1, 3)),
    "grid, ties": draws.with_matrix(draws.grids, identity, tokens=(2, 7), dims=(1, 3)),
    "flat": draws.with_matrix(draws.flat, draws.definite, tokens=(3, 7), dims=(2, 4)),
    "ill-conditioned": draws.with_matrix(draws.clouds, ill_conditioned),
}
SMALL = st.integers(1, 2).flatmap(
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
    hypotheses=POSITIVE,
    families={name: family for name, family in FAMILIES.items() if name != "grid, ties"}
    | {"grid in the plane": draws.with_matrix(draws.grids, draws.definite, tokens=(3, 9), dims=(2, 2))},
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
    hypotheses=POSITIVE
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
