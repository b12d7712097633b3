"""Faces of the hull of a cloud: the face a direction exposes, and the smallest face a point lies in."""

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import linprog

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
