"""Exact signs against rational arithmetic, on numbers chosen to cancel."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hardmax.geometry.predicates import dot_sign, orientation


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def rational_dot_sign(q: np.ndarray, a: np.ndarray, b: np.ndarray) -> int:
    return sign(sum((Fraction(x) * (Fraction(y) - Fraction(z)) for x, y, z in zip(q, a, b, strict=True)), Fraction(0)))


def rational_orientation(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> int:
    (ax, ay), (bx, by), (cx, cy) = ([Fraction(x) for x in p] for p in (a, b, c))
    return sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.sampled_from(["near", "lattice", "tiny", "huge", "sums"]))
def test_dot_sign_is_exact(seed: int, dim: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    q, a, b = rng.standard_normal((3, dim))
    if kind == "near":
        b = a + 1e-16 * rng.standard_normal(dim)
    elif kind == "lattice":
        q, a, b = np.round(3 * q) / 10, np.round(3 * a) / 10, np.round(3 * b) / 10
    elif kind == "tiny":
        q, a, b = q * 1e-300, a * 1e-200, np.nextafter(a * 1e-200, rng.standard_normal(dim))
    elif kind == "huge":
        q, a, b = q * 1e200, a * 1e250, np.nextafter(a, b) * 1e250
    else:
        q, a, b = np.full(dim, 0.1), rng.permutation(np.arange(dim) / 10), np.arange(dim) / 10
    assert dot_sign(q, a, b) == rational_dot_sign(q, a, b)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["collinear", "lattice", "tiny", "random"]))
def test_orientation_is_exact(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    a, b, c = rng.standard_normal((3, 2))
    if kind == "collinear":
        c = a + rng.random() * (b - a)
    elif kind == "lattice":
        a, b, c = (np.round(4 * p) / 10 for p in (a, b, c))
    elif kind == "tiny":
        a, b, c = a * 1e-170, b * 1e-170, (a + b) * 0.5e-170
    assert orientation(*a, *b, *c) == rational_orientation(a, b, c)
