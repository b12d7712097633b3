"""Sorting of points in the plane in nearly linear time, by dealing them into drawers first.

A key is a drawer's number, times 2**32, plus an index. Keys and not points are moved, in two passes, so that little memory is touched, and in order.
"""

import numpy as np

from hardmax.compilation import njit

INDEX = (1 << 32) - 1
"""The part of a key that is an index."""
_FEW = 16
"""Points that insertion sort puts in order before runs are merged."""


@njit
def _merge_runs(source: np.ndarray, target: np.ndarray, width: int) -> None:
    """Merge neighbouring sorted runs of `width` rows of `source` into `target`."""
    count = source.shape[0]
    for start in range(0, count, 2 * width):
        left, right = start, min(start + width, count)
        middle, end = right, min(start + 2 * width, count)
        for place in range(start, end):
            take_left = left < middle
            if take_left and right < end:
                if source[left, 0] != source[right, 0]:
                    take_left = source[left, 0] < source[right, 0]
                else:
                    take_left = source[left, 1] <= source[right, 1]
            taken = left if take_left else right
            target[place, 0], target[place, 1], target[place, 2] = source[taken, 0], source[taken, 1], source[taken, 2]
            if take_left:
                left += 1
            else:
                right += 1


@njit
def _deal(keys: np.ndarray, shift: int, bits: int, dealt: np.ndarray) -> None:
    mask = (1 << bits) - 1
    ends = np.zeros(mask + 2, np.int64)
    for key in keys:
        ends[((key >> shift) & mask) + 1] += 1
    ends = np.cumsum(ends)
    for key in keys:
        digit = (key >> shift) & mask
        dealt[ends[digit]] = key
        ends[digit] += 1


@njit
def drawer_bits(count: int) -> int:
    """Half the number of bits of a drawer's number, so that `count` things have some more drawers than they are."""
    bits = 1
    while 4**bits < 2 * count and bits < 15:
        bits += 1
    return bits


@njit
def deal(keys: np.ndarray, bits: int) -> None:
    """Sort keys (drawer << 32) + index by their drawers, of 2 `bits` bits, those of one drawer in the order given.

    In two passes, each by half the bits, so that memory is touched nearly in order.
    """
    other = np.empty_like(keys)
    _deal(keys, 32, bits, other)
    _deal(other, 32 + bits, bits, keys)


@njit
def _sort_few(places: np.ndarray, tokens: np.ndarray) -> None:
    """Insertion sort."""
    for k in range(1, tokens.size):
        x, y, token = places[k, 0], places[k, 1], tokens[k]
        place = k
        while place > 0 and (x < places[place - 1, 0] or (x == places[place - 1, 0] and y < places[place - 1, 1])):
            places[place, 0], places[place, 1], tokens[place] = places[place - 1, 0], places[place - 1, 1], tokens[place - 1]
            place -= 1
        places[place, 0], places[place, 1], tokens[place] = x, y, token


@njit
def _sort_many(places: np.ndarray, tokens: np.ndarray) -> None:
    """Merge sort, whose memory is touched in order."""
    count = tokens.size
    for start in range(0, count, _FEW):
        _sort_few(places[start : start + _FEW], tokens[start : start + _FEW])
    rows = np.empty((count, 3))
    for k in range(count):
        rows[k, 0], rows[k, 1], rows[k, 2] = places[k, 0], places[k, 1], tokens[k]
    other = np.empty_like(rows)
    width = _FEW
    while width < count:
        _merge_runs(rows, other, width)
        rows, other = other, rows
        width *= 2
    for k in range(count):
        places[k, 0], places[k, 1], tokens[k] = rows[k, 0], rows[k, 1], int(rows[k, 2])


@njit
def sorted_places(points: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """Sort tokens (indices, ascending) in place by their points' x, then y, then index, and give these points in that order.

    Tokens are dealt into drawers, small equal intervals of x, and each drawer is sorted: linear time where x is spread, n log n where not.
    """
    low, high = np.inf, -np.inf
    for token in tokens:
        low, high = min(low, points[token, 0]), max(high, points[token, 0])
    bits = drawer_bits(tokens.size)
    scale = (4.0**bits - 1.0) / (high - low) if high > low else 0.0
    if 0.0 < scale < np.inf:
        for k in range(tokens.size):
            tokens[k] |= int((points[tokens[k], 0] - low) * scale) << 32
        deal(tokens, bits)
    places = np.empty((tokens.size, 2))
    for k in range(tokens.size):
        token = tokens[k] & INDEX
        places[k, 0], places[k, 1] = points[token, 0], points[token, 1]
    start = 0
    for k in range(1, tokens.size + 1):
        if k == tokens.size or tokens[k] >> 32 != tokens[start] >> 32:
            if k - start > 1:
                drawer = tokens[start:k]
                drawer &= INDEX
                if k - start <= _FEW:
                    _sort_few(places[start:k], drawer)
                else:
                    _sort_many(places[start:k], drawer)
            start = k
    tokens &= INDEX
    return places
