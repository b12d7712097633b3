"""Leader averaging of real reviews whose words have fixed random embeddings: clustering without any training."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from hardmax.clustering.ensembles import outcomes
from hardmax.data import load_tokens
from hardmax.repetitions import merge_repeated
from hardmax.settling import settle

_CHUNK = 2000
"""Reviews at a time: bounds memory."""


def review_clusters(
    tokens: str | Path, rng: np.random.Generator, *, dims: Sequence[int], reviews: int | None, alpha: float, layers: int
) -> pd.DataFrame:
    """Cluster reviews, A = I, every word of the vocabulary having one standard normal embedding for each dimension.

    Padding takes no part. Repeated words coincide, so a review has as many tokens as different words.

    Args:
        tokens: the token table.
        rng: draws the embeddings and which reviews are taken.
        dims: dimensions of the embedding.
        reviews: how many reviews to take; all for None or where there are fewer.
        alpha: weight of the followed mean.
        layers: how many layers at most.

    Returns:
        One row a dimension and review: words (cut to the positions of the table), different words, and what became of them.
    """
    table = load_tokens(tokens)
    chosen = np.arange(len(table.ids))
    if reviews is not None and reviews < len(chosen):
        chosen = np.sort(rng.choice(chosen, size=reviews, replace=False))
    ids = table.ids[chosen]
    merged = merge_repeated(ids)
    counts = np.where(merged.ids == 0, 0.0, merged.counts)
    parts = []
    for dim in tqdm(dims, desc="Reviews", mininterval=1):
        embedding = rng.normal(size=(int(table.ids.max()) + 1, dim))
        for start in range(0, len(chosen), _CHUNK):
            rows = slice(start, start + _CHUNK)
            settled = settle(embedding[merged.ids[rows]], alpha, layers, counts=counts[rows])
            part = outcomes(settled, counts[rows] > 0)
            parts.append(part.assign(dim=dim, review=table.review[chosen[rows]], words=(ids[rows] > 0).sum(axis=1)))
    order = ["dim", "review", "words", "tokens", "first_leaders", "leaders", "clusters", "final_layer", "settled_layer"]
    return pd.concat(parts, ignore_index=True)[order]
