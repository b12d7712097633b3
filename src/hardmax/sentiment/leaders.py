"""Leaders and clusters of reviews under a trained classifier, review by review."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch

from hardmax.sentiment.classifier import Classifier
from hardmax.sentiment.components import components, extents
from hardmax.sentiment.evaluation import batches
from hardmax.sentiment.reviews import Reviews


def review_table(model: Classifier, reviews: Reviews, tolerances: Sequence[float]) -> pd.DataFrame:
    """One row a review: label, logits, tokens, leaders by layer, clusters after the last layer.

    Columns:
        review, label: number in `reviews`, 1 = positive.
        softmax, hardmax: logits of the two versions of the classifier.
        tokens: distinct tokens, padding included.
        leaders_first, leaders_last, leaders_more: leaders at layer 0, at the last layer, and one layer later (as in the
            published script), padding included.
        padding_last, padding_more: whether padding is one of them.
        stayed_last, stayed_more: leaders then that led at layer 0.
        stayed_padding: whether padding leads at layer 0 and at the last.
        clusters_1, ...: clusters of the tokens at the last hardmax layer, linked within each tolerance times the largest distance
            between two tokens of the review at layer 0.
    """
    parts, seen = [], 0
    for batch in batches(reviews):
        run = model.hardmax(batch, model.depth + 1)
        start, review = batch.start.numpy(), batch.review.numpy()
        size = len(start) - 1
        with torch.no_grad():
            soft = model(batch)
            hard = model.decode(torch.from_numpy(run.states[model.depth]).to(model.embedding.dtype), batch)
        leads = {"first": run.leads[0], "last": run.leads[model.depth], "more": run.leads[model.depth + 1]}
        padding = batch.word.numpy() == 0

        def count(chosen: np.ndarray, review: np.ndarray = review, size: int = size) -> np.ndarray:
            return np.bincount(review[chosen], minlength=size)

        extent = extents(run.states[0], start)
        columns = {
            "review": np.arange(seen, seen + size),
            "label": batch.label.numpy().astype(np.int64),
            "softmax": soft.double().numpy(),
            "hardmax": hard.double().numpy(),
            "tokens": np.diff(start),
            **{f"leaders_{when}": count(who) for when, who in leads.items()},
            "padding_last": count(leads["last"] & padding),
            "padding_more": count(leads["more"] & padding),
            "stayed_last": count(leads["last"] & leads["first"]),
            "stayed_more": count(leads["more"] & leads["first"]),
            "stayed_padding": count(leads["last"] & leads["first"] & padding),
        }
        for number, tolerance in enumerate(tolerances, 1):
            columns[f"clusters_{number}"] = components(run.states[model.depth], start, tolerance * extent)
        parts.append(pd.DataFrame(columns))
        seen += size
    return pd.concat(parts, ignore_index=True)


def leader_tokens(model: Classifier, reviews: Reviews, rng: np.random.Generator) -> pd.DataFrame:
    """One row a leader at the last layer, padding left out, and one a random token of the same review for each of them.

    The baseline draws, for each review, as many distinct words as it has leaders, without repetition.

    Columns: review, who (`leader` or `random`), word (vocabulary index), decoder (the decoder's line at the word's embedding).
    """
    parts, seen = [], 0
    with torch.no_grad():
        decoder = model.decoder(model.embedding).squeeze(-1).double().numpy()
    for batch in batches(reviews):
        leads = model.hardmax(batch).leads[-1]
        word, review = batch.word.numpy(), batch.review.numpy()
        leader = leads & (word > 0)
        wanted = np.bincount(review[leader], minlength=len(batch.start) - 1)
        key = np.where(word > 0, rng.random(len(word)), np.inf)
        order = np.lexsort((key, review))
        rank = np.empty(len(word), np.int64)
        rank[order] = np.arange(len(word))
        drawn = rank - batch.start.numpy()[review] < wanted[review]
        for who, chosen in (("leader", leader), ("random", drawn)):
            parts.append(
                pd.DataFrame({"review": seen + review[chosen], "who": who, "word": word[chosen], "decoder": decoder[word[chosen]]})
            )
        seen += len(batch.start) - 1
    return pd.concat(parts, ignore_index=True)
