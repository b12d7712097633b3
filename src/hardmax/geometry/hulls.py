"""Convex hulls of clouds of tokens: vertices, diameter, and whether a point lies inside."""

import numpy as np
from jaxtyping import Float, Int
from scipy.spatial import ConvexHull

from hardmax.errors import InputError
from hardmax.geometry.plane import boundary, corners


def checked_points(points: Float[np.ndarray, "points dim"]) -> Float[np.ndarray, "points dim"]:
    """The points as a contiguous float64 array.

    Raises:
        InputError: no points, no dimension, or an entry that is not finite.
    """
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(f"points: expected a nonempty array (points, dim), found shape {array.shape}")
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])
        raise InputError(f"points: expected finite coordinates, found {array[row].tolist()} in row {row}")
    return array


def diameter(points: Float[np.ndarray, "points dim"]) -> float:
    """The largest distance between two points, which is that between two points of their hull."""
    return float(np.linalg.norm(points[:, None] - points[None], axis=-1).max())


def _plane_vertices(points: np.ndarray) -> np.ndarray:
    order, starts, places, lower, upper = boundary(points, np.ones(len(points), dtype=bool))
    forth = lower[corners(places, lower)]
    back = upper[corners(places, upper)][::-1]
    return order[starts[np.concatenate([forth, back[1:-1]])]]


def affine_coordinates(points: Float[np.ndarray, "points dim"], tolerance: float = 1e-12) -> Float[np.ndarray, "points rank"]:
    """Coordinates of the points in their affine hull, an isometry onto R^rank.

    Args:
        points: shape (points, dim).
        tolerance: directions in which the cloud's extent is below this share of its greatest extent count as flat.
    """
    centred = points - points.mean(axis=0)
    _, extents, axes = np.linalg.svd(centred, full_matrices=False)
    rank = int(np.sum(extents > tolerance * max(float(extents[0]), np.finfo(float).tiny)))
    return centred @ axes[:rank].T


def hull_vertices(points: Float[np.ndarray, "points dim"]) -> Int[np.ndarray, " vertices"]:
    """Indices of the vertices of the convex hull; of coinciding points the first.

    On the line and in the plane the answer is exact, and in the plane the vertices come counterclockwise from the
    lexicographically least. In higher dimensions Qhull decides, within its tolerance of about 1e-15 times the largest coordinate, and
    indices ascend; flat clouds are treated in their affine hull.

    Raises:
        InputError: no points, or a coordinate that is not finite.
    """
    points = checked_points(points)
    dim = points.shape[1]
    if dim == 1:
        points = np.column_stack([points, np.zeros(len(points))])
    if dim <= 2:
        return _plane_vertices(points)
    _, first = np.unique(points, axis=0, return_index=True)
    first = np.sort(first)
    flat = affine_coordinates(points[first])
    if flat.shape[1] == 0:
        return first[:1]
    if flat.shape[1] <= 2:
        return np.sort(first[hull_vertices(flat)])
    return first[np.sort(ConvexHull(flat).vertices)]
