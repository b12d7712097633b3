"""The admissible region of the clustering theorem: how deep a token must lie in the cell of its vertex."""

import numpy as np
from jaxtyping import Bool, Float
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

HIT_AND_RUN_STEPS = 20
"""Moves between two points of a sample, times the dimension."""


def facets(vertices: Float[np.ndarray, "vertices dim"]) -> tuple[np.ndarray, np.ndarray] | None:
    """Half-spaces A x <= b, rows of A of unit length, that make up the hull of the vertices; None where it has no interior."""
    dim = vertices.shape[1]
    if dim == 1:
        return np.array([[1.0], [-1.0]]), np.array([vertices.max(), -vertices.min()])
    if np.linalg.matrix_rank(vertices - vertices.mean(axis=0), tol=1e-12) < dim:
        return None
    equations = ConvexHull(vertices).equations
    return equations[:, :-1], -equations[:, -1]


def admissible_region(
    vertices: Float[np.ndarray, "vertices dim"], vertex: int, beta: float | int
) -> tuple[Float[np.ndarray, "faces dim"], Float[np.ndarray, " faces"]] | None:
    """Half-spaces A x <= b of I_i(beta^(-1/8)) - beta^(-1/4), where I_i(eta) = {x in K : <v_i - v_j, x> >= eta for all j != i}.

    A ball of radius beta^(-1/4) about x lies in I_i exactly if x keeps that distance from each of its bounding hyperplanes.

    Returns:
        A with rows of unit length (faces, dim) and b (faces,); None where K has no interior, and with it no ball.
    """
    outer = facets(vertices)
    if outer is None:
        return None
    eta, depth = beta ** (-1 / 8), beta ** (-1 / 4)
    towards = np.delete(vertices[vertex] - vertices, vertex, axis=0)
    lengths = np.linalg.norm(towards, axis=1)
    A = np.vstack([outer[0], -towards / lengths[:, None]])
    return A, np.concatenate([outer[1], -eta / lengths]) - depth


def deepest(A: Float[np.ndarray, "faces dim"], b: Float[np.ndarray, " faces"]) -> tuple[np.ndarray, float]:
    """The point of A x <= b farthest from the boundary, and that distance: negative where no point satisfies all."""
    dim = A.shape[1]
    found = linprog(np.append(np.zeros(dim), -1.0), A_ub=np.column_stack([A, np.ones(len(A))]), b_ub=b, bounds=[(None, None)] * (dim + 1))
    return found.x[:dim], float(found.x[dim])


def inside(
    points: Float[np.ndarray, "points dim"], A: Float[np.ndarray, "faces dim"], b: Float[np.ndarray, " faces"]
) -> Bool[np.ndarray, " points"]:
    """Which points satisfy A x <= b, to rounding."""
    return (points @ A.T <= b + 1e-12).all(axis=1)


def sample(
    A: Float[np.ndarray, "faces dim"], b: Float[np.ndarray, " faces"], number: int, rng: np.random.Generator
) -> Float[np.ndarray, "number dim"] | None:
    """Points nearly uniform in the polytope A x <= b by hit-and-run from its deepest point, or None where it is empty."""
    point, depth = deepest(A, b)
    if depth < 0:
        return None
    points = np.empty((number, A.shape[1]))
    for k in range(number):
        for _ in range(HIT_AND_RUN_STEPS * A.shape[1]):
            direction = rng.standard_normal(A.shape[1])
            speed, slack = A @ direction, b - A @ point
            with np.errstate(divide="ignore", invalid="ignore"):
                times = slack / speed
            ahead, behind = times[speed > 0].min(), times[speed < 0].max()
            point = point + rng.uniform(min(behind, 0.0), max(ahead, 0.0)) * direction
        points[k] = point
    return points
