"""How often Gaussian vertices own their cells (FW-9)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hardmax.frank_wolfe.statements.owners import ownership_bound
from hardmax.intervals import clopper_pearson

CONFIDENCE = 0.95


def owning(rng: np.random.Generator, dims: Sequence[int], counts: Sequence[int], conditions: Sequence[float], trials: int) -> pd.DataFrame:
    """The probability that all k vertices from N(0, I_d) own their cells, with its interval and the union bound.

    B is diagonal, which by rotation invariance is no loss, with eigenvalues 1 and the condition number in equal parts. Columns:
    condition, vertices, dim, trials, owned, probability, low, high, bound (the probability's lower bound, at least 0).
    """
    rows = []
    for condition in conditions:
        for count in counts:
            for dim in dims:
                diagonal = np.where(np.arange(dim) % 2, condition, 1.0)
                owned = 0
                for start in range(0, trials, 250):
                    vertices = rng.normal(size=(min(250, trials - start), count, dim))
                    scores = (vertices * diagonal) @ vertices.swapaxes(-1, -2)
                    owned += int((scores.argmax(axis=-1) == np.arange(count)).all(axis=1).sum())
                low, high = clopper_pearson(owned, trials, CONFIDENCE)
                rows.append(
                    {
                        "condition": condition, "vertices": count, "dim": dim, "trials": trials, "owned": owned,
                        "probability": owned / trials, "low": low, "high": high,
                        "bound": max(0.0, ownership_bound(count, dim, condition)),
                    }
                )  # fmt: skip
    return pd.DataFrame(rows)
