"""Which tokens a query is maximised by, in any dimension: exact signs, one query at a time, compiled."""

import numpy as np

from hardmax.compilation import njit
from hardmax.geometry.exposed import exposed_means
from hardmax.geometry.plane import mean_of
from hardmax.geometry.predicates import dot_sign


@njit
def maximisers(points: np.ndarray, weights: np.ndarray, query: np.ndarray, face: np.ndarray) -> tuple[int, bool]:
    """Indices, ascending, of the tokens present with largest <query, z> into `face`: how many, and whether two of them do not coincide."""
    size = 0
    tied = False
    for token in range(points.shape[0]):
        if weights[token] == 0.0:
            continue
        sign = 1
        if size > 0:
            sign = dot_sign(query, points[token], points[face[0]])
        if sign > 0:
            size = 0
            tied = False
        if sign >= 0:
            face[size] = token
            size += 1
            if size > 1 and not tied and not np.array_equal(points[token], points[face[0]]):
                tied = True
    return size, tied


@njit
def exact_rows(
    points: np.ndarray, weights: np.ndarray, queries: np.ndarray, clouds: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Followed tokens of single queries, exact.

    Args:
        points: clouds of tokens, shape (clouds, tokens, dim), float64.
        weights: multiplicities, shape (clouds, tokens), 0 for an absent token; each cloud asked has one present.
        queries: shape (rows, dim).
        clouds: the cloud each query belongs to, shape (rows,).

    Returns:
        means, first and tied of each row, as in `exposed_means`.
    """
    rows = queries.shape[0]
    means = np.empty((rows, points.shape[2]))
    first = np.empty(rows, np.int64)
    tied = np.empty(rows, np.bool_)
    face = np.empty(points.shape[1], np.int64)
    for row in range(rows):
        cloud = clouds[row]
        size, tied[row] = maximisers(points[cloud], weights[cloud], queries[row], face)
        first[row] = face[0]
        if tied[row]:
            mean_of(points[cloud], weights[cloud], face[:size], means[row])
        else:
            means[row] = points[cloud, face[0]]
    return means, first, tied


@njit
def plane_clouds(points: np.ndarray, weights: np.ndarray, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`exposed_means` of clouds in the plane, shape (clouds, tokens, 2); in a cloud without tokens each query answers with itself."""
    means = np.empty_like(points)
    first = np.empty(weights.shape, np.int64)
    tied = np.zeros(weights.shape, np.bool_)
    for cloud in range(points.shape[0]):
        if np.any(weights[cloud] > 0.0):
            means[cloud], first[cloud], tied[cloud] = exposed_means(points[cloud], weights[cloud], queries[cloud])
        else:
            means[cloud] = points[cloud]
            first[cloud] = np.arange(points.shape[1])
    return means, first, tied


@njit
def face_masks(points: np.ndarray, weights: np.ndarray, queries: np.ndarray, first: np.ndarray, tied: np.ndarray) -> np.ndarray:
    """Whether query i is maximised by token j, shape (clouds, tokens, tokens), given a first maximiser and whether it ties with others."""
    clouds, tokens, _ = points.shape
    masks = np.zeros((clouds, tokens, tokens), np.bool_)
    for cloud in range(clouds):
        for i in range(tokens):
            best = points[cloud, first[cloud, i]]
            for j in range(tokens):
                if weights[cloud, j] > 0.0:
                    if tied[cloud, i]:
                        masks[cloud, i, j] = dot_sign(queries[cloud, i], points[cloud, j], best) == 0
                    else:
                        masks[cloud, i, j] = np.array_equal(points[cloud, j], best)
    return masks
