"""Signs that decide ties and hulls, exact for the floating-point numbers given.

Each predicate first evaluates in float64 with a bound on its rounding error, and only where the sign is in doubt expands the
expression into a sum of floats without rounding error and adds these exactly (J. R. Shewchuk, "Adaptive precision
floating-point arithmetic and fast robust geometric predicates", Discrete & Computational Geometry 18, 1997). Exact unless
nonzero coordinates of one expression differ by more than about a factor 1e120 in size.
"""

import math

import numpy as np

from hardmax.compilation import njit

_UNIT = 2.0**-53
_SPLITTER = 2.0**27 + 1.0
_TINY = 1e-280
"""Below this a product may lose bits to underflow, so the float64 filter is not trusted."""


@njit(inline="always")
def _two_difference(a: float, b: float) -> tuple[float, float]:
    high = a - b
    virtual = a - high
    return high, (a - (high + virtual)) + (virtual - b)


@njit(inline="always")
def _two_product(a: float, b: float) -> tuple[float, float]:
    high = a * b
    t = _SPLITTER * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = _SPLITTER * b
    b_high = t - (t - b)
    b_low = b - b_high
    return high, a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low)


@njit
def _sign_of_sum(terms: np.ndarray, count: int) -> int:
    """Sign of the exact sum of `terms[:count]`, grown term by term into an expansion of non-overlapping floats."""
    expansion = np.empty(count)
    size = 0
    for index in range(count):
        carry = terms[index]
        kept = 0
        for k in range(size):
            part = expansion[k]
            total = carry + part
            virtual = total - carry
            error = (carry - (total - virtual)) + (part - virtual)
            if error != 0.0:
                expansion[kept] = error
                kept += 1
            carry = total
        if carry != 0.0:
            expansion[kept] = carry
            kept += 1
        size = kept
    if size == 0:
        return 0
    return 1 if expansion[size - 1] > 0.0 else -1


@njit
def _exponent(value: float) -> int:
    return math.frexp(value)[1] if value != 0.0 else 0


@njit
def _dot_sign_exact(q: np.ndarray, a: np.ndarray, b: np.ndarray) -> int:
    dim = q.shape[0]
    largest_query = 0.0
    largest_token = 0.0
    for k in range(dim):
        largest_query = max(largest_query, abs(q[k]))
        largest_token = max(largest_token, abs(a[k]), abs(b[k]))
    query_scale = -_exponent(largest_query)
    token_scale = -_exponent(largest_token) - 1
    terms = np.empty(4 * dim)
    for k in range(dim):
        high, low = _two_difference(math.ldexp(a[k], token_scale), math.ldexp(b[k], token_scale))
        factor = math.ldexp(q[k], query_scale)
        terms[4 * k], terms[4 * k + 1] = _two_product(factor, low)
        terms[4 * k + 2], terms[4 * k + 3] = _two_product(factor, high)
    return _sign_of_sum(terms, 4 * dim)


@njit
def dot_sign(q: np.ndarray, a: np.ndarray, b: np.ndarray) -> int:
    """Sign of <q, a - b>, exact: which of two tokens a, b the query q prefers, 0 for a tie.

    Args:
        q: query, shape (dim,), float64.
        a: token, shape (dim,), float64.
        b: token, shape (dim,), float64.
    """
    total = 0.0
    size = 0.0
    equal = True
    for k in range(q.shape[0]):
        if a[k] != b[k]:
            equal = False
        term = q[k] * (a[k] - b[k])
        total += term
        size += abs(term)
    if equal:
        return 0
    if size > _TINY and size < math.inf:
        bound = (q.shape[0] + 3) * 1.01 * _UNIT * size
        if total > bound:
            return 1
        if total < -bound:
            return -1
    return _dot_sign_exact(q, a, b)


@njit
def _orientation_exact(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> int:
    scale = -_exponent(max(abs(ax), abs(ay), abs(bx), abs(by), abs(cx), abs(cy)))
    ax, ay = math.ldexp(ax, scale), math.ldexp(ay, scale)
    bx, by = math.ldexp(bx, scale), math.ldexp(by, scale)
    cx, cy = math.ldexp(cx, scale), math.ldexp(cy, scale)
    terms = np.empty(12)
    terms[0], terms[1] = _two_product(ax, by)
    terms[2], terms[3] = _two_product(-ay, bx)
    terms[4], terms[5] = _two_product(bx, cy)
    terms[6], terms[7] = _two_product(-by, cx)
    terms[8], terms[9] = _two_product(cx, ay)
    terms[10], terms[11] = _two_product(-cy, ax)
    return _sign_of_sum(terms, 12)


@njit
def orientation(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> int:
    """1 if the points a, b, c of the plane turn left, -1 if right, 0 if they lie on a line; exact."""
    left = (ax - cx) * (by - cy)
    right = (ay - cy) * (bx - cx)
    size = abs(left) + abs(right)
    determinant = left - right
    if size > _TINY and size < math.inf:
        bound = 4.0 * _UNIT * size
        if determinant > bound:
            return 1
        if determinant < -bound:
            return -1
    return _orientation_exact(ax, ay, bx, by, cx, cy)
