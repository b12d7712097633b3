"""The face of a cloud in the plane that each query exposes: a vertex or, on a tie, an edge with every token on it.

Over a small hull all queries are compared with all vertices at once; over a large one each query searches the edges of its chain,
whose directions turn one way, by bisection. Both are exact.
"""

import numpy as np

from hardmax.compilation import njit
from hardmax.geometry.plane import boundary, corners, mean_of, sorted_rows
from hardmax.geometry.predicates import dot_sign

_SMALL_HULL = 32
"""Up to this many vertices comparing with all of them beats bisection."""
_BLOCK = 1024
"""Queries compared with all vertices at a time."""
_LARGE_HULL = 4096
"""From this many vertices queries are answered in the order of their angles, so that neighbours meet the same edges in the cache."""


@njit
def _extreme_vertex(vertices: np.ndarray, q: np.ndarray) -> tuple[int, bool]:
    """Where along a strictly convex chain <q, v> is largest, and whether the edge that starts there ties."""
    low = 0
    high = vertices.shape[0] - 1
    while low < high:
        middle = (low + high) // 2
        first = q[0] * (vertices[middle + 1, 0] - vertices[middle, 0])
        second = q[1] * (vertices[middle + 1, 1] - vertices[middle, 1])
        product = first + second
        size = abs(first) + abs(second)
        if abs(product) > 1e-15 * size and size > 1e-280:
            sign = 1 if product > 0.0 else -1
        else:
            sign = dot_sign(q, vertices[middle + 1], vertices[middle])
        if sign > 0:
            low = middle + 1
        elif sign < 0:
            high = middle
        else:
            return middle, True
    return low, False


@njit
def _tokens_on_edge(order: np.ndarray, starts: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Ascending indices of the tokens at some places along a chain."""
    size = 0
    for place in places:
        size += starts[place + 1] - starts[place]
    rows = np.zeros((size, 3))
    size = 0
    for place in places:
        for k in range(starts[place], starts[place + 1]):
            rows[size, 0] = order[k]
            size += 1
    rows = sorted_rows(rows)
    face = np.empty(size, np.int64)
    for k in range(size):
        face[k] = int(rows[k, 0])
    return face


@njit
def _best_of_few(places: np.ndarray, around: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """For each query which of the vertices `around` has the largest <q, v>, or -1 where rounding leaves it in doubt."""
    count = queries.shape[0]
    x = queries[:, 0].copy()
    y = queries[:, 1].copy()
    best = np.full(count, -np.inf)
    second = np.full(count, -np.inf)
    found = np.zeros(count, np.int64)
    radius = 0.0
    for k in range(around.size):
        vx, vy = places[around[k], 0], places[around[k], 1]
        radius = max(radius, abs(vx), abs(vy))
        for j in range(count):
            product = x[j] * vx + y[j] * vy
            better = product > best[j]
            second[j] = best[j] if better else max(second[j], product)
            found[j] = k if better else found[j]
            best[j] = product if better else best[j]
    for j in range(count):
        if not best[j] - second[j] > 1e-15 * (abs(x[j]) + abs(y[j])) * radius + 1e-280:
            found[j] = -1
    return found


@njit
def _by_angle(queries: np.ndarray) -> np.ndarray:
    rows = np.zeros((queries.shape[0], 3))
    for i in range(queries.shape[0]):
        x, y = queries[i, 0], queries[i, 1]
        size = abs(x) + abs(y)
        share = x / size if size > 0.0 else 0.0
        rows[i, 0] = 1.0 - share if y >= 0.0 else 3.0 + share
        rows[i, 2] = i
    rows = sorted_rows(rows)
    visits = np.empty(queries.shape[0], np.int64)
    for i in range(visits.size):
        visits[i] = int(rows[i, 2])
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
    hull = lower_corners.size + upper_corners.size
    known = np.empty(0, np.int64)
    around = np.empty(0, np.int64)
    if hull <= _SMALL_HULL:
        around = np.empty(hull, np.int64)
        for k in range(lower_corners.size):
            around[k] = lower[lower_corners[k]]
        for k in range(1, upper_corners.size - 1):
            around[lower_corners.size + k - 1] = upper[upper_corners[k]]
        around = around[: lower_corners.size + max(0, upper_corners.size - 2)]
    visits = _by_angle(queries) if hull > _LARGE_HULL else np.empty(0, np.int64)
    for visit in range(count):
        i = visits[visit] if visits.size else visit
        q = queries[i]
        if around.size and i % _BLOCK == 0:
            known = _best_of_few(places, around, queries[i : i + _BLOCK])
        if around.size and known[i % _BLOCK] >= 0:
            place = around[known[i % _BLOCK]]
            first[i] = order[starts[place]]
            means[i, 0] = places[place, 0]
            means[i, 1] = places[place, 1]
            continue
        if q[0] == 0.0 and q[1] == 0.0:
            if everything.size == 0:
                everything = np.flatnonzero(weights > 0.0)
            mean_of(points, weights, everything, means[i])
            first[i] = everything[0]
            tied[i] = starts.size > 2
            continue
        if q[1] > 0.0 or (q[1] == 0.0 and q[0] < 0.0):
            chain, turns = upper, upper_corners
            corner, tie = _extreme_vertex(upper_vertices, q)
        else:
            chain, turns = lower, lower_corners
            corner, tie = _extreme_vertex(lower_vertices, q)
        if tie:
            face = _tokens_on_edge(order, starts, chain[turns[corner] : turns[corner + 1] + 1])
            mean_of(points, weights, face, means[i])
            first[i] = face[0]
            tied[i] = True
        else:
            place = chain[turns[corner]]
            first[i] = order[starts[place]]
            means[i, 0] = places[place, 0]
            means[i, 1] = places[place, 1]
    return means, first, tied
