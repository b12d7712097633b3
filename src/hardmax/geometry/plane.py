"""The boundary of a cloud of tokens in the plane, in n log n and exactly (A. M. Andrew's monotone chains).

Both chains of the hull are kept with their collinear and coinciding tokens, so that a tie along an edge finds every token on it.
All signs are exact (`hardmax.geometry.predicates`).
"""

import numpy as np

from hardmax.compilation import njit
from hardmax.geometry.predicates import orientation
from hardmax.geometry.sorting import sorted_places

_BLOCK = 1024
"""Tokens compared with the octagon at a time."""


@njit
def _octagon(points: np.ndarray, present: np.ndarray) -> np.ndarray:
    """The tokens that reach farthest in eight directions, counterclockwise from the right, each once."""
    extremes = np.full(8, -1)
    best = np.full(8, -np.inf)
    values = np.empty(4)
    for i in range(points.shape[0]):
        if present[i]:
            x, y = points[i, 0], points[i, 1]
            values[0], values[1], values[2], values[3] = x, x + y, y, y - x
            for k in range(8):
                value = values[k] if k < 4 else -values[k - 4]
                if value > best[k]:
                    best[k] = value
                    extremes[k] = i
    kept = np.empty(8, np.int64)
    count = 0
    for k in range(8):
        if extremes[k] != extremes[k - 1]:
            kept[count] = extremes[k]
            count += 1
    return kept[:count]


@njit(fastmath={"nnan", "nsz"})
def _inner_margins(x: np.ndarray, y: np.ndarray, corners: np.ndarray, margins: np.ndarray) -> None:
    """How far inside the octagon's edges each point lies at least, less a bound on rounding: certainly inside where positive."""
    margins[:] = np.inf
    for k in range(corners.shape[0]):
        ax, ay = corners[k - 1, 0], corners[k - 1, 1]
        dx, dy = corners[k, 0] - ax, corners[k, 1] - ay
        for j in range(x.size):
            left = dx * (y[j] - ay)
            right = dy * (x[j] - ax)
            margins[j] = min(margins[j], left - right - 1e-15 * (abs(left) + abs(right)))


@njit
def _outer_tokens(points: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Tokens that may lie on the boundary: all present but those certainly inside the octagon of eight extreme tokens."""
    octagon = _octagon(points, present)
    corners = np.empty((octagon.size, 2))
    for k in range(octagon.size):
        corners[k, 0], corners[k, 1] = points[octagon[k], 0], points[octagon[k], 1]
    outer = np.empty(points.shape[0], np.int64)
    count = 0
    margins = np.empty(_BLOCK)
    for start in range(0, points.shape[0], _BLOCK):
        block = points[start : start + _BLOCK]
        size = block.shape[0]
        if octagon.size > 2:
            _inner_margins(block[:, 0].copy(), block[:, 1].copy(), corners, margins[:size])
        for j in range(size):
            if present[start + j] and (octagon.size <= 2 or not margins[j] > 1e-280):
                outer[count] = start + j
                count += 1
    return outer[:count]


@njit
def _on_side(places: np.ndarray, turn: int) -> np.ndarray:
    """Places in their order but those certainly to the left (turn 1) or right (turn -1) of the line from the first to the last."""
    kept = np.empty(places.shape[0], np.int64)
    size = 0
    ax, ay = places[0, 0], places[0, 1]
    dx, dy = turn * (places[-1, 0] - ax), turn * (places[-1, 1] - ay)
    for c in range(places.shape[0]):
        left = dx * (places[c, 1] - ay)
        right = dy * (places[c, 0] - ax)
        kept[size] = c
        size += not left - right > 1e-15 * (abs(left) + abs(right)) + 1e-280  # no branch, which nobody could predict
    return kept[:size]


@njit
def _chain(places: np.ndarray, turn: int) -> np.ndarray:
    """Places along the lower (turn 1) or upper (turn -1) chain of lexicographically sorted distinct places, collinear ones kept."""
    chain = _on_side(places, turn)
    size = 0
    for c in chain:
        while size >= 2:
            a, b = chain[size - 2], chain[size - 1]
            if turn * orientation(places[a, 0], places[a, 1], places[b, 0], places[b, 1], places[c, 0], places[c, 1]) >= 0:
                break
            size -= 1
        chain[size] = c
        size += 1
    return chain[:size]


@njit
def boundary(points: np.ndarray, present: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Lower and upper chain of the hull of the tokens present, with all tokens that lie on it.

    Args:
        points: tokens, shape (tokens, 2), float64.
        present: whether a token takes part, shape (tokens,), bool.

    Returns:
        order: indices of the tokens that may lie on the boundary, sorted by coordinates, coinciding ones by index.
        starts: where each place, a group of coinciding tokens, starts in `order`; one entry more than there are places.
        places: coordinates of each place, shape (places, 2).
        lower: places along the lower chain from the first to the last, collinear ones kept, the right vertical edge included.
        upper: the same for the upper chain, the left vertical edge included.
    """
    order = _outer_tokens(points, present)
    places = sorted_places(points, order)
    starts = np.empty(order.size + 1, np.int64)
    count = 0
    for k in range(order.size):
        x, y = places[k, 0], places[k, 1]
        if count == 0 or x != places[count - 1, 0] or y != places[count - 1, 1]:
            places[count, 0], places[count, 1] = x, y
            starts[count] = k
            count += 1
    starts[count] = order.size
    places = places[:count]
    return order, starts[: count + 1], places, _chain(places, 1), _chain(places, -1)


@njit
def corners(places: np.ndarray, chain: np.ndarray) -> np.ndarray:
    """Positions in `chain` (from `boundary`) of the hull's vertices: its two ends and every true turn."""
    kept = np.empty(chain.size, np.int64)
    count = 0
    for k in range(chain.size):
        if 0 < k < chain.size - 1:
            a, b, c = chain[kept[count - 1]], chain[k], chain[k + 1]
            if orientation(places[a, 0], places[a, 1], places[b, 0], places[b, 1], places[c, 0], places[c, 1]) == 0:
                continue
        kept[count] = k
        count += 1
    return kept[:count].copy()


@njit
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
