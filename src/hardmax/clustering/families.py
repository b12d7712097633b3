"""Random clouds on which the claims about clustering are tried, and their hypotheses checked in code.

An instance is a cloud `tokens` (tokens, dim), the matrix `A`, the weight `alpha` of the followed mean, and a number of `layers`.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from jaxtyping import Bool

from hardmax.clustering.ensembles import random_definite
from hardmax.clustering.mirrored import mirrored_cloud
from hardmax.falsify import Instances, strategies

LAYERS = 12
LONG = 150
"""Layers of ordinary and of long runs."""


def _instances(tokens: np.ndarray, A: np.ndarray, alpha: float, layers: int) -> Instances:
    trials = len(tokens)
    return {
        "tokens": tokens,
        "A": np.broadcast_to(A, (trials, *A.shape[-2:])).copy(),
        "alpha": np.full(trials, alpha),
        "layers": np.full(trials, layers),
    }


def _alpha(rng: np.random.Generator) -> float:
    return float(np.exp(rng.uniform(np.log(0.2), np.log(10.0))))


def _matrix(rng: np.random.Generator, dim: int) -> np.ndarray:
    return random_definite(rng, dim, float(10 ** rng.uniform(0, 2)))


def generic(rng: np.random.Generator, trials: int) -> Instances:
    """Normal tokens about the origin."""
    count, dim = int(rng.integers(3, 11)), int(rng.integers(1, 5))
    return _instances(rng.normal(size=(trials, count, dim)), _matrix(rng, dim), _alpha(rng), LAYERS)


def asymmetric(rng: np.random.Generator, trials: int) -> Instances:
    """Skewed clouds off the origin, with very different coordinates."""
    count, dim = int(rng.integers(3, 11)), int(rng.integers(1, 5))
    shape = (trials, count, dim)
    tokens = np.exp(rng.normal(size=shape)) * 10 ** rng.uniform(-2, 2, size=dim) + rng.normal(size=(trials, 1, dim))
    return _instances(tokens, _matrix(rng, dim), _alpha(rng), LAYERS)


def degenerate(rng: np.random.Generator, trials: int) -> Instances:
    """Tokens on a line, through the origin or not; three in ten clouds have two coinciding tokens, three in ten one at the origin."""
    count, dim = int(rng.integers(3, 9)), int(rng.integers(2, 5))
    flat = rng.normal(size=(trials, count, 1)) * rng.normal(size=(trials, 1, dim)) + rng.integers(0, 2) * rng.normal(size=(trials, 1, dim))
    repeated = rng.random(trials) < 0.3
    flat[repeated, -1] = flat[repeated, 0]
    flat[rng.random(trials) < 0.3, 0] = 0.0
    return _instances(flat, _matrix(rng, dim), _alpha(rng), LAYERS)


def tied(rng: np.random.Generator, trials: int) -> Instances:
    """Clouds of small integers, where scores and norms tie exactly: half of them with mirror images."""
    dim = int(rng.integers(1, 4))
    if dim > 1 and rng.random() < 0.5:
        cloud = mirrored_cloud(rng, dim, 2, 2)
        clouds = [cloud, *(mirrored_cloud(rng, dim, 2, 2) for _ in range(4 * trials))]
        alike = [cloud for cloud in clouds if len(cloud) == len(clouds[0])]
        tokens = np.array([alike[trial % len(alike)] for trial in range(trials)], dtype=float)
    else:
        tokens = rng.integers(-3, 4, size=(trials, int(rng.integers(2, 9)), dim)).astype(float)
    A = np.diag(rng.integers(1, 4, size=dim)).astype(float)
    return _instances(tokens, A, float(rng.choice([1 / 3, 0.5, 1.0, 3.0])), LAYERS)


def small(rng: np.random.Generator, trials: int) -> Instances:
    """One or two tokens in one or two dimensions."""
    count, dim = int(rng.integers(1, 3)), int(rng.integers(1, 3))
    return _instances(rng.normal(size=(trials, count, dim)), _matrix(rng, dim), _alpha(rng), LAYERS)


def large(rng: np.random.Generator, trials: int) -> Instances:
    """Many tokens in up to ten dimensions."""
    count, dim = int(rng.integers(40, 81)), int(rng.integers(2, 11))
    return _instances(rng.normal(size=(trials, count, dim)), _matrix(rng, dim), _alpha(rng), LAYERS)


def long(rng: np.random.Generator, trials: int) -> Instances:
    """Many layers, small steps, tokens close to the hyperplane between two others."""
    count, dim = int(rng.integers(4, 9)), int(rng.integers(2, 4))
    tokens = rng.normal(size=(trials, count, dim))
    normal = tokens[:, 0] - tokens[:, 1]
    tokens[:, 2] -= (np.einsum("td,td->t", tokens[:, 2], normal) / np.einsum("td,td->t", normal, normal))[:, None] * normal
    tokens[:, 2] += 1e-6 * rng.normal(size=(trials, dim))
    return _instances(tokens, np.eye(dim), float(rng.uniform(0.2, 0.4)), LONG)


FAMILIES: dict[str, Callable[[np.random.Generator, int], Instances]] = {
    "generic": generic,
    "asymmetric": asymmetric,
    "degenerate": degenerate,
    "tied": tied,
    "small": small,
    "large": large,
    "long": long,
}


def positive_definite(x: Instances) -> Bool[np.ndarray, " trials"]:
    """A is symmetric and positive definite."""
    A = np.asarray(x["A"], dtype=float)
    symmetric = np.isclose(A, A.mT, rtol=1e-12, atol=0).all(axis=(1, 2))
    return symmetric & (np.linalg.eigvalsh(A)[:, 0] > 0)


def positive_alpha(x: Instances) -> Bool[np.ndarray, " trials"]:
    """alpha is positive."""
    return np.asarray(x["alpha"] > 0)


def distinct(x: Instances) -> Bool[np.ndarray, " trials"]:
    """No two initial tokens coincide."""
    z = x["tokens"]
    same = (z[:, :, None] == z[:, None]).all(axis=3)
    return np.asarray(same.sum(axis=(1, 2)) == z.shape[1])


def nonzero(x: Instances) -> Bool[np.ndarray, " trials"]:
    """No initial token is the origin."""
    return np.asarray((x["tokens"] != 0).any(axis=2).all(axis=1))


MODEL = {"A symmetric positive definite": positive_definite, "alpha > 0": positive_alpha}
"""What the model itself asks of A and alpha."""

GENERAL_POSITION = MODEL | {"distinct initial tokens": distinct, "nonzero initial tokens": nonzero}


def small_rationals(layers: int = 8) -> st.SearchStrategy[dict[str, Any]]:
    """Few tokens with small whole coordinates in one or two dimensions, small A and alpha: where the shrinking search looks."""

    def of(dim: int) -> st.SearchStrategy[dict[str, Any]]:
        return st.fixed_dictionaries(
            {
                "tokens": strategies.clouds(1, 6, dims=(dim, dim), size=3),
                "A": strategies.definite(dim),
                "alpha": st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2), Fraction(1, 3), Fraction(3)]),
                "layers": st.just(Fraction(layers)),
            }
        )

    return st.integers(1, 2).flatmap(of)
