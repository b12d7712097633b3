"""The boundary of a cloud of tokens in the plane, and the face each query exposes, in n log n and exactly.

A query q is maximised over a cloud by the tokens on one face of its hull: a vertex or, on a tie, an edge with every token on
it. Both chains of the hull are therefore kept with their collinear and coinciding tokens, and a binary search over the
edges finds the face. All signs are exact (`hardmax.geometry.predicates`).
"""

import numpy as np
from numba import njit

from hardmax.geometry.predicates import dot_sign, orientation

_FEW = 24
"""Up to this many tokens insertion sort beats the general sort."""


@njit(cache=True)
def _outer_tokens(points: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Tokens that may lie on the boundary: all but those certainly inside the octagon of eight extreme tokens."""
    n = points.shape[0]
    extremes = np.full(8, -1)
    best = np.empty(8)
    values = np.empty(8)
    for i in range(n):
        if not present[i]:
            continue
        x, y = points[i, 0], points[i, 1]
        values[0], values[1], values[2], values[3] = x, x + y, y, y - x
        values[4], values[5], values[6], values[7] = -x, -x - y, -y, x - y
        for k in range(8):
            if extremes[k] < 0 or values[k] > best[k]:
                best[k] = values[k]
                extremes[k] = i
    outer = np.empty(n, np.int64)
    count = 0
    for i in range(n):
        if not present[i]:
            continue
        inside = True
        for k in range(8):
            a, b = extremes[k], extremes[(k + 1) % 8]
            if a == b:
                continue
            left = (points[b, 0] - points[a, 0]) * (points[i, 1] - points[a, 1])
            right = (points[b, 1] - points[a, 1]) * (points[i, 0] - points[a, 0])
            if not left - right > 1e-15 * (abs(left) + abs(right)) + 1e-280:
                inside = False
                break
        if not inside or extremes[0] == extremes[4]:
            outer[count] = i
            count += 1
    return outer[:count]


@njit(cache=True)
def _before(points: np.ndarray, i: int, j: int) -> bool:
    if points[i, 0] != points[j, 0]:
        return points[i, 0] < points[j, 0]
    if points[i, 1] != points[j, 1]:
        return points[i, 1] < points[j, 1]
    return i < j


@njit(cache=True)
def _insertion_sort(points: np.ndarray, order: np.ndarray) -> None:
    for k in range(1, order.size):
        token = order[k]
        place = k
        while place > 0 and _before(points, token, order[place - 1]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = token


@njit(cache=True)
def _sort(points: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Indices by first coordinate, then second, then index."""
    if order.size <= _FEW:
        _insertion_sort(points, order)
        return order
    order = order[np.argsort(points[order, 0], kind="mergesort")]
    start = 0
    while start < order.size:
        end = start + 1
        while end < order.size and points[order[end], 0] == points[order[start], 0]:
            end += 1
        if end - start > 1:
            run = order[start:end]
            order[start:end] = run[np.argsort(points[run, 1], kind="mergesort")]
        start = end
    return order


@njit(cache=True)
def boundary(points: np.ndarray, present: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Lower and upper chain of the hull of the tokens present, with all tokens that lie on it (Andrew's monotone chain).

    Args:
        points: tokens, shape (tokens, 2), float64.
        present: whether a token takes part, shape (tokens,), bool.

    Returns:
        order: indices of the tokens that may lie on the boundary, sorted by coordinates, coinciding ones by index.
        starts: where each group of coinciding tokens starts in `order`; one entry more than there are groups.
        lower: groups along the lower chain from the first to the last in `order`, collinear ones kept, the right vertical edge included.
        upper: the same for the upper chain, the left vertical edge included.
    """
    order = _sort(points, _outer_tokens(points, present))
    starts = np.empty(order.size + 1, np.int64)
    groups = 0
    for k in range(order.size):
        if k == 0 or points[order[k], 0] != points[order[k - 1], 0] or points[order[k], 1] != points[order[k - 1], 1]:
            starts[groups] = k
            groups += 1
    starts[groups] = order.size
    chains = np.empty((2, groups), np.int64)
    lengths = np.zeros(2, np.int64)
    for side in range(2):
        turn = 1 if side == 0 else -1
        size = 0
        for group in range(groups):
            c = points[order[starts[group]]]
            while size >= 2:
                a = points[order[starts[chains[side, size - 2]]]]
                b = points[order[starts[chains[side, size - 1]]]]
                if turn * orientation(a[0], a[1], b[0], b[1], c[0], c[1]) >= 0:
                    break
                size -= 1
            chains[side, size] = group
            size += 1
        lengths[side] = size
    return order, starts[: groups + 1], chains[0, : lengths[0]].copy(), chains[1, : lengths[1]].copy()


@njit(cache=True)
def corners(points: np.ndarray, order: np.ndarray, starts: np.ndarray, chain: np.ndarray) -> np.ndarray:
    """Positions in `chain` (from `boundary`) of the hull's vertices: its two ends and every true turn."""
    kept = np.empty(chain.size, np.int64)
    count = 0
    for k in range(chain.size):
        if 0 < k < chain.size - 1:
            a = points[order[starts[chain[kept[count - 1]]]]]
            b = points[order[starts[chain[k]]]]
            c = points[order[starts[chain[k + 1]]]]
            if orientation(a[0], a[1], b[0], b[1], c[0], c[1]) == 0:
                continue
        kept[count] = k
        count += 1
    return kept[:count]


@njit(cache=True)
def mean_of(points: np.ndarray, weights: np.ndarray, tokens: np.ndarray, mean: np.ndarray) -> None:
    """Weighted mean of some tokens into `mean`, as a + sum_j w_j (z_j - a) / sum_j w_j with a the token listed first.

    In this form the mean of coinciding tokens is the token itself, bit for bit.
    """
    dim = points.shape[1]
    total = 0.0
    for token in tokens:
        total += weights[token]
    for k in range(dim):
        anchor = points[tokens[0], k]
        offset = 0.0
        for token in tokens:
            offset += weights[token] * (points[token, k] - anchor)
        mean[k] = anchor + offset / total


@njit(cache=True)
def _edges(vertices: np.ndarray) -> np.ndarray:
    edges = np.empty((vertices.shape[0] - 1, 2))
    for k in range(vertices.shape[0] - 1):
        edges[k, 0] = vertices[k + 1, 0] - vertices[k, 0]
        edges[k, 1] = vertices[k + 1, 1] - vertices[k, 1]
    return edges


@njit(cache=True)
def _extreme_vertex(vertices: np.ndarray, edges: np.ndarray, q: np.ndarray) -> tuple[int, bool]:
    """Where along a strictly convex chain <q, v> is largest, and whether the edge that starts there ties, by binary search."""
    low = 0
    high = vertices.shape[0] - 1
    while low < high:
        middle = (low + high) // 2
        first = q[0] * edges[middle, 0]
        second = q[1] * edges[middle, 1]
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


@njit(cache=True)
def _tokens_on_edge(order: np.ndarray, starts: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Ascending indices of the tokens in some groups along a chain."""
    size = 0
    for group in groups:
        size += starts[group + 1] - starts[group]
    face = np.empty(size, np.int64)
    size = 0
    for group in groups:
        for place in range(starts[group], starts[group + 1]):
            face[size] = order[place]
            size += 1
    face.sort()
    return face


@njit(cache=True)
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
    order, starts, lower, upper = boundary(points, weights > 0.0)
    lower_corners = corners(points, order, starts, lower)
    upper_corners = corners(points, order, starts, upper)
    lower_vertices = points[order[starts[lower[lower_corners]]]]
    upper_vertices = points[order[starts[upper[upper_corners]]]]
    lower_edges = _edges(lower_vertices)
    upper_edges = _edges(upper_vertices)
    count = queries.shape[0]
    means = np.empty((count, 2))
    first = np.empty(count, np.int64)
    tied = np.zeros(count, np.bool_)
    everything = np.empty(0, np.int64)
    for i in range(count):
        q = queries[i]
        if q[0] == 0.0 and q[1] == 0.0:
            if everything.size == 0:
                everything = np.flatnonzero(weights > 0.0)
            mean_of(points, weights, everything, means[i])
            first[i] = everything[0]
            tied[i] = starts.size > 2
            continue
        if q[1] > 0.0 or (q[1] == 0.0 and q[0] < 0.0):
            chain, turns = upper, upper_corners
            place, tie = _extreme_vertex(upper_vertices, upper_edges, q)
        else:
            chain, turns = lower, lower_corners
            place, tie = _extreme_vertex(lower_vertices, lower_edges, q)
        if tie:
            face = _tokens_on_edge(order, starts, chain[turns[place] : turns[place + 1] + 1])
            mean_of(points, weights, face, means[i])
            first[i] = face[0]
            tied[i] = True
        else:
            token = order[starts[chain[turns[place]]]]
            means[i, 0] = points[token, 0]
            means[i, 1] = points[token, 1]
            first[i] = token
    return means, first, tied
