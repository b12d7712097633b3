"""Voronoi cells in the norm |x|_B = sqrt(<B x, x>), cut with the sites' hull."""

import numpy as np
from jaxtyping import Bool, Float

from hardmax.errors import InputError
from hardmax.geometry.polygons import convex_polygon, cut, plane_points


def voronoi_cells(sites: Float[np.ndarray, "sites 2"], B: Float[np.ndarray, "2 2"] | None = None) -> list[Float[np.ndarray, "corners 2"]]:
    """The part of the sites' hull that is nearest to each site in the B-norm, as convex polygons.

    |x - v_i|_B <= |x - v_j|_B is the half-plane <B x, v_i - v_j> >= (<B v_i, v_i> - <B v_j, v_j>)/2.

    Args:
        sites: distinct points of the plane, shape (sites, 2).
        B: symmetric positive definite; the identity for None.

    Raises:
        InputError: sites off the plane, or B is not symmetric positive definite.
    """
    matrix = np.eye(2) if B is None else np.asarray(B, dtype=np.float64)
    if matrix.shape != (2, 2) or not np.array_equal(matrix, matrix.T) or np.linalg.eigvalsh(matrix)[0] <= 0:
        raise InputError(f"B: expected a symmetric positive definite 2 x 2 matrix, found {matrix.tolist()}")
    sites = plane_points(sites)
    K = convex_polygon(sites)
    energies = np.einsum("id,de,ie->i", sites, matrix, sites) / 2
    found = []
    for i in range(len(sites)):
        cell = K
        for j in range(len(sites)):
            if j != i:
                cell = cut(cell, (sites[i] - sites[j]) @ matrix, energies[i] - energies[j])
        found.append(cell)
    return found


def voronoi_members(
    points: Float[np.ndarray, "*batch points dim"],
    sites: Float[np.ndarray, "*batch sites dim"],
    B: Float[np.ndarray, "*batch dim dim"],
    tolerance: float = 0.0,
) -> Bool[np.ndarray, "*batch points sites"]:
    """Which sites are nearest to which points in the B-norm, in any dimension: squared distance within `tolerance` of the least."""
    offsets = points[..., :, None, :] - sites[..., None, :, :]
    squared = np.einsum("...psd,...de,...pse->...ps", offsets, B, offsets)
    return squared <= squared.min(axis=-1, keepdims=True) + tolerance
