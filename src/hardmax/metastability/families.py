"""Generators of configurations on which the claims of this topic are tried: random families, and small rational ones to shrink."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from hardmax.falsify import Family, Instances, strategies
from hardmax.metastability.clustering import deep_tokens
from hardmax.metastability.polytopes import regular_simplex
from hardmax.metastability.setup import check_setup

LARGE = 20.0
"""Beta counts as large when beta c0 is at least this."""


def cloud(offset: float, symmetric: bool, most_gamma: float) -> Family:
    """Normal tokens about `offset` (with their mirror images where symmetric), each a group, gamma up to `most_gamma`."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        tokens, dim = int(rng.integers(2, 9)), int(rng.integers(1, 4))
        x = rng.standard_normal((trials, tokens, dim)) + offset
        if symmetric:
            x = np.concatenate([x, -x], axis=1)
        return {
            "x": x,
            "groups": np.tile(np.arange(x.shape[1]), (trials, 1)),
            "beta": 10 ** rng.uniform(-1, 1.5, trials),
            "gamma": rng.uniform(0.05, most_gamma, trials),
        }

    return family


def clouds(most_gamma: float) -> dict[str, Family]:
    """The families of clouds for MS-1."""
    return {
        "asymmetric clouds about the origin": cloud(0.0, False, most_gamma),
        "clouds away from the origin": cloud(3.0, False, most_gamma),
        "symmetric clouds": cloud(0.0, True, most_gamma),
    }


def deep_in_region(near: bool, least: float, most: float) -> Family:
    """Two tokens a group deep in the cells of a simplex, beta from 10^least to 10^most; with `near` one of them as near its vertex as MS-2
    allows. Where no token can be that deep the tokens sit at the vertices, which the hypotheses reject."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        vertices = regular_simplex(int(rng.integers(2, 5)), float(rng.choice([1.0, 2.0])))
        beta = float(10 ** rng.uniform(least, most))
        x = deep_tokens(vertices, 2, beta, trials, rng)
        if x is None:
            x = np.repeat(np.concatenate([vertices] * 3)[None], trials, axis=0)
        k = len(vertices)
        if near:
            # The ball of radius beta^(-1/4) fits between the facets at a vertex of a simplex from this distance on.
            depth = 1.001 * beta**-0.25 * (k - 1)
            x[:, k : 2 * k] = vertices * (1 - depth / np.linalg.norm(vertices[0]))
        return {
            "x": x,
            "groups": np.tile(np.arange(k), (trials, 3)),
            "beta": np.full(trials, beta),
            "gamma": rng.uniform(0.01, 0.5, trials),
        }

    return family


def near_vertices(place: str) -> Family:
    """Perturbed simplices with tokens within reach of their vertices, for MS-3 and MS-4; `place` is a name in `NEAR`."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        k = int(rng.integers(2, 5))
        others = 0 if place == "vertices only" else int(rng.integers(1, 3))
        rows: dict[str, list] = {name: [] for name in ("x", "groups", "beta", "gamma", "epsilon")}
        for _ in range(trials):
            radius = float(rng.uniform(0.5, 5.0)) if place == "vertices only" else 1.0
            vertices = regular_simplex(k, 1.0) + 0.05 * rng.standard_normal((k, k - 1))
            vertices *= radius / np.linalg.norm(vertices, axis=1, keepdims=True)
            groups = np.tile(np.arange(k), others + 1)
            scale = check_setup(vertices, np.arange(k), beta=1.0, gamma=0.5)
            if place == "towards one another":
                aims = vertices[(groups[k:] + 1) % 2]
            else:
                aims = rng.dirichlet(np.ones(k), len(groups) - k) @ vertices
            away = aims - vertices[groups[k:]]
            lengths = np.linalg.norm(away, axis=1, keepdims=True) + 1e-300
            shares = rng.uniform(0.9 if place == "towards one another" else 0.1, 1.0, (len(away), 1))
            moved = vertices[groups[k:]] + np.minimum(scale.reach * shares, lengths) * away / lengths
            epsilon = float(scale.reach * 10 ** rng.uniform(-2, -0.5))
            rows["x"].append(np.vstack([vertices, moved]))
            rows["groups"].append(groups)
            rows["beta"].append(10 ** rng.uniform(0, 2) * LARGE / max(scale.c0, 1e-3))
            rows["epsilon"].append(epsilon)
            rows["gamma"].append(epsilon / (scale.diameter * rng.uniform(2.0, 3.0)))
        return {name: np.array(values) for name, values in rows.items()}

    return family


NEAR = {name: near_vertices(name) for name in ("vertices only", "anywhere near the vertices", "towards one another")}


def both_processes(process: float) -> Family:
    """One deep token a group of a segment or triangle, for MS-5; `process` is 0 for (SA_P) and 1 for (SA_beta)."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        k = int(rng.integers(2, 4))
        vertices = regular_simplex(k)
        beta = float(rng.uniform(60, 300) if k == 2 else rng.uniform(500, 1000))
        x = deep_tokens(vertices, 1, beta, trials, rng)
        assert x is not None
        diameter = float(np.linalg.norm(vertices[0] - vertices[1]))
        epsilon = rng.uniform(0.1, 0.3, trials)
        return {
            "x": x,
            "groups": np.tile(np.arange(k), (trials, 2)),
            "beta": np.full(trials, beta),
            "epsilon": epsilon,
            "gamma": epsilon / (diameter * rng.uniform(2.0, 3.0, trials)),
            "process": np.full(trials, process),
            "seed": rng.integers(0, 2**31, trials).astype(float),
        }

    return family


SMALL_CLOUD = (
    strategies.clouds(2, 3, dims=(1, 1))
    .filter(lambda x: len({tuple(token) for token in x}) == len(x))
    .map(lambda x: {"x": x, "groups": list(range(len(x))), "beta": Fraction(1), "gamma": Fraction(1, 10)})
)

DEEP_ON_A_LINE = st.tuples(st.integers(1, 9), st.integers(1, 98)).map(
    lambda places: {
        "x": [[Fraction(1)], [Fraction(-1)], [Fraction(99, 100)], [Fraction(-places[1], 100)], [Fraction(places[0], 10)]],
        "groups": [0, 1, 0, 1, 0],
        "beta": Fraction(10**8),
        "gamma": Fraction(1, 10),
    }
)

VERTICES_ON_A_LINE = st.tuples(st.integers(1, 9), st.integers(1, 4), st.integers(1, 20)).map(
    lambda drawn: {
        "x": [[Fraction(drawn[0])], [Fraction(-drawn[0])]],
        "groups": [0, 1],
        "beta": Fraction(20),
        # epsilon = R/(4 s) is at most tau/2 = R/4, and gamma = epsilon/(4 R) makes the ratio 2 diam(K).
        "epsilon": Fraction(drawn[0], 4 * drawn[1]),
        "gamma": Fraction(1, 16 * drawn[1]),
    }
)

PAIRS_ON_A_LINE = st.tuples(st.integers(1, 4), st.integers(1, 2), st.integers(1, 2)).map(
    lambda drawn: {
        "x": [
            [Fraction(drawn[0])],
            [Fraction(-drawn[0])],
            [drawn[0] * (1 - Fraction(drawn[1], 4))],
            [-drawn[0] * (1 - Fraction(drawn[2], 4))],
        ],
        "groups": [0, 1, 0, 1],
        "beta": Fraction(40),
        "epsilon": Fraction(drawn[0], 16),
        "gamma": Fraction(1, 64),
    }
)
