"""Faces of the hull of a cloud: the face a direction exposes, the face a point lies in, and what kind of limit a point is."""

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import linprog

from hardmax.errors import InputError
from hardmax.geometry.hulls import checked_points
from hardmax.geometry.predicates import dot_sign


def exposed_face(points: Float[np.ndarray, "points dim"], direction: Float[np.ndarray, " dim"]) -> Int[np.ndarray, " face"]:
    """Indices of all points where <direction, z> is largest, exact for the numbers given; every point for direction 0.

    With direction B z_i this is the set that token i follows.
    """
    points = checked_points(points)
    direction = np.ascontiguousarray(direction, dtype=np.float64)
    best = [0]
    for index in range(1, len(points)):
        sign = dot_sign(direction, points[index], points[best[0]])
        if sign > 0:
            best = [index]
        elif sign == 0:
            best.append(index)
    return np.array(best)


def minimal_face(
    vertices: Float[np.ndarray, "vertices dim"], point: Float[np.ndarray, " dim"], tolerance: float = 1e-9
) -> Int[np.ndarray, " face"]:
    """Indices of the vertices of the smallest face of a polytope that contains a point; empty if the point is outside.

    Vertex v belongs to it exactly when some convex representation of the point gives v weight, which a linear program finds.

    Args:
        vertices: the polytope's vertices, shape (vertices, dim).
        point: shape (dim,).
        tolerance: how far the point may be from the hull, and the least weight that counts, relative to the polytope's largest coordinate.
    """
    vertices = checked_points(vertices)
    scale = float(np.abs(vertices).max()) or 1.0
    targets = np.asarray(point, dtype=np.float64) / scale
    columns = vertices.T / scale
    constraints = np.vstack([columns, -columns])
    bounds = np.concatenate([targets + tolerance, tolerance - targets])
    found = np.zeros(len(vertices), dtype=bool)
    for index in range(len(vertices)):
        if found[index]:
            continue
        objective = np.zeros(len(vertices))
        objective[index] = -1.0
        solution = linprog(objective, constraints, bounds, np.ones((1, len(vertices))), [1.0], method="highs")
        if not solution.success:
            return np.flatnonzero(np.zeros(0))
        found |= solution.x > _weight_threshold(tolerance)
    return np.flatnonzero(found)


def _weight_threshold(tolerance: float) -> float:
    """A box of half-width t around the point lets weights of order t on vertices off the face: ask for the square root of t."""
    return float(np.sqrt(tolerance))


def limit_kind(
    point: Float[np.ndarray, " dim"],
    vertices: Float[np.ndarray, "vertices dim"],
    A: Float[np.ndarray, "dim dim"] | None = None,
    tolerance: float = 1e-9,
) -> str:
    """What a limit point is to the polytope K of the leaders: "vertex", "projection" or "neither".

    A point p of K is the A-norm projection of the origin onto some face if and only if it is so for the smallest face F that
    contains it, and there the condition <A p, v - p> >= 0 for all vertices v of F holds with equality, p being inside F (CL-4).

    Args:
        point: shape (dim,).
        vertices: the vertices of K, shape (vertices, dim).
        A: symmetric positive definite; the identity for None.
        tolerance: on lengths, relative to the largest coordinate of K.

    Raises:
        InputError: shapes that do not fit.
    """
    vertices = checked_points(vertices)
    p = np.asarray(point, dtype=np.float64)
    if p.shape != vertices.shape[1:]:
        raise InputError(f"point: expected shape {vertices.shape[1:]}, found {p.shape}")
    scale = float(np.abs(vertices).max()) or 1.0
    if np.abs(vertices - p).max(axis=1).min() <= tolerance * scale:
        return "vertex"
    face = minimal_face(vertices, p, tolerance)
    if face.size == 0:
        return "neither"
    gradient = p if A is None else np.asarray(A, dtype=np.float64) @ p
    products = (vertices[face] - p) @ gradient
    steepest = float(np.linalg.norm(gradient)) * scale
    return "projection" if np.abs(products).max() <= np.sqrt(tolerance) * max(steepest, np.finfo(float).tiny) else "neither"
