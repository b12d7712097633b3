"""Convex polygons in the plane as arrays of corners, and their intersection with half-planes.

Half-planes are cut here because shapely's general overlay loses whole parts where polygons touch along almost equal edges, as cells do.
"""

import numpy as np
from jaxtyping import Float

from hardmax.errors import InputError
from hardmax.geometry.hulls import checked_points, hull_vertices


def plane_points(points: Float[np.ndarray, "points 2"]) -> Float[np.ndarray, "points 2"]:
    """The points as float64.

    Raises:
        InputError: no points, an entry that is not finite, or another dimension.
    """
    points = checked_points(points)
    if points.shape[1] != 2:
        raise InputError(f"points: expected points of the plane, found dimension {points.shape[1]}")
    return points


def convex_polygon(points: Float[np.ndarray, "points 2"]) -> Float[np.ndarray, "corners 2"]:
    """Corners of the hull of points, counterclockwise; one or two where it is a point or a segment."""
    points = plane_points(points)
    return points[hull_vertices(points)]


def cut(
    polygon: Float[np.ndarray, "corners 2"], normal: Float[np.ndarray, " 2"], offset: float = 0.0
) -> Float[np.ndarray, "corners_left 2"]:
    """The part of a convex polygon in the half-plane <normal, x> >= offset (I. Sutherland, G. Hodgman, 1974).

    Cutting with the opposite half-plane puts the new corners at the same floats.
    """
    if not len(polygon):
        return polygon
    sides = polygon @ normal - offset
    following, ahead = np.roll(polygon, -1, axis=0), np.roll(sides, -1)
    crosses = sides * ahead < 0
    shares = sides / np.where(crosses, sides - ahead, 1.0)
    corners = np.stack([polygon, polygon + shares[:, None] * (following - polygon)], axis=1)
    return corners[np.stack([sides >= 0, crosses], axis=1)]


def area(polygon: Float[np.ndarray, "corners 2"]) -> float:
    """The area of a polygon with counterclockwise corners, by the shoelace formula from its first corner."""
    if len(polygon) < 3:
        return 0.0
    x, y = (polygon[1:] - polygon[0]).T
    return float((x[:-1] * y[1:] - x[1:] * y[:-1]).sum() / 2)
