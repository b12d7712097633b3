"""One transformer block with exact rational parameters, and what a block is made of."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from jaxtyping import Shaped

from hardmax.interpolation.rationals import Vector, nearest_float

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, eq=False)
class Block:
    """Feed-forward x <- eta x + W relu(U x + b), then attention x <- rho x + V mean over the leaders of <B x, .>.

    All entries are `fractions.Fraction`, matrices are object arrays. `V is None` means no attention (rho = 1);
    `B is None` means B = 0, uniform attention, the same for hardmax and softmax.
    """

    eta: Fraction
    W: Shaped[np.ndarray, "dim neurons"]
    U: Shaped[np.ndarray, "neurons dim"]
    b: Shaped[np.ndarray, " neurons"]
    rho: Fraction = ONE
    V: Shaped[np.ndarray, "dim dim"] | None = None
    B: Shaped[np.ndarray, "dim dim"] | None = None

    @property
    def neurons(self) -> int:
        """Width of the feed-forward layer."""
        return len(self.b)

    @cached_property
    def floats(self) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
        """eta, W, U, b rounded to float64."""
        return nearest_float(self.eta), rounded(self.W), rounded(self.U), rounded(self.b)

    @cached_property
    def integers(self) -> tuple[tuple[np.ndarray, int], tuple[np.ndarray, int]]:
        """(U, b) side by side and W, each as integers over one denominator."""
        return over_one_denominator(np.concatenate([self.U, self.b[:, None]], axis=1)), over_one_denominator(self.W)

    def attending(self, rho: Fraction, V: np.ndarray, B: np.ndarray | None) -> "Block":
        """The same feed-forward layer followed by attention."""
        return Block(self.eta, self.W, self.U, self.b, rho, V, B)


def matrix(rows: Sequence[Sequence[int | Fraction]], shape: tuple[int, int]) -> np.ndarray:
    """Object array of Fractions of the given shape, empty shapes included."""
    out = np.empty(shape, dtype=object)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            out[i, j] = Fraction(value)
    return out


def feed_forward(direction: Sequence[int], thresholds: Sequence[Fraction], columns: Sequence[Vector], eta: Fraction = ONE) -> Block:
    """Block whose neurons are relu(<direction, x> - threshold), each adding its output times a column of W."""
    d, p = len(direction), len(thresholds)
    shared = [Fraction(value) for value in direction]
    weights = np.empty((d, p), dtype=object)
    for j, column in enumerate(columns):
        weights[:, j] = column
    bias = np.empty(p, dtype=object)
    bias[:] = [-threshold for threshold in thresholds]
    return Block(eta, weights, matrix([shared] * p, (p, d)), bias)


def piecewise_linear(knots: Sequence[tuple[Fraction, Vector]], closed: bool = False) -> tuple[list[Fraction], list[Vector]]:
    """Thresholds and slope changes of the piecewise-linear vector function through the knots, zero left of the first.

    The first knot's value must be zero. The last slope goes on for ever, or ends at the last knot if `closed`
    (then the last knot's value must be zero too).
    """
    thresholds, columns = [], []
    slope: Vector = (ZERO,) * len(knots[0][1])
    for (z, value), (z_next, value_next) in pairwise(knots):
        step = 1 / (z_next - z)
        new = tuple((b - a) * step for a, b in zip(value, value_next, strict=True))
        thresholds.append(z)
        columns.append(tuple(n - s for n, s in zip(new, slope, strict=True)))
        slope = new
    if closed:
        thresholds.append(knots[-1][0])
        columns.append(tuple(-s for s in slope))
    return thresholds, columns


def over_one_denominator(entries: np.ndarray) -> tuple[np.ndarray, int]:
    """Rational entries as integers (an object array) over one denominator."""
    q = math.lcm(*(value.denominator for value in entries.flat))
    out = np.empty(entries.shape, dtype=object)
    for index, value in np.ndenumerate(entries):
        out[index] = value.numerator * (q // value.denominator)
    return out, q


def rounded(entries: np.ndarray) -> np.ndarray:
    """Rational entries rounded to float64."""
    return np.array([nearest_float(value) for value in entries.flat], dtype=np.float64).reshape(entries.shape)
