"""The face of a cloud in the plane that each query exposes: a vertex or, on a tie, an edge with every token on it.

Over a small hull all queries are compared with all vertices at once. Over a larger one queries are answered nearly in the order of their
angles, each by a search along the edges of its chain, whose directions turn one way, that starts where the one before ended. Both are exact.
"""

import numpy as np

from hardmax.compilation import njit
from hardmax.geometry.plane import boundary, corners, mean_of
from hardmax.geometry.predicates import dot_sign
from hardmax.geometry.sorting import INDEX, deal, drawer_bits

_SMALL_HULL = 32
"""Up to this many vertices comparing with all of them beats bisection."""
_BLOCK = 1024
"""Queries compared with all vertices at a time."""


@njit
def _extreme_vertex(vertices: np.ndarray, q: np.ndarray, near: int) -> tuple[int, bool]:
    """Where along a strictly convex chain <q, v> is largest, and whether the edge that starts there ties.

    Bisection whose first steps, doubling, stay around the vertex `near`.
    """
    low = 0
    high = vertices.shape[0] - 1
    middle = min(near, high - 1)
    stride = 1
    while low < high:
        first = q[0] * (vertices[middle + 1, 0] - vertices[middle, 0])
        second = q[1] * (vertices[middle + 1, 1] - vertices[middle, 1])
        product = first + second
        size = abs(first) + abs(second)
        if abs(product) > 1e-15 * size and size > 1e-280:
            sign = 1 if product > 0.0 else -1
        else:
            sign = dot_sign(q, vertices[middle + 1], vertices[middle])
        if sign == 0:
            return middle, True
        if sign > 0:
            low = middle + 1
            middle = min(low + stride - 1, (low + high) // 2)
        else:
            high = middle
            middle = max(high - stride, (low + high) // 2)
        stride *= 2
    return low, False


@njit
def _tokens_on_edge(order: np.ndarray, starts: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Ascending indices of the tokens at some places along a chain."""
    size = 0
    for place in places:
        size += starts[place + 1] - starts[place]
    face = np.empty(size, np.int64)
    size = 0
    for place in places:
        for k in range(starts[place], starts[place + 1]):
            face[size] = order[k]
            size += 1
    return np.sort(face)


@njit
def _best_of_few(places: np.ndarray, around: np.ndarray, queries: np.ndarray, found: np.ndarray) -> None:
    """For each query which place of the vertices `around` has the largest <q, v>, or -1 where rounding leaves it in doubt."""
    count = queries.shape[0]
    x = queries[:, 0].copy()
    y = queries[:, 1].copy()
    best = np.full(count, -np.inf)
    second = np.full(count, -np.inf)
    radius = 0.0
    for place in around:
        vx, vy = places[place, 0], places[place, 1]
        radius = max(radius, abs(vx), abs(vy))
        for j in range(count):
            product = x[j] * vx + y[j] * vy
            better = product > best[j]
            second[j] = best[j] if better else max(second[j], product)
            found[j] = place if better else found[j]
            best[j] = product if better else best[j]
    for j in range(count):
        if not best[j] - second[j] > 1e-15 * (abs(x[j]) + abs(y[j])) * radius + 1e-280:
            found[j] = -1


@njit
def _by_angle(queries: np.ndarray) -> np.ndarray:
    """The rows of `queries`, nearly in the order of their angles."""
    visits = np.empty(queries.shape[0], np.int64)
    bits = drawer_bits(visits.size)
    scale = (4.0**bits - 1.0) / 4.0
    for i in range(visits.size):
        x, y = queries[i, 0], queries[i, 1]
        size = abs(x) + abs(y)
        share = x / size if 0.0 < size < np.inf else 0.0
        angle = 1.0 - share if y >= 0.0 else 3.0 + share
        visits[i] = (int(angle * scale) << 32) + i
    deal(visits, bits)
    visits &= INDEX
    return visits


@njit
def _vertices(places: np.ndarray, chain: np.ndarray, turns: np.ndarray) -> np.ndarray:
    vertices = np.empty((turns.size, 2))
    for k in range(turns.size):
        place = chain[turns[k]]
        vertices[k, 0], vertices[k, 1] = places[place, 0], places[place, 1]
    return vertices


@njit
def exposed_means(points: np.ndarray, weights: np.ndarray, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each query the face of the cloud it exposes: the tokens of largest <q, z>, ties exact.

    Args:
        points: tokens, shape (tokens, 2), float64.
        weights: multiplicities, shape (tokens,); a token of weight 0 is absent. At least one is present.
        queries: shape (queries, 2).

    Returns:
        means: weighted mean of the face's tokens, shape (queries, 2).
        first: lowest index of a token on the face, shape (queries,).
        tied: whether the face holds two tokens that do not coincide, shape (queries,).
    """
    order, starts, places, lower, upper = boundary(points, weights > 0.0)
    lower_corners = corners(places, lower)
    upper_corners = corners(places, upper)
    lower_vertices = _vertices(places, lower, lower_corners)
    upper_vertices = _vertices(places, upper, upper_corners)
    count = queries.shape[0]
    means = np.empty((count, 2))
    first = np.empty(count, np.int64)
    tied = np.zeros(count, np.bool_)
    everything = np.empty(0, np.int64)
    few = lower_corners.size + upper_corners.size <= _SMALL_HULL
    around = np.concatenate((lower[lower_corners], upper[upper_corners[1:-1]])) if few else everything
    visits = everything if few else _by_angle(queries)
    above, below = 0, 0
    found = np.empty(_BLOCK, np.int64)
    block = np.empty((_BLOCK, 2))
    for start in range(0, count, _BLOCK):
        size = min(_BLOCK, count - start)
        found[:] = -1
        if few:
            block = queries[start : start + size]
            _best_of_few(places, around, block, found)
        else:
            for j in range(size):
                block[j, 0], block[j, 1] = queries[visits[start + j], 0], queries[visits[start + j], 1]
        for j in range(size):
            if found[j] >= 0:
                continue
            q = block[j]
            i = start + j if few else visits[start + j]
            if q[0] == 0.0 and q[1] == 0.0:
                if everything.size == 0:
                    everything = np.flatnonzero(weights > 0.0)
                mean_of(points, weights, everything, means[i])
                first[i] = everything[0]
                tied[i] = starts.size > 2
                continue
            if q[1] > 0.0 or (q[1] == 0.0 and q[0] < 0.0):
                chain, turns = upper, upper_corners
                corner, tie = _extreme_vertex(upper_vertices, q, above)
                above = corner
            else:
                chain, turns = lower, lower_corners
                corner, tie = _extreme_vertex(lower_vertices, q, below)
                below = corner
            if tie:
                face = _tokens_on_edge(order, starts, chain[turns[corner] : turns[corner + 1] + 1])
                mean_of(points, weights, face, means[i])
                first[i] = face[0]
                tied[i] = True
            else:
                found[j] = chain[turns[corner]]
        for j in range(size):  # apart from the search, so that memory answers to several rows at once
            place = found[j]
            if place >= 0:
                i = start + j if few else visits[start + j]
                first[i] = order[starts[place]]
                means[i, 0], means[i, 1] = places[place, 0], places[place, 1]
    return means, first, tied
