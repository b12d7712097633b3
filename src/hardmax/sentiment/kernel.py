"""Compiled layers of the classifier on whole reviews: softmax forward and backward, hardmax forward.

A review is a run of distinct tokens `start[b]:start[b + 1]` with multiplicities, in one concatenated array, so padding and
repeated words cost nothing. At a small temperature a row of softmax has a handful of nonzero weights: only those above
`exp(-CUT)` of the largest are computed and stored, and the backward pass runs over them alone. No n x n array is written.

Rows that follow one token are most of all, and stay so. Let m_i be the margin of row i, by which its largest inner product
exceeds the next, at a token l that follows itself alone. A layer moves each token to a convex combination of tokens and leaves
l in place, so with s = alpha / (1 + alpha) >= 0 the next margin is at least (1 - s) ((1 - s) m_i + s m_l). As long as this bound
leaves room for no second weight, the row is **settled**: its products need not be computed again. The rules of `hardmax.dynamics`, against
which the tests compare, neither carry margins from layer to layer nor keep sparse weights for a backward pass.

Results are float64 (float32 products only rule tokens out, with room for their rounding), one token row after the other: they
depend neither on threads nor on the batch. One signature a kernel, compiled ahead: concurrent jobs write identical
entries into numba's cache.
"""

from typing import Any

import numpy as np

from hardmax.compilation import njit
from hardmax.sentiment.margins import LANES, followed_candidates, next_margins, scaled_columns

CUT = 40.0
"""Weights below exp(-40) = 4e-18 of the largest are zero: far below the rounding of a float64 sum of 128 terms."""
OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"nnan", "nsz"}}
"""They let the row maximum be vectorised; the order of a maximum does not change its value."""


@njit(**OPTIONS, signature="i8(f8[:,:,::1], f8[::1], i8[::1], f8, f8, i8[:,:,::1], i8[::1], f8[::1])")
def softmax_forward(states, log_count, start, alpha, temperature, rows, column, weight):
    """Fill `states[1:]` (layer, token, dim) from `states[0]`, and the nonzero weights of all rows.

    Row (layer, token) has its followed tokens in `column[b:e]` and their weights in `weight[b:e]`, `b, e = rows[layer, token]`.
    Returns the number of nonzero weights; when it is above the room in `column`, the rest was not stored: call again with more.
    """
    depth, dim = states.shape[0] - 1, states.shape[2]
    longest = np.max(np.diff(start))
    columns, product = np.zeros((dim, longest + LANES), np.float32), np.zeros(longest + LANES, np.float32)
    aim, kept = np.empty(longest, np.int64), np.empty(longest, np.int64)
    margin, after, score, mean = np.empty(longest), np.empty(longest), np.empty(longest), np.empty(dim)
    step, inverse = alpha / (1.0 + alpha), 1.0 / temperature
    used, capacity = 0, len(column)
    for review in range(start.shape[0] - 1):
        first = start[review]
        n = start[review + 1] - first
        slack = CUT
        for i in range(n):
            aim[i] = first + i
            margin[i] = 0.0
            slack = max(slack, CUT + log_count[first + i])
        slack *= temperature
        settled, square, room = False, 1.0, slack
        for layer in range(depth):
            state = states[layer]
            if not settled:
                square = scaled_columns(state, first, n, columns)
                room = slack + 1e-12 * square
            for i in range(n):
                token, begin, count = first + i, used, 1
                if margin[i] <= room:
                    count, free = followed_candidates(columns, i, n, slack / square, product, kept)
                    margin[i] = free * square
                    aim[i] = first + kept[0]
                if count == 1:  # one weight, equal to 1
                    other = aim[i]
                    if used < capacity:
                        column[used], weight[used] = other, 1.0
                    used += 1
                    rows[layer, token, 0], rows[layer, token, 1] = begin, used
                    for c in range(dim):
                        states[layer + 1, token, c] = state[token, c] + step * (state[other, c] - state[token, c])
                    continue
                total, largest = 0.0, -np.inf
                for k in range(count):
                    other = first + kept[k]
                    dot = 0.0
                    for c in range(dim):
                        dot += state[token, c] * state[other, c]
                    score[k] = dot * inverse + log_count[other]
                    largest = max(largest, score[k])
                mean[:] = 0.0
                for k in range(count):
                    if score[k] >= largest - CUT:
                        factor = np.exp(score[k] - largest)
                        total += factor
                        other = first + kept[k]
                        for c in range(dim):
                            mean[c] += factor * state[other, c]
                        if used < capacity:
                            column[used], weight[used] = other, factor
                        used += 1
                rows[layer, token, 0], rows[layer, token, 1] = begin, used
                for k in range(begin, min(used, capacity)):
                    weight[k] /= total
                for c in range(dim):
                    states[layer + 1, token, c] = state[token, c] + step * (mean[c] / total - state[token, c])
            settled = next_margins(margin, aim, first, n, step, room, after)
    return used


