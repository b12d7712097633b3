"""One positive and one negative review on their way through the hardmax layers, and the decoder's line."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hardmax.errors import InputError
from hardmax.sentiment.classifier import Classifier
from hardmax.sentiment.evaluation import logits
from hardmax.sentiment.reviews import Reviews


def typical_reviews(model: Classifier, reviews: Reviews) -> dict[int, int]:
    """For each label, the rightly classified review of largest logit among those of middling length (middle half)."""
    score = logits(model.hardmax_logits, reviews).numpy()
    lengths = np.diff(reviews.start)
    low, high = np.quantile(lengths, [0.25, 0.75])
    found = {}
    for label in (1, 0):
        fit = np.where((reviews.label == label) & (lengths >= low) & (lengths <= high), score if label else -score, -np.inf)
        if not np.isfinite(fit.max()):
            raise InputError(f"reviews: expected one of label {label} and middling length among the test reviews, found none")
        found[label] = int(np.argmax(fit))
    return found


def trajectories(model: Classifier, reviews: Reviews, words: Sequence[str]) -> pd.DataFrame:
    """Tokens in the plane at each layer, and their mean.

    Columns: label, review (number among the test reviews), layer, kind (`token` or `mean`), word (empty for padding and means),
    count, x, y, leader (at the last layer).

    Raises:
        InputError: the classifier's dimension is not 2.
    """
    if model.embedding.shape[1] != 2:
        raise InputError(f"trajectories: expected a classifier of dimension 2, found {model.embedding.shape[1]}")
    rows = []
    for label, number in typical_reviews(model, reviews).items():
        batch = reviews.batch(np.array([number]))
        run = model.hardmax(batch)
        count = batch.count.numpy()
        for layer, state in enumerate(run.states):
            common = {"label": label, "review": number, "layer": layer}
            for token in range(len(count)):
                rows.append(
                    common
                    | {
                        "kind": "token",
                        "word": words[int(batch.word[token])],
                        "count": int(count[token]),
                        "x": state[token, 0],
                        "y": state[token, 1],
                        "leader": bool(run.leads[-1, token]),
                    }
                )
            x, y = count @ state / count.sum()
            rows.append(common | {"kind": "mean", "word": "", "count": int(count.sum()), "x": x, "y": y, "leader": False})
    return pd.DataFrame(rows)


def decoder_table(model: Classifier) -> pd.DataFrame:
    """The decoder's line w_1 x + w_2 y + bias = 0, and the step: columns parameter, value."""
    weight = model.decoder.weight.detach().numpy().ravel()
    values = [(f"weight {index}", float(value)) for index, value in enumerate(weight, 1)]
    values += [("bias", model.decoder.bias.item()), ("alpha", model.alpha.item())]
    return pd.DataFrame(values, columns=["parameter", "value"])
