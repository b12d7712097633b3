"""Loss and accuracy of a classifier on reviews, by softmax and by hardmax attention."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional

from hardmax.sentiment.classifier import Classifier
from hardmax.sentiment.reviews import Batch, Reviews

BATCH = 512


class Score(NamedTuple):
    """Mean binary cross entropy, and share of reviews on the right side of 0."""

    loss: float
    accuracy: float


def batches(reviews: Reviews, size: int = BATCH) -> Iterator[Batch]:
    """All reviews in order."""
    for first in range(0, len(reviews), size):
        yield reviews.batch(np.arange(first, min(first + size, len(reviews))))


def logits(score: Callable[[Batch], Tensor], reviews: Reviews) -> Float[Tensor, " reviews"]:
    """Logits of all reviews, without gradient and on the CPU; `score` is a classifier or its `hardmax_logits`."""
    with torch.no_grad():
        return torch.cat([score(batch).cpu() for batch in batches(reviews)])


def score(values: Float[Tensor, " reviews"], label: Float[Tensor, " reviews"]) -> Score:
    """Loss and accuracy of logits; a logit of 0 counts as negative."""
    loss = functional.binary_cross_entropy_with_logits(values.double(), label.double())
    return Score(loss.item(), ((values > 0) == (label > 0.5)).double().mean().item())


def evaluate(model: Classifier, reviews: Reviews, hardmax: bool = False) -> Score:
    """Loss and accuracy of a classifier on reviews."""
    return score(logits(model.hardmax_logits if hardmax else model, reviews), torch.from_numpy(reviews.label).float())
