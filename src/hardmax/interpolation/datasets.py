"""Families of data sets to interpolate: general position, overlapping, equal means, and real reviews."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

Sequences = list[np.ndarray]
DataSet = tuple[Sequences, Sequences]


def general_position(rng: np.random.Generator, sequences: int, tokens: int, dimension: int, targets: int) -> DataSet:
    """Gaussian tokens and targets, no two alike."""
    X = [rng.normal(size=(tokens, dimension)) for _ in range(sequences)]
    return X, [rng.normal(size=(targets, dimension)) for _ in range(sequences)]


def overlapping(rng: np.random.Generator, sequences: int, tokens: int, dimension: int, targets: int) -> DataSet:
    """Distinct subsets of one small pool of Gaussian tokens; every token is in about half of the sequences."""
    pool = rng.normal(size=(2 * max(tokens, 4), dimension))
    chosen: dict[tuple[int, ...], None] = {}
    while len(chosen) < sequences:
        chosen[tuple(np.sort(rng.choice(len(pool), size=tokens, replace=False)).tolist())] = None
    return [pool[list(subset)] for subset in chosen], [rng.normal(size=(targets, dimension)) for _ in range(sequences)]


def equal_means(rng: np.random.Generator, sequences: int, tokens: int, dimension: int, targets: int) -> DataSet:
    """Adversarial: sequences symmetric about the origin, on an integer grid, so all have the same mean in every direction."""
    X = []
    for _ in range(sequences):
        half = rng.integers(-(2**20), 2**20, size=(max(1, tokens // 2), dimension)).astype(np.float64) / 2**20
        X.append(np.concatenate([half, -half]))
    return X, [rng.normal(size=(targets, dimension)) for _ in range(sequences)]


FAMILIES: dict[str, Callable[[np.random.Generator, int, int, int, int], DataSet]] = {
    "general position": general_position,
    "overlapping": overlapping,
    "equal means": equal_means,
}


def word_vectors(rng: np.random.Generator, words: int, dimension: int) -> Float[np.ndarray, "words dim"]:
    """A fixed random embedding: integers over 1024, an exact and short rational for every coordinate."""
    return rng.integers(-4096, 4097, size=(words, dimension)).astype(np.float64) / 1024


def reviews_as_sequences(
    tokens: Sequence[np.ndarray], labels: Sequence[int], vectors: Float[np.ndarray, "words dim"]
) -> tuple[Sequences, list[int]]:
    """Reviews as sequences of word vectors with their labels, empty ones and repetitions of earlier ones left out.

    Two reviews with the same words in the same proportions are one sequence to any network; if their labels differ, the
    later one is left out too.
    """
    seen: set[tuple] = set()
    X, y = [], []
    for words, label in zip(tokens, labels, strict=True):
        present, count = np.unique(np.asarray(words), return_counts=True)
        if not len(present):
            continue
        key = (present.tobytes(), (count // np.gcd.reduce(count)).tobytes())
        if key not in seen:
            seen.add(key)
            X.append(vectors[np.asarray(words)])
            y.append(int(label))
    return X, y


def sizes(X: Sequences) -> dict[str, int | float]:
    """Number of sequences, least and largest length, mean length."""
    lengths = pd.Series([len(x) for x in X])
    return {"sequences": len(X), "shortest": int(lengths.min()), "longest": int(lengths.max()), "mean_length": float(lengths.mean())}
