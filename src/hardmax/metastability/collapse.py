"""The mean dynamics (SA_beta) and the chain (SA_P) followed until all tokens are at one place."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.integrate import RK45

from hardmax.metastability.exit_times import ChainInputs

SLOW = 5e-3
"""Largest relative change of the drift in one literal step for which the flow may stand for the map; it starts at a quarter of that."""

STRIDE = 0.02
"""Largest move of the flow in one step, as a share of the tokens' extent: how densely the path is recorded."""

LONGEST = 200_000
"""Literal steps and stretches of the flow together, at most."""

STILL = 1e-12
"""Drift over extent, both in units of the largest weight to others, below which several places count as an equilibrium."""


class Path(NamedTuple):
    """A path of (SA_beta).

    Attributes:
        log_time: natural log of the number of literal steps taken (points,); -inf at the start.
        x: tokens (points, tokens, dim).
        clusters: number of distinct places at the end.
        settled: whether the path was followed to its end: one place, or several at which nothing moves on. False after `LONGEST` steps.
        literal: literal steps among those taken.
    """

    log_time: Float[np.ndarray, " points"]
    x: Float[np.ndarray, "points tokens dim"]
    clusters: int
    settled: bool
    literal: int

    @property
    def extent(self) -> float:
        """How far apart the tokens are at the end: 0 where they are one place."""
        return 0.0 if self.clusters == 1 else float(np.linalg.norm(self.x[-1] - self.x[-1][0], axis=1).max())


def _places(x: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Clusters of tokens within the tolerance of one another: place (clusters, dim), size, and the cluster of each token."""
    cluster = np.full(len(x), -1)
    for i in range(len(x)):
        if cluster[i] < 0:
            near = (np.linalg.norm(x - x[i], axis=1) <= tolerance) & (cluster < 0)
            cluster[near] = cluster.max() + 1
    size = np.bincount(cluster)
    y = np.stack([np.bincount(cluster, x[:, axis]) / size for axis in range(x.shape[1])], axis=1)
    return y, size, cluster


def _drift(y: np.ndarray, size: np.ndarray, B: np.ndarray, beta: float) -> tuple[np.ndarray, float]:
    """Drift sum_e w_ce (y_e - y_c) of the clusters divided by exp(L), and L: the largest log weight a cluster gives to others."""
    scores = beta * (y @ B @ y.T) + np.log(size)
    largest = scores.max(axis=1, keepdims=True)
    log_weights = scores - largest - np.log(np.exp(scores - largest).sum(axis=1, keepdims=True))
    np.fill_diagonal(log_weights, -np.inf)
    scale = float(np.logaddexp.reduce(log_weights, axis=1).max())
    weights = np.exp(log_weights - scale)
    return weights @ y - weights.sum(axis=1, keepdims=True) * y, scale


def collapse(chain: ChainInputs, tolerance: float | None = None) -> Path:
    """(SA_beta), x_i <- (1 - gamma) x_i + gamma sum_j w_ij x_j, from the start until all tokens are at one place.

    Where the drift changes by less than `SLOW` in a literal step, the map is followed through the flow y' = gamma f(y) in the time s
    with ds = gamma exp(L) dt, in which the tokens move at unit speed however small the weights are; elsewhere steps are literal. Tokens closer than
    the tolerance are one place from then on.

    Args:
        chain: checked inputs.
        tolerance: distance below which tokens count as one place; the chain's for None.
    """
    tolerance = chain.tolerance if tolerance is None else tolerance
    x = chain.x0.copy()
    log_time, literal = -math.inf, 0
    times, path = [log_time], [x.copy()]
    for _ in range(LONGEST):
        y, size, cluster = _places(x, tolerance)
        if len(y) == 1:
            break
        drift, scale = _drift(y, size, chain.B, chain.beta)
        if np.abs(drift).max() <= STILL * np.abs(y - y[0]).max():
            break
        if chain.gamma * math.exp(scale) * _curvature(y, chain) > SLOW / 4:
            y = y + chain.gamma * math.exp(scale) * drift
            literal += 1
            log_time = float(np.logaddexp(log_time, 0.0))
            x = y[cluster]
            times.append(log_time)
            path.append(x)
            continue
        for log_passed, moved in _flow(y, size, chain, scale, tolerance):
            x = moved[cluster]
            times.append(float(np.logaddexp(log_time, log_passed)))
            path.append(x)
        log_time = times[-1]
    else:
        return Path(np.array(times), np.array(path), len(_places(x, tolerance)[0]), False, literal)
    return Path(np.array(times), np.array(path), len(y), True, literal)


def _curvature(y: np.ndarray, chain: ChainInputs) -> float:
    """How much faster than the drift itself its relative change can be: 1 + beta |B| extent^2 or so."""
    extent = np.linalg.norm(y - y[0], axis=1).max()
    return 1.0 + chain.beta * float(np.abs(chain.B).max()) * float(extent) ** 2


def _flow(y: np.ndarray, size: np.ndarray, chain: ChainInputs, start: float, tolerance: float) -> Iterator[tuple[float, np.ndarray]]:
    """Yield (log steps since the start, places) along the flow until it is no longer slow, or two places are near each other."""
    shape = y.shape

    def speed(_: float, state: np.ndarray) -> np.ndarray:
        drift, scale = _drift(state[:-1].reshape(shape), size, chain.B, chain.beta)
        return np.append(drift.ravel(), math.exp(min(start - scale, 600.0)))

    extent = float(np.linalg.norm(y - y[0], axis=1).max())
    solver = RK45(speed, 0.0, np.append(y.ravel(), 0.0), np.inf, max_step=STRIDE * extent, rtol=1e-7, atol=1e-9 * extent)
    while solver.status == "running":
        solver.step()
        place = solver.y[:-1].reshape(shape)
        yield math.log(solver.y[-1]) - start - math.log(chain.gamma), place
        _, scale = _drift(place, size, chain.B, chain.beta)
        near = np.linalg.norm(place[:, None] - place[None], axis=-1)[~np.eye(len(place), dtype=bool)].min() <= tolerance
        if near or chain.gamma * math.exp(scale) * _curvature(place, chain) > SLOW:
            return


def chain_collapse(chain: ChainInputs, max_time: float, rng: np.random.Generator) -> tuple[float, bool]:
    """Steps of one replica of (SA_P) until all tokens are at one place, and whether max_time came first."""
    time = chain.run(math.inf, max_time, rng)[0]
    return time, time >= max_time
