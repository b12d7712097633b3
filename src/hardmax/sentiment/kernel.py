"""Compiled layers of the classifier on whole reviews: softmax forward and backward, hardmax forward.

A review is a run of distinct tokens `start[b]:start[b + 1]` with multiplicities, in one concatenated array, so padding
and repeated words cost nothing. Softmax at a small temperature has a handful of nonzero weights a row: scores live in
one row buffer, only weights above `exp(-CUT)` of the largest are computed and stored, and the backward pass runs over
those alone. No n x n array is written.

All arithmetic is float64, one token row after the other: the result depends neither on threads nor on the batch.
One signature a kernel, compiled ahead into numba's cache. Concurrent jobs then write identical entries; where neither the
package nor the user's cache folder can be written, the kernels are compiled in memory.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

CUT = 40.0
"""Weights below exp(-40) = 4e-18 of the largest are zero: far below the rounding of a float64 sum of 128 terms."""


def _compiled(signature: str) -> Callable[[Callable], Callable]:
    def decorate(function: Callable) -> Callable:
        # nnan, nsz let the row maximum be vectorised; the order of a maximum does not change its value.
        options: dict[str, Any] = {"error_model": "numpy", "fastmath": {"nnan", "nsz"}}
        try:
            return numba.njit(signature, cache=True, **options)(function)
        except (RuntimeError, OSError):
            return numba.njit(signature, **options)(function)

    return decorate


@numba.njit(inline="always")
def _sort_by_norm(state, first, n, order, norm, columns):
    """Order a review's tokens by falling norm (insertion sort: `order` comes nearly sorted from the layer before); fill columns."""
    dim = state.shape[1]
    for i in range(n):
        token = order[i]
        square = 0.0
        for c in range(dim):
            square += state[token, c] ** 2
        length = np.sqrt(square)
        k = i
        while k > 0 and norm[k - 1] < length:
            norm[k] = norm[k - 1]
            order[k] = order[k - 1]
            k -= 1
        norm[k] = length
        order[k] = token
    for i in range(n):
        for c in range(dim):
            columns[c, i] = state[order[i], c]


@numba.njit(inline="always")
def _row_of_scores(columns, i, reach, inverse, logs, score):
    dim = columns.shape[0]
    for j in range(reach):
        score[j] = logs[j]
    for c in range(0, dim - 3, 4):
        a, b = columns[c, i] * inverse, columns[c + 1, i] * inverse
        e, f = columns[c + 2, i] * inverse, columns[c + 3, i] * inverse
        for j in range(reach):
            score[j] += (a * columns[c, j] + b * columns[c + 1, j]) + (e * columns[c + 2, j] + f * columns[c + 3, j])
    for c in range(dim - dim % 4, dim):
        a = columns[c, i] * inverse
        for j in range(reach):
            score[j] += a * columns[c, j]


