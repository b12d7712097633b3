"""One layer in rational arithmetic: what floating point cannot confirm, ties on faces above all.

Tokens are lists of rows of rationals (`flint.fmpq`); `rationals` converts integers, floats (exactly), fractions and text like "1/3".
The definitions are those of `hardmax.attention` and `hardmax.dynamics`, followed literally, with no rounding anywhere.
"""

from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational

import numpy as np
from flint import fmpq, fmpq_mat
from jaxtyping import Float

from hardmax.errors import InputError

Number = int | float | str | Rational | fmpq | np.integer | np.floating
Rows = list[list[fmpq]]


def rational(value: Number) -> fmpq:
    """The number as a rational; a float is taken for exactly what it holds.

    Raises:
        InputError: no finite number.
    """
    if isinstance(value, fmpq):
        return value
    try:
        exact = Fraction(float(value) if isinstance(value, np.floating) else int(value) if isinstance(value, np.integer) else value)
    except (ValueError, OverflowError, TypeError, ZeroDivisionError):
        raise InputError(f"coordinate: expected a finite number, found {value!r}") from None
    return fmpq(exact.numerator, exact.denominator)


def rationals(rows: Sequence[Sequence[Number]] | np.ndarray) -> Rows:
    """Tokens (or a matrix) as rows of rationals.

    Raises:
        InputError: an entry that is no finite number, or rows of different lengths.
    """
    converted = [[rational(value) for value in row] for row in rows]
    if any(len(row) != len(converted[0]) for row in converted):
        raise InputError(f"rows: expected one length, found {sorted({len(row) for row in converted})}")
    return converted


def floats(x: Rows) -> Float[np.ndarray, "tokens dim"]:
    """The nearest float64 array."""
    return np.array([[int(value.p) / int(value.q) for value in row] for row in x])


def scores(x: Rows, B: Rows | None = None) -> Rows:
    """<B z_i, z_j> for all pairs."""
    tokens = fmpq_mat(x)
    asked = tokens if B is None else tokens * fmpq_mat(B).transpose()
    return (asked * tokens.transpose()).tolist()


def followed_sets(x: Rows, B: Rows | None = None) -> list[list[int]]:
    """C_i = { j : <B z_i, z_j> = max_l <B z_i, z_l> } as ascending indices, for every token i."""
    sets = []
    for row in scores(x, B):
        best = max(row)
        sets.append([j for j, score in enumerate(row) if score == best])
    return sets


def leaders(x: Rows, sets: list[list[int]]) -> list[int]:
    """Tokens that follow themselves and tokens coinciding with them only, given the followed sets."""
    return [i for i, followed in enumerate(sets) if all(x[j] == x[i] for j in followed)]


def followed_means(x: Rows, sets: list[list[int]]) -> Rows:
    """Mean of the tokens each token follows."""
    return [[sum((x[j][k] for j in followed), fmpq(0)) / len(followed) for k in range(len(x[0]))] for followed in sets]


def hardmax_step(x: Rows, gamma: Number, B: Rows | None = None, sets: list[list[int]] | None = None) -> Rows:
    """(SA_inf): x_i + gamma (mean of the tokens i follows - x_i); the Frank-Wolfe step for -<B x, x>/2.

    Args:
        x: tokens.
        gamma: step size.
        B: key-query matrix; the identity for None.
        sets: the followed sets where they are known already.
    """
    share = rational(gamma)
    means = followed_means(x, followed_sets(x, B) if sets is None else sets)
    return [[z + share * (m - z) for z, m in zip(row, mean, strict=True)] for row, mean in zip(x, means, strict=True)]


def leader_averaging(x: Rows, alpha: Number, A: Rows | None = None, sets: list[list[int]] | None = None) -> Rows:
    """z_i <- (z_i + alpha * mean of followed)/(1 + alpha), the clustering paper's layer; arguments as in `hardmax_step`.

    Raises:
        InputError: alpha is not positive.
    """
    weight = rational(alpha)
    if weight <= 0:
        raise InputError(f"alpha: expected a positive number, found {alpha}")
    return hardmax_step(x, weight / (1 + weight), A, sets)
