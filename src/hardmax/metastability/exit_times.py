"""Exit times of the chain (SA_P): the first time a token is far from the hull of where its group started."""

import math
from numbers import Real
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float, Int, Num

from hardmax.errors import InputError
from hardmax.geometry.nearness import beyond
from hardmax.metastability.jumps import run_events
from hardmax.metastability.steps import advance, run_steps
from hardmax.randomness import stream

Method = Literal["events", "steps"]

LAST_TIME = 1e300
"""Times beyond this are censored unless the caller says otherwise."""

RELATIVE_ERROR = 1e-3
"""Bound on the relative error of the jump probabilities that merging close tokens may make."""

LITERAL_LIMIT = 2.0**53
"""Steps that a step-by-step simulation can at all be asked for where nothing else ends it."""


class ChainInputs(NamedTuple):
    """Checked arguments of the compiled loops.

    Attributes:
        x0: tokens, contiguous float64 (tokens, dim).
        labels: the caller's group of each token (tokens,).
        group: the groups numbered from 0 (tokens,).
        hulls, first: the tokens sorted by group, and where each group starts.
        B: key-query matrix (dim, dim).
        beta, gamma: inverse temperature, and share of the way a token moves.
        tolerance: distance below which two tokens count as one place.
    """

    x0: Float[np.ndarray, "tokens dim"]
    labels: Int[np.ndarray, " tokens"]
    group: Int[np.ndarray, " tokens"]
    hulls: Float[np.ndarray, "tokens dim"]
    first: Int[np.ndarray, " groups1"]
    B: Float[np.ndarray, "dim dim"]
    beta: float
    gamma: float
    tolerance: float

    def loop(self, epsilon: float | int) -> tuple:
        """The leading arguments of the compiled loops."""
        return self.x0, self.group, self.hulls, self.first, self.B, self.beta, self.gamma, float(epsilon)

    def run(
        self, epsilon: float | int, max_time: float | int, rng: np.random.Generator, frames: int = 0
    ) -> tuple[float, float, int, np.ndarray, np.ndarray]:
        """One replica from event to event: steps, events, token out or -1; and times and tokens at the first `frames` events."""
        times, path = np.empty(frames), np.empty((frames, *self.x0.shape))
        time, events, token, recorded = run_events(*self.loop(epsilon), self.tolerance, float(max_time), rng, times, path)
        return time, events, token, times[:recorded], path[:recorded]

    def advance(self, x: Float[np.ndarray, "tokens dim"], steps: int, rng: np.random.Generator) -> Float[np.ndarray, "tokens dim"]:
        """Tokens after a number of literal steps from x."""
        return advance(x, self.group, self.B, self.beta, self.gamma, steps, rng)


def exit_times(
    x0: Num[np.ndarray, "tokens dim"],
    groups: Int[np.ndarray, " tokens"],
    *,
    beta: float | int,
    gamma: float | int,
    epsilon: float | int,
    replicas: int | np.integer,
    seed: int | np.integer,
    method: Method = "events",
    B: Float[np.ndarray, "dim dim"] | None = None,
    max_time: float | int = LAST_TIME,
) -> pd.DataFrame:
    """First time a token is farther than epsilon from the hull of its group's initial positions (T2 of MS-3), for independent replicas.

    In the chain (SA_P) every token i picks j with probability softmax_j(beta <B x_i, x_j>), all from the same positions, then all move:
    x_i <- (1 - gamma) x_i + gamma x_j. Any tokens, groups and symmetric B are taken; `check_setup` says which hypotheses of
    the theorems they meet.

    Args:
        x0: initial tokens (tokens, dim).
        groups: group of each token, nonnegative integers (tokens,).
        beta: inverse temperature, at least 0.
        gamma: share of the way, in (0, 1].
        epsilon: distance that counts as leaving, positive.
        replicas: number of independent runs.
        seed: root seed; replica r has its own stream, the same for any number of replicas.
        method: `events` draws the waiting time for the next pick that moves a token, and reaches any time; `steps` takes every step.
        B: key-query matrix (dim, dim); the identity for None.
        max_time: runs are censored after this many steps.

    Returns:
        One row a replica: `replica`; `exit_time`, the number of steps (whole, exact up to 2^53, max_time where censored); `censored`;
        `events`, the number of steps with at least one pick outside a group; `token`, the smallest index among those out, and its
        `group` (both -1 where censored).

    Raises:
        InputError: names the argument, what was expected and what was found.
    """
    _check(epsilon, replicas, method, max_time)
    chain = chain_inputs(x0, groups, beta, gamma, B, epsilon)
    if method == "steps" and max_time > LITERAL_LIMIT and not _can_leave(chain, epsilon):
        raise InputError(
            f"max_time: expected at most 2**53 with method steps where epsilon {epsilon:g} lets no token leave, found {max_time:g}"
        )
    rows = np.empty((replicas, 3))
    for replica in range(replicas):
        rng = stream(int(seed), "exit_times", replica=replica)
        if method == "events":
            rows[replica] = chain.run(epsilon, max_time, rng)[:3]
        else:
            rows[replica] = run_steps(*chain.loop(epsilon), float(max_time), rng)
    token = rows[:, 2].astype(np.int64)
    return pd.DataFrame(
        {
            "replica": np.arange(replicas),
            "exit_time": rows[:, 0],
            "censored": token < 0,
            "events": rows[:, 1],
            "token": token,
            "group": np.where(token < 0, -1, chain.labels[token]),
        }
    )


