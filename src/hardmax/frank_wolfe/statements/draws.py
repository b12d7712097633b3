"""Random clouds and matrices that the families of several claims share."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from hardmax.falsify import Family, Instances

Draw = Callable[[np.random.Generator, int, int, int], np.ndarray]
"""Draws tokens for so many trials, of so many tokens, in so many dimensions."""
DrawMatrix = Callable[[np.random.Generator, int, int], np.ndarray]
"""Draws a matrix for each of so many trials, in so many dimensions."""


def shape(rng: np.random.Generator, tokens: tuple[int, int] = (2, 10), dims: tuple[int, int] = (1, 5)) -> tuple[int, int]:
    """A number of tokens and a dimension, ends included."""
    return int(rng.integers(tokens[0], tokens[1] + 1)), int(rng.integers(dims[0], dims[1] + 1))


def with_matrix(draw: Draw, matrix: DrawMatrix, tokens: tuple[int, int] = (1, 10), dims: tuple[int, int] = (1, 4)) -> Family:
    """Clouds with a matrix B each."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        count, dim = shape(rng, tokens, dims)
        return {"tokens": draw(rng, trials, count, dim), "B": matrix(rng, trials, dim)}

    return family


def clouds(rng: np.random.Generator, trials: int, count: int, dim: int) -> Float[np.ndarray, "trials count dim"]:
    """Asymmetric clouds: Gaussian, each coordinate with its own scale, off centre."""
    scales = np.exp(rng.normal(size=(trials, 1, dim)))
    return scales * (rng.normal(size=(trials, count, dim)) + rng.normal(size=(trials, 1, dim)))


def grids(rng: np.random.Generator, trials: int, count: int, dim: int) -> Float[np.ndarray, "trials count dim"]:
    """Degenerate clouds: small whole numbers, so tokens tie, coincide, vanish and lie on common planes."""
    return rng.integers(-2, 3, size=(trials, count, dim)).astype(float)


def flat(rng: np.random.Generator, trials: int, count: int, dim: int) -> Float[np.ndarray, "trials count dim"]:
    """Clouds on a line or plane of a higher-dimensional space."""
    rank = max(1, dim - 1)
    return clouds(rng, trials, count, rank) @ rng.normal(size=(trials, rank, dim))


def definite(rng: np.random.Generator, trials: int, dim: int, spread: float = 1.0) -> Float[np.ndarray, "trials dim dim"]:
    """Symmetric positive definite matrices with random axes; log-eigenvalues have standard deviation `spread`."""
    axes, _ = np.linalg.qr(rng.normal(size=(trials, dim, dim)))
    matrices = (axes * np.exp(spread * rng.normal(size=(trials, 1, dim)))) @ axes.swapaxes(-1, -2)
    return (matrices + matrices.swapaxes(-1, -2)) / 2


def semidefinite(rng: np.random.Generator, trials: int, dim: int) -> Float[np.ndarray, "trials dim dim"]:
    """Symmetric positive semidefinite matrices of random rank, zero among them."""
    factors = rng.normal(size=(trials, dim, dim)) * (rng.random((trials, 1, dim)) < 0.6)
    return factors @ factors.swapaxes(-1, -2)


def hull_weights(count: int, points: int) -> Float[np.ndarray, "points count"]:
    """Convex weights that fill the simplex evenly, the same at every call: exponentials of an additive sequence, normalised.

    The steps are square roots of primes, irrational and independent (H. Weyl).
    """
    primes = np.array([p for p in range(2, 2000) if all(p % q for q in range(2, int(p**0.5) + 1))][:count])
    sequence = (np.arange(1, points + 1)[:, None] * np.sqrt(primes)) % 1.0
    raw = -np.log1p(-sequence)
    return raw / raw.sum(axis=1, keepdims=True)


def radius(tokens: Float[np.ndarray, "trials count dim"]) -> Float[np.ndarray, " trials"]:
    """The largest norm of each cloud's tokens, 1 for a cloud at the origin: the unit of lengths."""
    largest = np.linalg.norm(tokens, axis=-1).max(axis=-1)
    return np.where(largest == 0.0, 1.0, largest)


def is_symmetric(B: Float[np.ndarray, "trials *rest dim dim"]) -> np.ndarray:
    """Which matrices are symmetric, bit for bit."""
    return (B.swapaxes(-1, -2) == B).all(axis=(-1, -2))


def is_definite(B: Float[np.ndarray, "trials *rest dim dim"], semi: bool = False) -> np.ndarray:
    """Which matrices are symmetric and positive definite (or, within rounding, semidefinite)."""
    values = np.linalg.eigvalsh((B + B.swapaxes(-1, -2)) / 2)
    size = np.abs(values).max(axis=-1)
    least = values[..., 0]
    return is_symmetric_closely(B) & ((least >= -1e-12 * size) if semi else (least > 1e-12 * size))


def is_symmetric_closely(B: Float[np.ndarray, "trials *rest dim dim"]) -> np.ndarray:
    """Which matrices are symmetric up to rounding, as products of factors are."""
    return np.abs(B - B.swapaxes(-1, -2)).max(axis=(-1, -2)) <= 1e-14 * np.abs(B).max(axis=(-1, -2))