@_compiled("i8(f8[:,:,::1], f8[::1], i8[::1], f8, f8, i8[:,:,::1], i8[::1], f8[::1])")
def softmax_forward(states, log_count, start, alpha, temperature, rows, column, weight):
    """Fill `states[1:]` (layer, token, dim) from `states[0]`, and the nonzero weights of all rows.

    Row (layer, token) has its followed tokens in `column[b:e]` and their weights in `weight[b:e]`, `b, e = rows[layer, token]`.
    Returns the number of nonzero weights; when it is above the room in `column`, the rest was not stored: call again with more.
    """
    depth, dim = states.shape[0] - 1, states.shape[2]
    longest = np.max(np.diff(start))
    columns = np.empty((dim, longest))
    order = np.empty(longest, np.int64)
    norm, logs, score = np.empty(longest), np.empty(longest), np.empty(longest)
    mean = np.empty(dim)
    step, inverse = alpha / (1.0 + alpha), 1.0 / temperature
    used, capacity = 0, len(column)
    for review in range(start.shape[0] - 1):
        first = start[review]
        n = start[review + 1] - first
        slack = CUT
        for i in range(n):
            order[i] = first + i
            slack = max(slack, CUT + log_count[first + i])
        slack *= temperature
        for layer in range(depth):
            state = states[layer]
            _sort_by_norm(state, first, n, order, norm, columns)
            for i in range(n):
                logs[i] = log_count[order[i]]
            reach = 0
            for i in range(n):
                # |z_i||z_j| bounds a score from above, |z_i|^2 the row's largest from below: no token past `reach` can count
                least = norm[i] - slack / norm[i] if norm[i] > 0.0 else -1.0
                while reach < n and norm[reach] >= least * (1.0 - 1e-12):
                    reach += 1
                _row_of_scores(columns, i, reach, inverse, logs, score)
                largest = score[0]
                for j in range(reach):
                    largest = max(largest, score[j])
                token, begin, total = order[i], used, 0.0
                mean[:] = 0.0
                for j in range(reach):
                    if score[j] >= largest - CUT:
                        factor = np.exp(score[j] - largest)
                        total += factor
                        followed = order[j]
                        for c in range(dim):
                            mean[c] += factor * state[followed, c]
                        if used < capacity:
                            column[used], weight[used] = followed, factor
                        used += 1
                rows[layer, token, 0], rows[layer, token, 1] = begin, used
                inverse_total = 1.0 / total
                for k in range(begin, min(used, capacity)):
                    weight[k] *= inverse_total
                for c in range(dim):
                    states[layer + 1, token, c] = state[token, c] + step * (mean[c] * inverse_total - state[token, c])
    return used


@_compiled("f8(f8[:,:,::1], f8, f8, i8[:,:,::1], i8[::1], f8[::1], f8[:,::1], f8[:,::1])")
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
            mean[:] = 0.0
            for k in range(begin, end):
                for c in range(dim):
                    mean[c] += weight[k] * state[column[k], c]
            for c in range(dim):
                gradient_alpha += gradient[i, c] * (mean[c] - state[i, c])
                pulled[c] = step * gradient[i, c]
            if end - begin == 1:  # one token followed: its weight is 1 and does not move
                for c in range(dim):
                    before[column[begin], c] += pulled[c]
                continue
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


@_compiled("void(f8[:,:,::1], f8[::1], i8[::1], f8, i8[:,::1], b1[:,::1])")
def hardmax_forward(states, count, start, alpha, followed, leads):
    """Fill `states[1:]` from `states[0]` by hardmax layers, with the followed token of each row and who leads at each layer.

    `followed` (layer + 1, token): lowest index followed. `leads` (layer + 1, token): every followed token has the row's own
    value. Ties are exact equality of float64 scores; tied tokens are averaged by multiplicity.
    """
    layers, dim = states.shape[0], states.shape[2]
    longest = np.max(np.diff(start))
    columns = np.empty((dim, longest))
    order = np.empty(longest, np.int64)
    norm, score, zeros = np.empty(longest), np.empty(longest), np.zeros(longest)
    mean = np.empty(dim)
    step = alpha / (1.0 + alpha)
    for review in range(start.shape[0] - 1):
        first = start[review]
        n = start[review + 1] - first
        for i in range(n):
            order[i] = first + i
        for layer in range(layers):
            state = states[layer]
            _sort_by_norm(state, first, n, order, norm, columns)
            reach = 0
            for i in range(n):
                while reach < n and norm[reach] >= norm[i] * (1.0 - 1e-12):  # only tokens at least as long can be followed
                    reach += 1
                _row_of_scores(columns, i, reach, 1.0, zeros, score)
                largest = score[0]
                for j in range(reach):
                    largest = max(largest, score[j])
                token, total, chosen, own = order[i], 0.0, first + n, True
                mean[:] = 0.0
                for j in range(reach):
                    if score[j] == largest:
                        other = order[j]
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
