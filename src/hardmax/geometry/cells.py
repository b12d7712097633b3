"""Cells: the parts of a polytope whose points follow one vertex.

The cell of v_i in K is C_i = {x in K : <B x, v_i> = max_y <B x, y>}. Its bounding hyperplanes pass through the origin: C_i is K cut with the
cone of the points x whose query B x lies in the normal cone of v_i, and a normal cone is bounded by a vertex's neighbours alone.
"""

import numpy as np
import shapely
from jaxtyping import Bool, Float
from shapely.geometry.base import BaseGeometry

from hardmax.errors import InputError
from hardmax.geometry.hulls import checked_points, hull_vertices


def polytope(vertices: Float[np.ndarray, "vertices dim"]) -> BaseGeometry:
    """The hull of points in the plane as a shapely geometry: a polygon, or a segment or point where it is flat.

    Raises:
        InputError: the points do not lie in the plane.
    """
    vertices = _in_the_plane(vertices)
    return shapely.MultiPoint(vertices[hull_vertices(vertices)]).convex_hull


def half_planes(normals: Float[np.ndarray, "planes 2"], offsets: Float[np.ndarray, " planes"], reach: float) -> np.ndarray:
    """Half-planes {x : <normal, x> >= offset} as an array of shapely squares that cover the disc of radius `reach` around the origin.

    A zero normal stands for a comparison of equal things: the whole plane.
    """
    lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
    zero = lengths[:, 0] == 0.0
    across = np.where(zero[:, None], [1.0, 0.0], normals / np.where(lengths == 0.0, 1.0, lengths))
    along = np.stack([-across[:, 1], across[:, 0]], axis=-1)
    offset = offsets / np.where(zero, 1.0, lengths[:, 0])
    near = np.where(zero, -2.0 * reach, np.clip(offset, -2.0 * reach, 2.0 * reach))[:, None]
    far, side = 4.0 * reach, 4.0 * reach
    corners = [near * across - side * along, far * across - side * along, far * across + side * along, near * across + side * along]
    return shapely.polygons(np.stack(corners, axis=1))


def cells(
    vertices: Float[np.ndarray, "vertices 2"],
    B: Float[np.ndarray, "2 2"] | None = None,
    keys: Float[np.ndarray, "vertices 2"] | None = None,
) -> list[BaseGeometry]:
    """The cells of points in the plane as polygons, one a point; empty for a point that no other point follows.

    Args:
        vertices: points whose hull is K, shape (vertices, 2). They need not all be vertices.
        B: key-query matrix; the identity for None.
        keys: what the queries are compared with in place of the vertices (their normalised versions, say). Of equal keys the first
            has the cell.

    Raises:
        InputError: the points do not lie in the plane, or B and keys do not fit them.
    """
    vertices = _in_the_plane(vertices)
    matrix = np.eye(2) if B is None else np.asarray(B, dtype=np.float64)
    if matrix.shape != (2, 2):
        raise InputError(f"B: expected shape (2, 2), found {matrix.shape}")
    keys = vertices if keys is None else _in_the_plane(keys)
    if keys.shape != vertices.shape:
        raise InputError(f"keys: expected shape {vertices.shape}, found {keys.shape}")
    K = polytope(vertices)
    reach = _reach(vertices)
    order = hull_vertices(keys)
    found: list[BaseGeometry] = [shapely.Polygon()] * len(vertices)
    before, after = (keys[order] - keys[np.roll(order, shift)] for shift in (1, -1))
    parts = np.full(len(order), K)
    for differences in (before, after):
        parts = shapely.intersection(parts, half_planes(differences @ matrix, np.zeros(len(order)), reach))
    for index, part in zip(order, parts, strict=True):
        found[index] = part
    return found


def dominance_cell(vertices: Float[np.ndarray, "vertices 2"], index: int, eta: float, radius: float = 0.0) -> BaseGeometry:
    """I_i(eta) = {x in K : <v_i - v_j, x> >= eta for all j != i}, eroded by a ball: points whose ball of that radius lies inside.

    Args:
        vertices: vertices of K in the plane, shape (vertices, 2).
        index: i.
        eta: least advantage of v_i.
        radius: of the ball.
    """
    vertices = _in_the_plane(vertices)
    others = np.delete(np.arange(len(vertices)), index)
    planes = half_planes(vertices[index] - vertices[others], np.full(len(others), float(eta)), _reach(vertices))
    cell = polytope(vertices)
    for plane in planes:
        cell = shapely.intersection(cell, plane)
    return shapely.buffer(cell, -radius, join_style="mitre", mitre_limit=1e9) if radius else cell


def cell_members(
    points: Float[np.ndarray, "*batch points dim"],
    vertices: Float[np.ndarray, "*batch vertices dim"],
    B: Float[np.ndarray, "*batch dim dim"],
    tolerance: float = 0.0,
) -> Bool[np.ndarray, "*batch points vertices"]:
    """Which points lie in which closed cells, in any dimension: <B x, v_i> within `tolerance` of the maximum over the vertices.

    The points must lie in K; only the comparison is made here.
    """
    scores = np.einsum("...pd,...ed,...ve->...pv", points, B, vertices)
    return scores >= scores.max(axis=-1, keepdims=True) - tolerance


def ownership(
    vertices: Float[np.ndarray, "*batch vertices dim"], B: Float[np.ndarray, "*batch dim dim"]
) -> Float[np.ndarray, "*batch vertices"]:
    """By how much each vertex owns its cell: min over j != i of <B v_i, v_i - v_j>.

    Positive: it lies in its own cell and in no other. Zero: on a face between cells. Negative: another vertex attracts it. Infinite
    where there is only one vertex.
    """
    scores = np.einsum("...id,...ed,...je->...ij", vertices, B, vertices)
    own = np.einsum("...ii->...i", scores).copy()
    count = vertices.shape[-2]
    scores[..., np.arange(count), np.arange(count)] = -np.inf
    return own - scores.max(axis=-1)


def _in_the_plane(points: np.ndarray) -> np.ndarray:
    points = checked_points(points)
    if points.shape[1] != 2:
        raise InputError(f"points: expected points of the plane, found dimension {points.shape[1]}")
    return points


def _reach(points: np.ndarray) -> float:
    return float(np.linalg.norm(points, axis=1).max()) or 1.0
