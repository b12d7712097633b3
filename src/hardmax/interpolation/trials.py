"""Data sets for the search for counterexamples: random families, and small integer ones that shrink."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.falsify import Inputs, Instances

FORMS = ("sequences", "targets")


def objects(values: list) -> np.ndarray:
    """Ragged items as an object array, one a trial."""
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def family(draw: Any, most_targets: int, least_dimension: int = 2) -> Any:
    """Batches of `draw(rng, n, d, m)`, a data set of n sequences in R^d with at most m targets each."""

    def sample(rng: np.random.Generator, trials: int) -> Instances:
        n, d = int(rng.integers(1, 9)), int(rng.integers(least_dimension, 5))
        sets = [draw(rng, n, d, most_targets) for _ in range(trials)]
        return {key: objects([data[k] for data in sets]) for k, key in enumerate(FORMS)}

    return sample


def draw_general(rng: np.random.Generator, n: int, d: int, m: int) -> tuple[list, list]:
    """Gaussian tokens of any number, Gaussian targets."""
    lengths = rng.integers(m, 9, size=n)
    return [rng.normal(size=(k, d)).tolist() for k in lengths], [
        rng.normal(size=(int(rng.integers(1, m + 1)), d)).tolist() for _ in range(n)
    ]


def draw_grid(rng: np.random.Generator, n: int, d: int, m: int) -> tuple[list, list]:
    """Few grid points, so tokens, sequences and targets coincide and tie often."""
    return (
        [rng.integers(0, 3, size=(int(rng.integers(m, 6)), d)).tolist() for _ in range(n)],
        [rng.integers(0, 3, size=(int(rng.integers(1, m + 1)), d)).tolist() for _ in range(n)],
    )


def draw_centred(rng: np.random.Generator, n: int, d: int, m: int) -> tuple[list, list]:
    """Adversarial: symmetric sequences, all means equal in every direction."""
    half = [rng.integers(-9, 10, size=(int(rng.integers(m, 5)), d)) for _ in range(n)]
    return [np.concatenate([h, -h]).tolist() for h in half], [
        rng.integers(-3, 4, size=(int(rng.integers(1, m + 1)), d)).tolist() for _ in range(n)
    ]


def draw_repeated(rng: np.random.Generator, n: int, d: int, m: int) -> tuple[list, list]:
    """Sequences some of which repeat all tokens of an earlier one the same number of times."""
    X, Y = draw_general(rng, n, d, m)
    for j in range(1, n):
        if rng.random() < 0.3:
            i = int(rng.integers(j))
            X[j] = X[i] * int(rng.integers(2, 4))
            Y[j] = Y[i] if rng.random() < 0.5 else Y[j][: len(X[i])]
    return X, Y


def small_sets(most_targets: int) -> st.SearchStrategy[Inputs]:
    """Small integer data sets in the plane, the last sequence perhaps a repetition of the first."""
    point = st.lists(st.integers(0, 2), min_size=2, max_size=2)
    goal = st.lists(point, min_size=1, max_size=most_targets)
    pair = st.tuples(st.lists(point, min_size=1, max_size=3), goal)
    repeated = st.none() | st.tuples(st.integers(2, 3), goal)

    def assemble(drawn: tuple[list, tuple[int, list] | None]) -> Inputs:
        pairs, last = drawn
        pairs = pairs if last is None else [*pairs, (pairs[0][0] * last[0], last[1])]
        return {key: [pair[k] for pair in pairs] for k, key in enumerate(FORMS)}

    return st.tuples(st.lists(pair, min_size=1, max_size=3), repeated).map(assemble)


def families(most_targets: int, least_dimension: int = 2) -> dict[str, Any]:
    """General position, grid, equal means, and repetitions."""
    drawn = {"general position": draw_general, "grid": draw_grid, "equal means": draw_centred, "repetitions": draw_repeated}
    return {name: family(draw, most_targets, least_dimension) for name, draw in drawn.items()}
