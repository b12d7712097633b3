"""Energies and hulls in rational arithmetic: what confirms a counterexample, beside `hardmax.exact` and `hardmax.definiteness`.

Vectors are sequences of rationals (`Fraction` or `flint.fmpq`), tokens and matrices sequences of rows.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from hardmax.definiteness import positive_semidefinite
from hardmax.exact import Rows, followed_sets

Vector = Sequence[Any]
Matrix = Sequence[Vector]


def dot(u: Vector, v: Vector) -> Any:
    """<u, v>."""
    return sum(a * b for a, b in zip(u, v, strict=True))


def apply(B: Matrix, x: Vector) -> list[Any]:
    """B x."""
    return [dot(row, x) for row in B]


def minus(u: Vector, v: Vector) -> list[Any]:
    """u - v."""
    return [a - b for a, b in zip(u, v, strict=True)]


def fraction(value: Any) -> Fraction:
    """A rational of either kind as `Fraction`."""
    return value if isinstance(value, Fraction) else Fraction(int(value.p), int(value.q))


def has_tie(x: Rows, B: Rows) -> bool:
    """Whether some token follows two tokens that do not coincide."""
    return any(any(x[j] != x[followed[0]] for j in followed) for followed in followed_sets(x, B))


def energy(B: Matrix, x: Vector) -> Any:
    """J(x) = <B x, x>/2."""
    return dot(apply(B, x), x) / 2


def diameter_squared(tokens: Matrix) -> Any:
    """The largest squared distance between two tokens."""
    return max(dot(minus(x, y), minus(x, y)) for x in tokens for y in tokens)


def _turn(a: Vector, b: Vector, c: Vector) -> Any:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hull(points: Matrix) -> list[int]:
    """Indices of the hull's vertices in order, on the line or in the plane (of coinciding points the first)."""
    flat = [[*point, 0 * point[0]][:2] for point in points]
    order = sorted(range(len(flat)), key=lambda i: (flat[i], i))
    distinct = [i for place, i in enumerate(order) if place == 0 or flat[i] != flat[order[place - 1]]]
    if len(distinct) < 3:
        return distinct
    chains = []
    for side in (distinct, distinct[::-1]):
        chain: list[int] = []
        for i in side:
            while len(chain) >= 2 and _turn(flat[chain[-2]], flat[chain[-1]], flat[i]) <= 0:
                chain.pop()
            chain.append(i)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def neighbours(points: Matrix) -> dict[int, list[int]]:
    """Each vertex of the hull and the vertices an edge joins it with, on the line or in the plane."""
    order = hull(points)
    count = len(order)
    return {order[k]: sorted({order[k - 1], order[(k + 1) % count]} - {order[k]}) for k in range(count)}


def largest_eigenvalue_bound(B: Matrix) -> Fraction:
    """A rational at least lambda_max(B) of a symmetric B: the eigenvalue itself where it is simple enough, else within 1e-6 of it."""
    value = float(np.linalg.eigvalsh([[float(entry) for entry in row] for row in B])[-1])
    candidates = [Fraction(round(value * q), q) for q in (1, 2, 3, 4, 12)]
    candidates += [Fraction(math.ceil(value * 10**6), 10**6) + Fraction(excess, 10**6) for excess in (0, 1)]
    near = [each for each in candidates if each <= Fraction(math.ceil(value * 10**6) + 1, 10**6)]
    return next(each for each in near if positive_semidefinite([[each * (i == j) - B[i][j] for j in range(len(B))] for i in range(len(B))]))


def outside(points: Matrix, x: Vector) -> Any:
    """How far, in twice an area or in a length, a point of the line or plane lies outside the hull: positive outside, else at most 0."""
    order = hull(points)
    if len(order) >= 3:
        return max(-_turn(points[order[k - 1]], points[order[k]], x) for k in range(len(order)))
    ends = [points[order[0]], points[order[-1]]]
    if len(x) == 2:
        across = _turn(ends[0], ends[1], x)
        if across != 0:
            return abs(across)
    return max(max(min(a, b) - c, c - max(a, b)) for a, b, c in zip(*ends, x, strict=True))
