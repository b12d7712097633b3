"""Exact numbers: floats as the rationals they are, points as integers over a common denominator, short dyadic rationals."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from numbers import Rational

import numpy as np
from jaxtyping import Float, Shaped

from hardmax.errors import InputError

Vector = tuple[Fraction, ...]


def exact(value: object) -> Fraction:
    """The rational that `value` is: an integer, a finite float, a Fraction, a decimal string or "p/q".

    Raises:
        InputError: not a finite number.
    """
    try:
        if isinstance(value, str | int | Rational):
            return Fraction(value)
        return Fraction(*value.as_integer_ratio())  # type: ignore[attr-defined]  # what has none is caught below
    except (AttributeError, ValueError, OverflowError, ZeroDivisionError, TypeError):
        raise InputError(f'expected a finite number or "p/q", found {value!r}') from None


def nearest_float(value: Fraction) -> float:
    """The float64 nearest to `value`, infinite beyond the largest; monotone, so comparisons of floats decide strict ones."""
    return ratio(value.numerator, value.denominator)


def ratio(numerator: int, denominator: int) -> float:
    """The float64 nearest to numerator / denominator, denominator > 0."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def dyadic_between(low: Fraction, high: Fraction) -> Fraction:
    """A short dyadic rational in [low, high], low < high: few bits keep exact arithmetic small and floats exact."""
    width = high - low
    exponent = width.numerator.bit_length() - width.denominator.bit_length() - 1
    step = Fraction(2) ** exponent
    return math.ceil(low / step) * step


def dot(left: Iterable[int | Fraction], right: Iterable[int | Fraction]) -> Fraction:
    """Inner product in rationals."""
    return sum((Fraction(a * b) for a, b in zip(left, right, strict=True) if a and b), Fraction(0))


def common_denominator(rows: Sequence[Vector]) -> tuple[Shaped[np.ndarray, "rows dim"], int]:
    """Rational rows as one object array of integers over one denominator."""
    denominator = math.lcm(*(value.denominator for row in rows for value in row))
    numerators = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    for i, row in enumerate(rows):
        numerators[i] = [value.numerator * (denominator // value.denominator) for value in row]
    return numerators, denominator


class Points:
    """Exact points of R^d: float64 values taken as they are, or rationals; integer columns over one denominator on demand.

    Attributes:
        floats: the points in float64, shape (points, dim); exact when built from floats.
        denominator: what the integers of `integers` and `project` are divided by.
    """

    def __init__(self, floats: Float[np.ndarray, "points dim"], integers: np.ndarray | None = None, denominator: int = 1):
        self.floats = floats
        self._integers = integers
        if integers is None:
            least = min((_exponent_of_last_bit(floats[:, i]) for i in range(floats.shape[1])), default=0)
            denominator = 2 ** max(0, -least)
        self.denominator = denominator

    @classmethod
    def rational(cls, rows: Sequence[Vector]) -> "Points":
        """Points from rational rows."""
        integers, denominator = common_denominator(rows)
        floats = np.array([[nearest_float(value) for value in row] for row in rows], dtype=np.float64)
        return cls(floats, integers, denominator)

    def __len__(self) -> int:
        return len(self.floats)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.floats.shape[1])

    def take(self, rows: Shaped[np.ndarray, " rows"]) -> Shaped[np.ndarray, "rows dim"]:
        """Integer coordinates of the given points, an object array over `denominator`."""
        if self._integers is not None:
            return self._integers[rows]
        return np.stack([self._column(i, rows) for i in range(self.dimension)], axis=1)

    def project(self, direction: Sequence[int]) -> Shaped[np.ndarray, " points"]:
        """<direction, x> for an integer direction: an object array of integers over `denominator`."""
        total = np.zeros(len(self), dtype=object)
        for i, coefficient in enumerate(direction):
            if coefficient:
                column = self._column(i, slice(None)) if self._integers is None else self._integers[:, i]
                total = total + (column if coefficient == 1 else column * coefficient)
        return total

    def _column(self, i: int, rows: np.ndarray | slice) -> np.ndarray:
        mantissa, exponent = _odd_mantissa(self.floats[rows, i])
        shift = exponent + (self.denominator.bit_length() - 1)
        shift[mantissa == 0] = 0
        return np.left_shift(mantissa.astype(object), shift.astype(object))


def _odd_mantissa(values: Float[np.ndarray, " n"]) -> tuple[np.ndarray, np.ndarray]:
    """Integers m, e with values = m * 2**e, m odd or zero."""
    fraction, exponent = np.frexp(values)
    mantissa = (fraction * 2.0**53).astype(np.int64)
    trailing = np.frexp((mantissa & -mantissa).astype(np.float64))[1] - 1
    trailing[mantissa == 0] = 0
    return mantissa >> trailing, exponent.astype(np.int64) - 53 + trailing


def _exponent_of_last_bit(values: Float[np.ndarray, " n"]) -> int:
    mantissa, exponent = _odd_mantissa(values)
    return int(exponent[mantissa != 0].min(initial=0))