def chain_inputs(
    x0: Num[np.ndarray, "tokens dim"],
    groups: Int[np.ndarray, " tokens"],
    beta: float | int,
    gamma: float | int,
    B: Float[np.ndarray, "dim dim"] | None = None,
    epsilon: float | int = math.inf,
) -> ChainInputs:
    """Check what describes a chain, and sort its tokens by group.

    Raises:
        InputError: names the argument, what was expected and what was found.
    """
    x = np.ascontiguousarray(x0, dtype=np.float64)
    if x.ndim != 2 or 0 in x.shape:
        raise InputError(f"x0: expected a nonempty array (tokens, dim), found shape {x.shape}")
    if not np.isfinite(x).all():
        raise InputError(f"x0: expected finite coordinates, found token {np.flatnonzero(~np.isfinite(x).all(axis=1))[0]} with others")
    labels = np.asarray(groups)
    if labels.shape != x.shape[:1] or not np.issubdtype(labels.dtype, np.integer) or (labels < 0).any():
        raise InputError(f"groups: expected {len(x)} nonnegative integers, found {labels.dtype} of shape {labels.shape}")
    matrix = np.eye(x.shape[1]) if B is None else np.ascontiguousarray(B, dtype=np.float64)
    if matrix.shape != (x.shape[1],) * 2 or not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T, rtol=1e-12, atol=0):
        raise InputError(f"B: expected a symmetric matrix of shape {(x.shape[1],) * 2}, found shape {matrix.shape} or asymmetry")
    if not (isinstance(beta, Real) and math.isfinite(beta) and beta >= 0):
        raise InputError(f"beta: expected a finite number of at least 0, found {beta!r}")
    if not (isinstance(gamma, Real) and 0 < gamma <= 1):
        raise InputError(f"gamma: expected a number in (0, 1], found {gamma!r}")
    names, group = np.unique(labels, return_inverse=True)
    order = np.argsort(group, kind="stable")
    first = np.searchsorted(group[order], np.arange(len(names) + 1))
    return ChainInputs(
        x, labels.astype(np.int64), group.astype(np.int64), x[order], first, matrix, float(beta), float(gamma),
        _tolerance(x, matrix, beta, gamma, epsilon),
    )  # fmt: skip


def _tolerance(x: np.ndarray, B: np.ndarray, beta: float | int, gamma: float | int, epsilon: float | int) -> float:
    """Merging tokens moves them by the tolerance at most, and their scores by beta |B| (radius + extent) times that."""
    radius = float(np.linalg.norm(x, axis=1).max())
    extent = float(np.linalg.norm(x - x[0], axis=1).max())
    scale = beta * float(np.abs(np.linalg.eigvalsh(B)).max()) * (radius + extent)
    wanted = min(RELATIVE_ERROR / scale if scale > 0 else math.inf, 1e-4 * epsilon, 1e-3 * extent)
    return max(wanted, 1e-14 * radius / gamma)


def _check(epsilon: float | int, replicas: int | np.integer, method: str, max_time: float | int) -> None:
    if not (isinstance(epsilon, Real) and math.isfinite(epsilon) and epsilon > 0):
        raise InputError(f"epsilon: expected a finite positive number, found {epsilon!r}")
    if not isinstance(replicas, int | np.integer) or replicas < 1:
        raise InputError(f"replicas: expected a positive integer, found {replicas!r}")
    if method not in ("events", "steps"):
        raise InputError(f"method: expected events or steps, found {method!r}")
    if not (isinstance(max_time, Real) and math.isfinite(max_time) and max_time >= 1):
        raise InputError(f"max_time: expected a finite number of at least 1, found {max_time!r}")


def _can_leave(chain: ChainInputs, epsilon: float | int) -> bool:
    """Whether some token of x0 lies farther than epsilon from some group's hull: without one, convexity keeps every token near."""
    for start, end in zip(chain.first[:-1], chain.first[1:], strict=True):
        if any(beyond(token, chain.hulls[start:end], epsilon) for token in chain.x0):
            return True
    return False
