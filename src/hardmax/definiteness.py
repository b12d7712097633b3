"""Symmetry and definiteness of matrices of rationals (`Fraction` or `flint.fmpq`), decided exactly."""

from collections.abc import Sequence
from typing import Any

Matrix = Sequence[Sequence[Any]]


def symmetric(B: Matrix) -> bool:
    """Whether B is its own transpose."""
    return all(B[i][j] == B[j][i] for i in range(len(B)) for j in range(i))


def positive_semidefinite(B: Matrix) -> bool:
    """Whether B is symmetric and positive semidefinite, by elimination with symmetric pivots."""
    if not symmetric(B):
        return False
    rest = [list(row) for row in B]
    while rest:
        pivot = next((i for i in range(len(rest)) if rest[i][i] != 0), None)
        if pivot is None:
            return all(entry == 0 for row in rest for entry in row)
        if rest[pivot][pivot] < 0:
            return False
        kept = [i for i in range(len(rest)) if i != pivot]
        rest = [[rest[i][j] - rest[i][pivot] * rest[pivot][j] / rest[pivot][pivot] for j in kept] for i in kept]
    return True


def positive_definite(B: Matrix) -> bool:
    """Whether B is symmetric and positive definite, by its leading minors in elimination."""
    rest = [list(row) for row in B]
    if not symmetric(B):
        return False
    while rest:
        if rest[0][0] <= 0:
            return False
        rest = [[rest[i][j] - rest[i][0] * rest[0][j] / rest[0][0] for j in range(1, len(rest))] for i in range(1, len(rest))]
    return True
