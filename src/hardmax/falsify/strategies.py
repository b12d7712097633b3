"""Strategies of small rationals for the shrinking search: what hypothesis shrinks is small, whole and few.

Every integer drawn is below 100 in absolute value. Hypothesis mixes larger constants that it finds in loaded modules
into its draws, so larger ranges would make a search depend on what else is imported.
"""

from fractions import Fraction

from hypothesis import strategies as st


def whole(low: int, high: int) -> st.SearchStrategy[Fraction]:
    """Whole numbers from low to high; the one nearest to zero is the simplest."""
    return st.integers(low, high).map(Fraction)


def fraction(low: int, high: int, denominator: int = 4) -> st.SearchStrategy[Fraction]:
    """Rationals from low to high with a denominator of at most `denominator`; whole numbers are simplest."""
    return st.integers(1, denominator).flatmap(lambda q: st.integers(low * q, high * q).map(lambda p: Fraction(p, q)))


def vectors(count: int, dim: int, entry: st.SearchStrategy[Fraction]) -> st.SearchStrategy[list[list[Fraction]]]:
    """Lists of `count` vectors of `dim` entries: tokens."""
    return st.lists(st.lists(entry, min_size=dim, max_size=dim), min_size=count, max_size=count)


def clouds(least: int, most: int, dims: tuple[int, int] = (1, 3), size: int = 4) -> st.SearchStrategy[list[list[Fraction]]]:
    """From `least` to `most` tokens with whole coordinates up to `size`, few tokens and low dimension first."""
    return st.tuples(st.integers(least, most), st.integers(*dims)).flatmap(lambda shape: vectors(*shape, whole(-size, size)))


def definite(dim: int, size: int = 2) -> st.SearchStrategy[list[list[Fraction]]]:
    """Symmetric positive definite matrices L L^T, L lower triangular with whole entries and a positive diagonal."""

    def gram(entries: tuple[list, list]) -> list:
        """Lists of nothing said: to check what a list holds, the tests pick an item by `random`, which no strategy may touch."""
        diagonal, below = entries
        rows = [[diagonal[i] if i == j else below[i * (i - 1) // 2 + j] if j < i else 0 for j in range(dim)] for i in range(dim)]
        return [[Fraction(sum(a * b for a, b in zip(u, v, strict=True))) for v in rows] for u in rows]

    pairs = dim * (dim - 1) // 2
    return st.tuples(
        st.lists(st.integers(1, size), min_size=dim, max_size=dim),
        st.lists(st.integers(-size, size), min_size=pairs, max_size=pairs),
    ).map(gram)


def diagonal(dim: int, low: int = 1, high: int = 4) -> st.SearchStrategy[list[list[Fraction]]]:
    """Diagonal matrices with whole entries from low to high."""
    return st.lists(whole(low, high), min_size=dim, max_size=dim).map(
        lambda entries: [[entries[i] if i == j else Fraction(0) for j in range(dim)] for i in range(dim)]
    )
