"""Voronoi cells in the norm |x|_B = sqrt(<B x, x>), cut with the sites' hull."""

import numpy as np
import shapely
from jaxtyping import Bool, Float
from shapely.geometry.base import BaseGeometry

from hardmax.errors import InputError
from hardmax.geometry.cells import half_planes, polytope


def voronoi_cells(sites: Float[np.ndarray, "sites 2"], B: Float[np.ndarray, "2 2"] | None = None) -> list[BaseGeometry]:
    """The part of the sites' hull that is nearest to each site in the B-norm, as polygons.

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
    K = polytope(sites)
    sites = np.asarray(sites, dtype=np.float64)
    reach = float(np.linalg.norm(sites, axis=1).max()) or 1.0
    energies = np.einsum("id,de,ie->i", sites, matrix, sites) / 2
    parts = np.full(len(sites), K)
    for j in range(len(sites)):
        planes = half_planes((sites - sites[j]) @ matrix, energies - energies[j], reach)
        parts = shapely.intersection(parts, planes)
    return list(parts)


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
