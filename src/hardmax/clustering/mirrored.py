"""Mirrored clouds of small integers, run in rationals: exact ties, and so limits on faces of the leaders' polytope (CL-4).

A run is over when it is **certified**, that is when for every token i with followed set C_i and mean m_i

    (1) C_j is part of C_i for j in C_i;   (2) <A m_i, z_j> is largest at every j in C_i;   (3) the mean of m_j over C_i is m_i.

Then no followed set changes any more and z_i tends to m_i. Write a = alpha/(1+alpha). One layer on, for j in C_i and any l,

    <A z_i', z_j' - z_l'> = (1-a)^2 <A z_i, z_j - z_l> + (1-a) a <A z_i, m_j - m_l> + (1-a) a <A m_i, z_j - z_l> + a^2 <A m_i, m_j - m_l>.

By (1) and (2) no term is negative, for m_j then maximises <A z_i, .> and <A m_i, .> over the hull; the first is positive if l is not
in C_i; and all are 0 if it is. So C_i stays. By (3) m_i' = (1-a) m_i + a m_i stays, and with it (1) to (3).
A run that does not come to this within the layers allowed has no limits to report.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from flint import fmpq, fmpq_mat
from jaxtyping import Int

from hardmax.exact import Number, Rows, followed_means, followed_sets, leader_averaging, leaders, rationals, scores


class ExactRun(NamedTuple):
    """A run in rationals.

    Attributes:
        limits: limit of each token; None where the run was not certified.
        first_leaders, leaders: at layer 0, and final.
        final_layer: first layer whose leaders are the final ones.
        settled_layer: first layer at which the run was certified; None where it was not within the layers allowed.
    """

    limits: Rows | None
    first_leaders: list[int]
    leaders: list[int]
    final_layer: int
    settled_layer: int | None


def mirrored_cloud(rng: np.random.Generator, dim: int, orbits: int, axis: int, size: int = 4) -> Int[np.ndarray, "tokens dim"]:
    """Distinct nonzero tokens with whole coordinates, closed under flipping the sign of any coordinate but the first.

    Args:
        rng: what draws them.
        dim: dimension, at least 2.
        orbits: how many tokens to draw and mirror.
        axis: how many tokens to draw on the axis of all mirrors.
        size: largest coordinate.
    """
    drawn = rng.integers(-size, size + 1, size=(orbits, dim))
    on_axis = np.zeros((axis, dim), dtype=np.int64)
    on_axis[:, 0] = rng.integers(-size, size + 1, size=axis)
    flips = np.array(list(product([1], *[[1, -1]] * (dim - 1))))
    cloud = np.unique(np.concatenate([(drawn[:, None] * flips).reshape(-1, dim), on_axis]), axis=0)
    cloud = cloud[(cloud != 0).any(axis=1)]
    return cloud if len(cloud) else np.eye(1, dim, dtype=np.int64)


def _certified(x: Rows, sets: list[list[int]], means: Rows, A: Rows | None) -> bool:
    members = [set(followed) for followed in sets]
    for i, followed in enumerate(sets):
        if not all(members[j] <= members[i] for j in followed):
            return False
        if [sum((means[j][k] for j in followed), fmpq(0)) / len(followed) for k in range(len(x[0]))] != means[i]:
            return False
    asked = fmpq_mat(means) if A is None else fmpq_mat(means) * fmpq_mat(A).transpose()
    products = (asked * fmpq_mat(x).transpose()).tolist()
    return all(row[j] == max(row) for row, followed in zip(products, sets, strict=True) for j in followed)


def run_exactly(x: Rows, alpha: Number, A: Rows | None = None, layers: int = 40) -> ExactRun:
    """Leader averaging in rationals until it is certified, for at most `layers` layers.

    Args:
        x: initial tokens.
        alpha: positive rational.
        A: symmetric positive definite; the identity for None.
        layers: how many layers at most. Numerators grow by a fixed number of digits a layer.
    """
    first_leaders: list[int] = []
    now: list[int] = []
    final_layer = 0
    for layer in range(layers + 1):
        sets = followed_sets(x, A)
        led, now = now, leaders(x, sets)
        if layer == 0:
            first_leaders = now
        elif led != now:
            final_layer = layer
        means = followed_means(x, sets)
        if _certified(x, sets, means, A):
            return ExactRun(means, first_leaders, now, final_layer, layer)
        x = leader_averaging(x, alpha, A, sets)
    return ExactRun(None, first_leaders, now, final_layer, None)


def exact_limit_kind(limit: list[fmpq], polytope: Rows, A: Rows | None = None) -> str:
    """What a limit is to the polytope K of the leaders, exactly: "vertex", "face" or "neither".

    "face" means <A p, v> <= <A p, p> for all vertices v: for a point p of K this says that p is the A-norm projection of the origin onto
    the face that A p exposes, which is more than CL-4 asks.
    """
    if limit in polytope:
        return "vertex"
    row = scores([limit, *polytope], A)[0]
    return "face" if max(row[1:]) == row[0] else "neither"


def exact_cloud(cloud: Int[np.ndarray, "tokens dim"]) -> Rows:
    """The integers of a cloud as rationals."""
    return rationals(cloud.tolist())
