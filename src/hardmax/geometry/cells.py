"""Cells: the parts of a polytope whose points follow one vertex.

The cell of v_i in K is C_i = {x in K : <B x, v_i> = max_y <B x, y>}. Its bounding hyperplanes pass through the origin: C_i is K cut with the
cone of the points x whose query B x lies in the normal cone of v_i, and a normal cone is bounded by a vertex's neighbours alone.
"""

import numpy as np
from jaxtyping import Bool, Float

from hardmax.errors import InputError
from hardmax.geometry.hulls import hull_vertices
from hardmax.geometry.polygons import convex_polygon, cut, plane_points


def vertex_cells(
    vertices: Float[np.ndarray, "vertices 2"],
    B: Float[np.ndarray, "2 2"] | None = None,
    keys: Float[np.ndarray, "vertices 2"] | None = None,
) -> list[Float[np.ndarray, "corners 2"]]:
    """The cells of points in the plane as convex polygons, the corners of one a point; none for a point that no point of K follows.

    Args:
        vertices: points whose hull is K, shape (vertices, 2). They need not all be vertices.
        B: key-query matrix; the identity for None.
        keys: what the queries are compared with in place of the vertices (their normalised versions, say). Of equal keys the first
            has the cell.

    Raises:
        InputError: the points do not lie in the plane, or B and keys do not fit them.
    """
    vertices = plane_points(vertices)
    matrix = np.eye(2) if B is None else np.asarray(B, dtype=np.float64)
    if matrix.shape != (2, 2):
        raise InputError(f"B: expected shape (2, 2), found {matrix.shape}")
    keys = vertices if keys is None else plane_points(keys)
    if keys.shape != vertices.shape:
        raise InputError(f"keys: expected shape {vertices.shape}, found {keys.shape}")
    K = convex_polygon(vertices)
    apex = 1e-13 * np.abs(vertices).max()
    found = [np.empty((0, 2))] * len(vertices)
    order = hull_vertices(keys)
    for place, index in enumerate(order):
        cell = K
        for neighbour in {order[place - 1], order[(place + 1) % len(order)]} - {index}:
            cell = cut(cell, (keys[index] - keys[neighbour]) @ matrix)
        found[index] = np.where(np.abs(cell).max(axis=1, keepdims=True, initial=0.0) <= apex, 0.0, cell)
    return found


def dominance_cell(
    vertices: Float[np.ndarray, "vertices 2"], index: int, eta: float, radius: float = 0.0
) -> Float[np.ndarray, "corners 2"]:
    """I_i(eta) = {x in K : <v_i - v_j, x> >= eta for all j != i}, eroded by a ball: points whose ball of that radius lies inside.

    Args:
        vertices: vertices of K in the plane, shape (vertices, 2).
        index: i.
        eta: least advantage of v_i.
        radius: of the ball.
    """
    vertices = plane_points(vertices)
    K = convex_polygon(vertices)
    edges = np.roll(K, -1, axis=0) - K
    inward = np.column_stack([-edges[:, 1], edges[:, 0]])
    advantages = vertices[index] - np.delete(vertices, index, axis=0)
    normals = np.concatenate([inward, advantages])
    offsets = np.concatenate([np.einsum("ed,ed->e", inward, K), np.full(len(advantages), float(eta))])
    cell = K
    for normal, offset in zip(normals, offsets + radius * np.linalg.norm(normals, axis=1), strict=True):
        cell = cut(cell, normal, offset)
    return cell


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
