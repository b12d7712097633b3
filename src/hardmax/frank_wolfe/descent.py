"""The descent of FW-3 for many clouds, compiled: energies of the tokens against the bound, with decreasing matrices."""

import numpy as np

from hardmax.compilation import njit
from hardmax.frank_wolfe.kernels import step
from hardmax.geometry.nearness import beyond, least_norm_squared


@njit
def _energy(B: np.ndarray, x: np.ndarray) -> float:
    total = 0.0
    for k in range(x.size):
        for m in range(x.size):
            total += B[k, m] * x[k] * x[m]
    return total / 2.0


@njit
def _diameter_squared(x: np.ndarray) -> float:
    widest = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            squared = 0.0
            for k in range(x.shape[1]):
                squared += (x[i, k] - x[j, k]) ** 2
            widest = max(widest, squared)
    return widest


@njit
def _trajectory(tokens: np.ndarray, ends: np.ndarray, decay: float, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Tokens at steps 0 to `steps` with gamma^t = 2/(t+2) and B^t = -(last + decay^t (first - last)), and at which steps a tie was met."""
    count, dim = tokens.shape
    x = np.empty((steps + 1, count, dim))
    tied = np.zeros(steps, np.bool_)
    followed = np.empty(count, np.int64)
    x[0] = tokens
    share = 1.0
    for t in range(steps):
        tied[t] = step(x[t], -(ends[1] + share * (ends[0] - ends[1])), 2.0 / (t + 2.0), x[t + 1], followed)
        share *= decay
    return x, tied


@njit
def _last_inside(x: np.ndarray) -> int:
    """The last step at which the origin lies in the tokens' hull, -1 for none; by bisection, since the hulls are nested."""
    low, high = -1, x.shape[0] - 1
    while low < high:
        middle = (low + high + 1) // 2
        if beyond(np.zeros(x.shape[2]), x[middle], 1e-8 * np.abs(x[middle]).max()):
            high = middle - 1
        else:
            low = middle
    return low


@njit
def descents(
    tokens: np.ndarray, B: np.ndarray, decay: np.ndarray, largest: np.ndarray, steps: int, while_inside: bool, above_least: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Where each cloud comes closest to breaking J^t(x_i^{t+1}) <= 2/(t+1) * largest * diam^2, for steps t = 0 to `steps` - 1.

    Args:
        tokens: shape (clouds, tokens, dim).
        B: the first and the limiting B_*, shape (clouds, 2, dim, dim): B_*^t = B[1] + decay^t (B[0] - B[1]).
        decay: shape (clouds,), in [0, 1].
        largest: largest eigenvalue of B[0], shape (clouds,).
        while_inside: compare only at steps t up to which the origin lies in K^t.
        above_least: compare the energy above its least value on K^{t+1} instead, at steps 0, 1, 3, 7, ..., for constant B_*.

    Returns:
        Energy, bound, margin in units of largest * diam^2, step and token of the worst place (-inf: nothing to compare), and whether a
        tie was met up to it; each of shape (clouds,).
    """
    clouds = tokens.shape[0]
    left = np.zeros(clouds)
    right = np.zeros(clouds)
    margin = np.full(clouds, -np.inf)
    steps_at = np.full(clouds, -1, np.int64)
    token_at = np.full(clouds, -1, np.int64)
    on_tie = np.zeros(clouds, np.bool_)
    for c in range(clouds):
        unit = largest[c] * _diameter_squared(tokens[c])
        x, tied = _trajectory(tokens[c], B[c], decay[c], steps)
        last = _last_inside(x) if while_inside else steps - 1
        share = 1.0
        for t in range(min(last + 1, steps)):
            matrix = B[c, 1] + share * (B[c, 0] - B[c, 1])
            share *= decay[c]
            if above_least and (t + 1) & t != 0:
                continue
            least = _least_energy(matrix, x[t + 1]) if above_least else 0.0
            bound = 2.0 / (t + 1.0) * unit
            for i in range(tokens.shape[1]):
                energy = _energy(matrix, x[t + 1, i]) - least
                excess = (energy - bound) / unit if unit > 0.0 else energy
                if excess > margin[c]:
                    left[c], right[c], margin[c], steps_at[c], token_at[c] = energy, bound, excess, t, i
        if steps_at[c] >= 0:
            on_tie[c] = tied[: steps_at[c] + 1].any()
    return left, right, margin, steps_at, token_at, on_tie


@njit
def _least_energy(B: np.ndarray, x: np.ndarray) -> float:
    """The least of <B y, y>/2 over the hull, B positive definite, from above."""
    images = x @ np.linalg.cholesky(B)
    return least_norm_squared(images, 1e-10, 2000)[1] / 2.0
