"""Which tokens a token may follow, by float32 products, and how far ahead its leader is: parts that the compiled layers inline."""

import numpy as np

from hardmax.compilation import njit

EPSILON = 2.0**-23
"""Rounding unit of float32, doubled for safety."""
LANES = 16
"""Products are computed in whole vectors of this many numbers; what stands beyond the review is not looked at."""


@njit(inline="always")
def scaled_columns(state, first, n, columns):
    """Tokens as float32 columns (dim, token), scaled so that the longest has norm 1; returns the square of its norm."""
    dim = state.shape[1]
    longest = 1e-300
    for i in range(first, first + n):
        square = 0.0
        for c in range(dim):
            square += state[i, c] * state[i, c]
        longest = max(longest, square)
    scale = 1.0 / np.sqrt(longest)
    for i in range(n):
        for c in range(dim):
            columns[c, i] = scale * state[first + i, c]
    return longest


@njit(inline="always")
def followed_candidates(columns, i, n, gap, product, kept):
    """Tokens whose inner product with token i may be within `gap` of the largest; their number, and the margin where it is one.

    The rounding of the float32 products widens the gap and lessens the margin, so no candidate is missed.
    """
    dim = columns.shape[0]
    whole = (n + LANES - 1) // LANES * LANES
    if dim % 2 == 1:
        a = columns[0, i]
        for j in range(whole):
            product[j] = a * columns[0, j]
    else:
        a, b = columns[0, i], columns[1, i]
        for j in range(whole):
            product[j] = a * columns[0, j] + b * columns[1, j]
    for c in range(2 - dim % 2, dim - 3, 4):
        a, b, e, f = columns[c, i], columns[c + 1, i], columns[c + 2, i], columns[c + 3, i]
        for j in range(whole):
            product[j] += (a * columns[c, j] + b * columns[c + 1, j]) + (e * columns[c + 2, j] + f * columns[c + 3, j])
    if (dim - 2 + dim % 2) % 4 != 0:
        a, b = columns[dim - 2, i], columns[dim - 1, i]
        for j in range(whole):
            product[j] += a * columns[dim - 2, j] + b * columns[dim - 1, j]
    largest = product[0]
    for j in range(n):
        largest = max(largest, product[j])
    rounding = 2.0 * (dim + 4) * EPSILON
    least = np.float32(largest - gap - rounding)
    count = 0
    for j in range(n):
        if product[j] >= least:
            kept[count] = j
            count += 1
    if count > 1:
        return count, 0.0
    product[kept[0]] = np.float32(-4.0)
    second = product[0]
    for j in range(n):
        second = max(second, product[j])
    return 1, largest - second - rounding


@njit(inline="always")
def next_margins(margin, aim, first, n, step, room, after):
    """Bounds of the next layer's margins from this one's, 0 where there is none; returns whether all are above `room`."""
    settled = True
    for i in range(n):
        leader = aim[i] - first
        after[i] = 0.0
        if margin[i] > room and margin[leader] > room and aim[leader] == aim[i] and step >= 0.0:
            after[i] = (1.0 - step) * ((1.0 - step) * margin[i] + step * margin[leader]) * (1.0 - 1e-9)
        settled = settled and after[i] > room
    for i in range(n):
        margin[i] = after[i]
    return settled
