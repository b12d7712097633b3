"""Compiled steps of (SA_inf) for many clouds at once, with the exact rule for ties of `hardmax.attention`."""

import numpy as np

from hardmax.compilation import njit
from hardmax.geometry.plane import mean_of
from hardmax.geometry.queries import maximisers


@njit
def maximise(points: np.ndarray, query: np.ndarray, weights: np.ndarray, face: np.ndarray, mean: np.ndarray) -> tuple[int, bool]:
    """The mean of the tokens of largest <query, z> into `mean`: lowest index of one of them, and whether two that differ tie.

    Scores decide where rounding leaves no doubt, exact signs where it does.

    Args:
        points: tokens, shape (tokens, dim).
        query: shape (dim,).
        weights: ones, shape (tokens,); `face`: room for indices, shape (tokens,).
        mean: receives the mean, shape (dim,).
    """
    tokens, dim = points.shape
    best, second = -np.inf, -np.inf
    first = 0
    size = 0.0
    for j in range(tokens):
        score, absolute = 0.0, 0.0
        for k in range(dim):
            term = query[k] * points[j, k]
            score += term
            absolute += abs(term)
        size = max(size, absolute)
        if score > best:
            second, best, first = best, score, j
        elif score > second:
            second = score
    if best - second > 4.5e-16 * (dim + 2) * size + 1e-290:
        mean[:] = points[first]
        return first, False
    count, tied = maximisers(points, weights, query, face)
    if tied:
        mean_of(points, weights, face[:count], mean)
    else:
        mean[:] = points[face[0]]
    return face[0], tied


@njit
def step(x: np.ndarray, B: np.ndarray, gamma: float, after: np.ndarray, followed: np.ndarray) -> bool:
    """One step of a cloud into `after`, the token each one follows into `followed`; whether any token met a tie.

    Tokens that coincide with an earlier one take over its answer.

    Args:
        x: tokens, shape (tokens, dim).
        B: key-query matrix, shape (dim, dim).
        gamma: step size in [0, 1]; 1 puts the token on what it follows, bit for bit.
    """
    tokens, dim = x.shape
    weights = np.ones(tokens)
    face = np.empty(tokens, np.int64)
    mean = np.empty(dim)
    query = np.empty(dim)
    any_tie = False
    for i in range(tokens):
        twin = -1
        for j in range(i):
            same = True
            for k in range(dim):
                if x[i, k] != x[j, k]:
                    same = False
                    break
            if same:
                twin = j
                break
        if twin >= 0:
            after[i] = after[twin]
            followed[i] = followed[twin]
            continue
        for k in range(dim):
            total = 0.0
            for m in range(dim):
                total += B[k, m] * x[i, m]
            query[k] = total
        followed[i], tied = maximise(x, query, weights, face, mean)
        any_tie |= tied
        for k in range(dim):
            after[i, k] = mean[k] if gamma == 1.0 else x[i, k] + gamma * (mean[k] - x[i, k])
    return any_tie


@njit
def run(tokens: np.ndarray, B: np.ndarray, gamma: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Trajectories of many clouds.

    Args:
        tokens: shape (clouds, tokens, dim), float64.
        B: shape (clouds, matrices, dim, dim): step t takes matrix min(t, matrices - 1).
        gamma: shape (clouds, steps).

    Returns:
        Tokens at steps 0 to `steps`, shape (clouds, steps + 1, tokens, dim); the token each follows, (clouds, steps, tokens); whether any
        token met a tie at a step, (clouds, steps).
    """
    clouds, count, dim = tokens.shape
    steps = gamma.shape[1]
    x = np.empty((clouds, steps + 1, count, dim))
    followed = np.empty((clouds, steps, count), np.int64)
    tied = np.zeros((clouds, steps), np.bool_)
    for c in range(clouds):
        x[c, 0] = tokens[c]
        for t in range(steps):
            tied[c, t] = step(x[c, t], B[c, min(t, B.shape[1] - 1)], gamma[c, t], x[c, t + 1], followed[c, t])
    return x, followed, tied
