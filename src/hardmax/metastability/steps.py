"""The compiled loop over one replica of the chain (SA_P), step by step.

One replica: `x0` has shape (tokens, dim), `group` (tokens,) numbers the groups from 0, `hulls` holds the points whose hull bounds
each group, those of group g at rows first[g]:first[g + 1], and token i leaves when it is farther than epsilon from its group's hull. The loop
returns (steps, events, token): token = -1 where no token left by max_time.
"""

import math

import numpy as np

from hardmax.compilation import njit
from hardmax.metastability.draws import binomial, mixed_pick
from hardmax.metastability.leaving import first_beyond


@njit
def _literal_step(x, moved, weights, group, B, beta, gamma, rng):
    """One step from x into `moved` (both (tokens, dim)), with room for `weights` (tokens,); whether somebody picked another group."""
    n, dim = x.shape
    outside = False
    for i in range(n):
        top = -np.inf
        for j in range(n):
            score = 0.0
            for axis in range(dim):
                for other in range(dim):
                    score += x[i, axis] * B[axis, other] * x[j, other]
            weights[j] = beta * score
            top = max(top, weights[j])
        total = 0.0
        for j in range(n):
            total += math.exp(weights[j] - top)
            weights[j] = total
        u = rng.random() * total
        picked = 0
        while picked < n - 1 and u >= weights[picked]:
            picked += 1
        outside |= group[picked] != group[i]
        for axis in range(dim):
            moved[i, axis] = x[i, axis] + gamma * (x[picked, axis] - x[i, axis])
    return outside


@njit
def run_steps(x0, group, hulls, first, B, beta, gamma, epsilon, max_time, rng):
    """The literal chain: each token i picks j with probability softmax_j(beta <B x_i, x_j>), then all move, gamma of the way.

    Once all tokens are at one place, to rounding, picks are uniform and nobody moves: what remains of max_time is counted by one draw.
    """
    n, dim = x0.shape
    x = x0.copy()
    moved = np.empty_like(x)
    weights = np.empty(n)
    time, events = 0.0, 0.0
    while time + 1.0 <= max_time:
        outside = _literal_step(x, moved, weights, group, B, beta, gamma, rng)
        x, moved = moved, x
        time += 1.0
        events += outside
        out = first_beyond(x, group, hulls, first, epsilon)
        if out >= 0:
            return time, events, out
        if time % 1024.0 == 0.0:
            gap = 0.0
            for i in range(1, n):
                for axis in range(dim):
                    gap = max(gap, abs(x[i, axis] - x[0, axis]))
            if gap <= 1e-14 * np.abs(x[0]).max() / gamma:
                size, groups = np.full(1, n), np.zeros((1, len(first) - 1), np.int64)
                for i in range(n):
                    groups[0, group[i]] += 1
                events += binomial(rng, np.floor(max_time - time), mixed_pick(1, size, groups))
                break
    return max_time, events, -1


@njit
def advance(x0, group, B, beta, gamma, steps, rng):
    """Tokens (tokens, dim) after a number of literal steps."""
    x, moved = x0.copy(), np.empty_like(x0)
    weights = np.empty(len(x0))
    for _ in range(steps):
        _literal_step(x, moved, weights, group, B, beta, gamma, rng)
        x, moved = moved, x
    return x
