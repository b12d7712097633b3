"""An evaluator written out from the model's formulas, with nothing of the library in it, and data sets of many kinds."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

Point = list[Fraction]


def _evaluate(blocks: list, tokens: object) -> list[Point]:
    """Images of the tokens under hardmax attention, in rationals, one formula after the other."""
    x = [[Fraction(float(value)) if isinstance(value, float) else Fraction(value) for value in row] for row in tokens]
    d = len(x[0])
    for block in blocks:
        moved = []
        for row in x:
            hidden = [max(sum(block.U[k][i] * row[i] for i in range(d)) + block.b[k], Fraction(0)) for k in range(len(block.b))]
            moved.append([block.eta * row[i] + sum(block.W[i][k] * hidden[k] for k in range(len(hidden))) for i in range(d)])
        x = moved
        if block.V is None:
            assert block.rho == 1
            continue
        attended = []
        for row in x:
            leaders = x
            if block.B is not None:
                query = [sum(block.B[i][k] * row[k] for k in range(d)) for i in range(d)]
                scores = [sum(query[i] * other[i] for i in range(d)) for other in x]
                leaders = [other for other, score in zip(x, scores, strict=True) if score == max(scores)]
            mean = [sum(other[i] for other in leaders) / len(leaders) for i in range(d)]
            attended.append([block.rho * row[i] + sum(block.V[i][k] * mean[k] for k in range(d)) for i in range(d)])
        x = attended
    return x


@pytest.fixture(scope="session")
def literal() -> Callable:
    """`literal(blocks, tokens)`: the model's formulas, literally."""
    return _evaluate


def _general(rng: np.random.Generator, n: int, d: int, targets: int) -> tuple[list, list]:
    X = [rng.normal(size=(int(rng.integers(targets, targets + 6)), d)) for _ in range(n)]
    return X, [rng.normal(size=(int(rng.integers(1, targets + 1)), d)) for _ in range(n)]


def _overlapping(rng: np.random.Generator, n: int, d: int, targets: int) -> tuple[list, list]:
    pool = rng.integers(-3, 4, size=(8, d)).astype(float) + np.arange(8)[:, None] * 0.125
    subsets: set[tuple] = set()
    while len(subsets) < n:
        size = int(rng.integers(targets, 6))
        subsets.add(tuple(sorted(rng.choice(8, size=size, replace=False).tolist())))
    goals = rng.integers(-2, 3, size=(4, d)).astype(float)
    return [pool[list(s)] for s in sorted(subsets)], [goals[rng.choice(4, size=targets)] for _ in range(n)]


def _equal_means(rng: np.random.Generator, n: int, d: int, targets: int) -> tuple[list, list]:
    steps = [rng.integers(1, 50, size=(targets, d)).astype(float) * (k + 1) for k in range(n)]
    return [np.concatenate([s, -s]) for s in steps], [rng.normal(size=(targets, d)) for _ in range(n)]


@pytest.fixture(scope="session", params=["general", "overlapping", "equal means"])
def family(request: pytest.FixtureRequest) -> Callable:
    """`family(rng, n, d, targets)` draws a data set of n sequences with at most that many targets each."""
    return {"general": _general, "overlapping": _overlapping, "equal means": _equal_means}[request.param]
