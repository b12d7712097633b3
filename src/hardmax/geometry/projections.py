"""Projection onto a convex hull in the norm |x|_A = <A x, x>^(1/2), by Wolfe's algorithm for the nearest point of a polytope.

Affine weights are by least squares, which lose no digits to a Gram matrix; `hardmax.geometry.nearness` only decides, and is compiled.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from hardmax.errors import InputError
from hardmax.geometry.hulls import checked_points


@dataclass(frozen=True)
class Projection:
    """Nearest point of a hull.

    Attributes:
        point: the projection, shape (dim,).
        weights: convex weights of the hull's points that give it, shape (points,), nonnegative with sum 1.
        distance: A-norm distance from the projected point.
    """

    point: Float[np.ndarray, " dim"]
    weights: Float[np.ndarray, " points"]
    distance: float


def square_root(A: Float[np.ndarray, "dim dim"] | None, dim: int) -> Float[np.ndarray, "dim dim"]:
    """The symmetric square root A^(1/2); the identity for None.

    Raises:
        InputError: A has another shape, is not symmetric or not positive definite.
    """
    if A is None:
        return np.eye(dim)
    matrix = np.asarray(A, dtype=np.float64)
    if matrix.shape != (dim, dim):
        raise InputError(f"A: expected shape {(dim, dim)}, found {matrix.shape}")
    if not np.allclose(matrix, matrix.T, rtol=1e-12, atol=0):
        raise InputError("A: expected a symmetric matrix, found one that is not")
    values, axes = np.linalg.eigh(matrix)
    if values[0] <= 0:
        raise InputError(f"A: expected a positive definite matrix, found least eigenvalue {values[0]:.3g}")
    return (axes * np.sqrt(values)) @ axes.T


def _affine_weights(corral: np.ndarray) -> np.ndarray:
    """Weights of sum 1 of the point of least norm in the affine hull of the rows."""
    differences = corral[1:] - corral[0]
    coefficients = np.linalg.lstsq(differences.T, -corral[0], rcond=None)[0]
    return np.concatenate([[1.0 - coefficients.sum()], coefficients])


def _least_norm_weights(points: np.ndarray, tolerance: float) -> np.ndarray:
    """Convex weights of the point of least Euclidean norm in the hull (P. Wolfe, Mathematical Programming 11, 1976)."""
    norms = np.einsum("nd,nd->n", points, points)
    support = [int(np.argmin(norms))]
    weights = np.ones(1)
    scale = float(norms.max())
    best = np.inf
    while True:
        nearest = weights @ points[support]
        norm = float(nearest @ nearest)
        products = points @ nearest
        entering = int(np.argmin(products))
        if norm - products[entering] <= tolerance * scale or entering in support or norm >= best:
            break
        best = norm
        support.append(entering)
        weights = np.append(weights, 0.0)
        while True:
            affine = _affine_weights(points[support])
            if (affine > 1e-14).all():
                weights = affine
                break
            falling = np.flatnonzero(affine <= 1e-14)
            steps = weights[falling] / np.maximum(weights[falling] - affine[falling], np.finfo(float).tiny)
            step = min(1.0, float(steps.min()))
            weights = (1.0 - step) * weights + step * affine
            weights[falling[int(np.argmin(steps))]] = 0.0
            kept = weights > 1e-14
            support = [token for token, keep in zip(support, kept, strict=True) if keep]
            weights = weights[kept] / weights[kept].sum()
            if len(support) == 1:
                break
    full = np.zeros(len(points))
    full[support] = weights
    return full


def project_onto_hull(
    points: Float[np.ndarray, "points dim"],
    target: Float[np.ndarray, " dim"] | None = None,
    A: Float[np.ndarray, "dim dim"] | None = None,
    tolerance: float = 1e-15,
) -> Projection:
    """The A-norm projection of `target` onto the convex hull of the points.

    Args:
        points: shape (points, dim), coinciding ones allowed.
        target: the point to project; the origin for None.
        A: symmetric positive definite matrix of the norm; the identity for None.
        tolerance: stop when <A (p - t), p - z> is at most this times the greatest |z - t|_A^2 for all points z.

    Raises:
        InputError: no points, a coordinate that is not finite, or A not symmetric positive definite.
    """
    points = checked_points(points)
    centre = np.zeros(points.shape[1]) if target is None else np.asarray(target, dtype=np.float64)
    root = square_root(A, points.shape[1])
    weights = _least_norm_weights((points - centre) @ root, tolerance)
    point = weights @ points
    return Projection(point, weights, float(np.linalg.norm((point - centre) @ root)))


def distances_to_hull(
    points: Float[np.ndarray, "points dim"],
    targets: Float[np.ndarray, "targets dim"],
    A: Float[np.ndarray, "dim dim"] | None = None,
) -> Float[np.ndarray, " targets"]:
    """A-norm distance of each target from the hull of the points; within rounding of 0 inside."""
    return np.array([project_onto_hull(points, target, A).distance for target in np.asarray(targets, dtype=np.float64)])
