"""Polytopes of the theorems and of the cases outside them, and tokens placed in them."""

import numpy as np
from jaxtyping import Float, Int

from hardmax.errors import InputError


def regular_simplex(vertices: int, radius: float = 1.0) -> Float[np.ndarray, "vertices dim"]:
    """Vertices of the regular simplex centred at the origin in R^(vertices - 1), all at distance `radius` from it."""
    if vertices < 2:
        raise InputError(f"vertices: expected at least 2 for a simplex, found {vertices}")
    centred = np.eye(vertices) - 1.0 / vertices
    # Helmert's basis of the hyperplane of sum zero: written out, so that the result is the same on every machine.
    basis = np.zeros((vertices, vertices - 1))
    for column in range(vertices - 1):
        basis[: column + 1, column] = 1.0
        basis[column + 1, column] = -(column + 1.0)
        basis[:, column] /= np.sqrt((column + 1.0) * (column + 2.0))
    points = centred @ basis
    return radius * points / np.linalg.norm(points, axis=1, keepdims=True)


def regular_polygon(vertices: int, radius: float = 1.0) -> Float[np.ndarray, "vertices 2"]:
    """Vertices of the regular polygon centred at the origin, counterclockwise from (radius, 0)."""
    if vertices < 3:
        raise InputError(f"vertices: expected at least 3 for a polygon, found {vertices}")
    angles = 2.0 * np.pi * np.arange(vertices) / vertices
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def polytope(shape: str) -> Float[np.ndarray, "vertices dim"]:
    """A regular polytope of unit circumradius by name: `simplex3`, `simplex4`, ... or `polygon4`, `polygon5`, ...

    Raises:
        InputError: another name.
    """
    kind, number = shape.rstrip("0123456789"), shape[len(shape.rstrip("0123456789")) :]
    makers = {"simplex": regular_simplex, "polygon": regular_polygon}
    if kind not in makers or not number:
        raise InputError(f"shape: expected simplex<vertices> or polygon<vertices>, found {shape!r}")
    return makers[kind](int(number))


def crowd(
    vertices: Float[np.ndarray, "vertices dim"], tokens: int, spread: float
) -> tuple[Float[np.ndarray, "all dim"], Int[np.ndarray, " all"]]:
    """The vertices, then tokens on the way from each vertex to the centre, and their groups.

    Args:
        vertices: the first tokens, one a group.
        tokens: tokens a group, the vertex included.
        spread: how far the last token of a group is on the way to the centroid, in (0, 1]; the others lie evenly between.

    Returns:
        tokens (vertices * tokens, dim), the vertices first, and the group of each.
    """
    if tokens < 1:
        raise InputError(f"tokens: expected at least 1 a group, found {tokens}")
    if not 0 < spread <= 1:
        raise InputError(f"spread: expected a number in (0, 1], found {spread}")
    shares = spread * np.arange(tokens) / max(1, tokens - 1)
    centre = vertices.mean(axis=0)
    x = vertices + shares[:, None, None] * (centre - vertices)
    return x.reshape(-1, vertices.shape[1]), np.tile(np.arange(len(vertices)), tokens)


def score_gap(vertices: Float[np.ndarray, "vertices dim"]) -> float:
    """The largest c0 with <v_i, v_i> >= <v_i, v_j> + c0 for all i != j; negative where some vertex scores another higher than itself."""
    scores = vertices @ vertices.T
    gaps = np.diag(scores)[:, None] - scores
    return float(gaps[~np.eye(len(vertices), dtype=bool)].min())