@njit(**OPTIONS, signature="f8(f8[:,:,::1], f8, f8, i8[:,:,::1], i8[::1], f8[::1], f8[:,::1], f8[:,::1])")
def softmax_backward(states, alpha, temperature, rows, column, weight, gradient, before):
    """Pull `gradient` (token, dim) of the last layer back to the first, in place; return the gradient of alpha.

    With A_i the softmax mean of row i and H_i = alpha / (1 + alpha) G_i, a score's gradient is p_ij H_i.(z_j - A_i); the
    subtraction before the product, and z_j - A_i in the row's own term (its scores' gradients sum to zero), keep the
    digits that a dense softmax loses at a small temperature. `before` is room for one layer's gradient.
    """
    depth, tokens, dim = states.shape[0] - 1, states.shape[1], states.shape[2]
    mean, pulled = np.empty(dim), np.empty(dim)
    step, inverse, shrink = alpha / (1.0 + alpha), 1.0 / temperature, 1.0 / (1.0 + alpha)
    gradient_alpha = 0.0
    for layer in range(depth - 1, -1, -1):
        state = states[layer]
        for i in range(tokens):
            for c in range(dim):
                before[i, c] = shrink * gradient[i, c]
        for i in range(tokens):
            begin, end = rows[layer, i]
            if end - begin == 1:  # one token followed: its weight is 1 and does not move
                j = column[begin]
                for c in range(dim):
                    gradient_alpha += gradient[i, c] * (state[j, c] - state[i, c])
                    before[j, c] += step * gradient[i, c]
                continue
            mean[:] = 0.0
            for k in range(begin, end):
                for c in range(dim):
                    mean[c] += weight[k] * state[column[k], c]
            for c in range(dim):
                gradient_alpha += gradient[i, c] * (mean[c] - state[i, c])
                pulled[c] = step * gradient[i, c]
            for k in range(begin, end):
                j = column[k]
                slope = 0.0
                for c in range(dim):
                    slope += pulled[c] * (state[j, c] - mean[c])
                slope *= weight[k] * inverse
                for c in range(dim):
                    before[j, c] += weight[k] * pulled[c] + slope * state[i, c]
                    before[i, c] += slope * (state[j, c] - mean[c])
        gradient[:] = before
    return gradient_alpha * shrink * shrink


@njit(**OPTIONS, signature="void(f8[:,:,::1], f8[::1], i8[::1], f8, i8[:,::1], b1[:,::1])")
def hardmax_forward(states, count, start, alpha, followed, leads):
    """Fill `states[1:]` from `states[0]` by hardmax layers, with the followed token of each row and who leads at each layer.

    `followed` (layer + 1, token): lowest index followed. `leads` (layer + 1, token): every followed token has the row's own
    value. Ties are exact equality of float64 scores; tied tokens are averaged by multiplicity.
    """
    layers, dim = states.shape[0], states.shape[2]
    longest = np.max(np.diff(start))
    columns, product = np.zeros((dim, longest + LANES), np.float32), np.zeros(longest + LANES, np.float32)
    aim, kept = np.empty(longest, np.int64), np.empty(longest, np.int64)
    margin, after, score, mean = np.empty(longest), np.empty(longest), np.empty(longest), np.empty(dim)
    step = alpha / (1.0 + alpha)
    for review in range(start.shape[0] - 1):
        first = start[review]
        n = start[review + 1] - first
        aim[:n] = first
        margin[:n] = 0.0
        settled, square, room = False, 1.0, 0.0
        for layer in range(layers):
            state = states[layer]
            if not settled:
                square = scaled_columns(state, first, n, columns)
                room = 1e-12 * square
            for i in range(n):
                token, near = first + i, 1
                if margin[i] <= room:
                    near, free = followed_candidates(columns, i, n, 0.0, product, kept)
                    margin[i] = free * square
                    aim[i] = first + kept[0]
                largest, total, chosen, own = -np.inf, 1.0, aim[i], True
                if near == 1:
                    for c in range(dim):
                        mean[c] = state[chosen, c] - state[token, c]
                    own = chosen == token
                else:
                    for k in range(near):
                        score[k] = 0.0
                        for c in range(dim):
                            score[k] += state[token, c] * state[first + kept[k], c]
                        largest = max(largest, score[k])
                    total, chosen = 0.0, first + n
                    mean[:] = 0.0
                    for k in range(near):
                        if score[k] == largest:
                            other = first + kept[k]
                            chosen = min(chosen, other)
                            total += count[other]
                            for c in range(dim):
                                # as a difference: coinciding tokens then average to themselves, bit for bit
                                mean[c] += count[other] * (state[other, c] - state[token, c])
                                own = own and state[other, c] == state[token, c]
                followed[layer, token] = chosen
                leads[layer, token] = own
                if layer + 1 < layers:
                    for c in range(dim):
                        states[layer + 1, token, c] = state[token, c] + step * (mean[c] / total)
            settled = next_margins(margin, aim, first, n, step, room, after)
