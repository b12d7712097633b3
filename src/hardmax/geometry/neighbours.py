"""Neighbours: the vertices of a hull that an edge joins, in any dimension."""

import numpy as np
from jaxtyping import Bool, Float
from scipy.spatial import ConvexHull

from hardmax.geometry.hulls import affine_coordinates, hull_vertices


def vertex_neighbours(points: Float[np.ndarray, "points dim"], tolerance: float = 1e-10) -> Bool[np.ndarray, "points points"]:
    """Which pairs of points are joined by an edge of their hull; a point that is no vertex has no neighbours.

    Two vertices are joined exactly when the facets that hold both hold no third vertex. Facets that Qhull has triangulated are
    recognised by their vertices, all that lie within `tolerance` (relative to the cloud's extent) of the facet's hyperplane.

    Raises:
        InputError: no points, or a coordinate that is not finite.
    """
    joined = np.zeros((len(points), len(points)), dtype=bool)
    corners = hull_vertices(points)
    flat = affine_coordinates(np.asarray(points, dtype=np.float64)[corners])
    count, rank = flat.shape
    if points.shape[1] <= 2 or rank <= 2:
        order = corners if points.shape[1] <= 2 else corners[hull_vertices(flat)] if rank else corners[:1]
        joined[order, np.roll(order, 1)] = joined[np.roll(order, 1), order] = len(order) > 1
    elif count == rank + 1:
        joined[np.ix_(corners, corners)] = ~np.eye(count, dtype=bool)
    else:
        equations = ConvexHull(flat).equations
        extent = float(np.abs(flat).max())
        on_facet = np.unique(np.abs(flat @ equations[:, :-1].T + equations[:, -1]) <= tolerance * extent, axis=1)
        joined[np.ix_(corners, corners)] = _edges(on_facet)
    return joined


def _edges(on_facet: np.ndarray) -> np.ndarray:
    """Pairs of vertices whose common facets hold no third vertex, from the incidences (vertices, facets)."""
    count = len(on_facet)
    edges = np.zeros((count, count), dtype=bool)
    for i in range(count):
        for j in range(i + 1, count):
            common = on_facet[i] & on_facet[j]
            if common.any():
                edges[i, j] = edges[j, i] = on_facet[:, common].all(axis=1).sum() == 2
    return edges
