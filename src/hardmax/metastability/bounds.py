"""Bounds on exit times: the one of the paper, and an elementary one that holds; what one token gives to other groups."""

import math

import numpy as np
from jaxtyping import Float, Int
from scipy.special import gammaln


def paper_log_bound(t: float | int | np.ndarray, *, tokens: int, beta: float, c0: float, ratio: float) -> np.ndarray:
    """Log of MS-3's bound on P(T2 < t): (1 + r) log(t/r) + (1 + r) log n - beta c0 r/2, r = epsilon/gamma; positive where it says nothing."""
    return np.asarray((1 + ratio) * (np.log(t) - math.log(ratio) + math.log(tokens)) - beta * c0 * ratio / 2)


def paper_rate(c0: float, ratio: float) -> float:
    """Growth rate of log t in beta at which MS-3's bound stays constant: (c0/2) r/(1 + r)."""
    return c0 / 2 * ratio / (1 + ratio)


def jumps_to_exit(epsilon: float, gamma: float, diameter: float) -> float:
    """Least number of steps with a pick outside a group after which a token of it can be out; infinite where none suffices.

    Without such a pick no token of the group gets farther from the hull than the farthest was. A pick outside moves a token at
    distance f to at most (1 - gamma) f + gamma diam(K), so after k of them f <= diam(K) (1 - (1 - gamma)^k).
    """
    if epsilon >= diameter:
        return math.inf
    if gamma == 1:
        return 1.0
    k = math.floor(math.log1p(-epsilon / diameter) / math.log1p(-gamma))
    return float(k + 1)


def score_margin(c0: float, diameter: float, radius: float, distance: float) -> float:
    """Least score gap between a token and tokens of other groups while all are within `distance` of their vertices.

    With x_i = v_i + p, x_j = v_j + q and |p|, |q| <= distance: <x_i, x_i - x_j> >= c0 - distance (D + 2 R) - distance^2/4.
    """
    return c0 - distance * (diameter + 2 * radius) - distance**2 / 4


def exit_log_bound(
    steps: float | int | np.ndarray,
    *,
    sizes: Int[np.ndarray, " groups"],
    beta: float,
    gamma: float,
    epsilon: float,
    c0: float,
    diameter: float,
    radius: float,
    start: float,
) -> np.ndarray:
    """Log of a bound on P(T2 <= steps) for every beta, without "large" or "small": the amended MS-3.

    While nobody is out, all tokens are within start + epsilon of their vertices, so a token picks another group with probability
    at most (n - n_a) exp(-beta g), g the score margin. To be out, group a needs k steps with such a pick (`jumps_to_exit`); a union bound over
    the k steps and the groups gives sum_a C(steps, k) (n_a (n - n_a) exp(-beta g))^k.

    Args:
        steps: number of steps.
        sizes: tokens in each group.
        start: largest initial distance of a token from its vertex.
        others: as in MS-3.
    """
    k = jumps_to_exit(epsilon, gamma, diameter)
    steps = np.asarray(steps, dtype=float)
    if math.isinf(k):
        return np.full(steps.shape, -np.inf)
    margin = score_margin(c0, diameter, radius, start + epsilon)
    pairs = sizes * (sizes.sum() - sizes)
    with np.errstate(invalid="ignore"):
        # log Gamma(steps + 1) / Gamma(steps - k + 1) loses all digits when steps is huge; there it is k log(steps).
        chosen = np.where(steps < 1e8, gammaln(steps + 1) - gammaln(np.maximum(steps - k, -0.5) + 1), k * np.log(steps)) - gammaln(k + 1)
    groups = np.logaddexp.reduce(k * np.log(pairs[pairs > 0])) if (pairs > 0).any() else -np.inf
    return np.where(steps < k, -np.inf, chosen + groups - k * beta * margin)


def log_outside_weight(x: Float[np.ndarray, "tokens dim"], group: Int[np.ndarray, " tokens"], beta: float) -> Float[np.ndarray, " tokens"]:
    """Log of the weight that each token gives to other groups (MS-4); -inf where there is no other group."""
    scores = beta * (x @ x.T)
    others = np.where(group[:, None] != group[None], scores, -np.inf)
    return np.logaddexp.reduce(others, axis=1) - np.logaddexp.reduce(scores, axis=1)
