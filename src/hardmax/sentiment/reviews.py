"""Reviews as distinct tokens with multiplicities, and batches of them."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from hardmax.data import Tokens
from hardmax.errors import InputError


@dataclass(frozen=True)
class Batch:
    """Some reviews, one after the other.

    Attributes:
        word: vocabulary index of each distinct token, 0 = padding.
        count: how often it stands in its review.
        start: where each review begins, and the end of the last.
        review: which review of the batch each token belongs to.
        label: 1 = positive.
    """

    word: Int[Tensor, " tokens"]
    count: Int[Tensor, " tokens"]
    start: Int[Tensor, " boundaries"]
    review: Int[Tensor, " tokens"]
    label: Float[Tensor, " reviews"]

    def padded(self) -> tuple[Int[Tensor, "reviews longest"], Int[Tensor, "reviews longest"]]:
        """Words and counts with a row for each review; a place that holds no token has count 0."""
        lengths = np.diff(self.start.tolist()).tolist()
        word, count = (pad_sequence(part.split(lengths), batch_first=True) for part in (self.word, self.count))
        return word, count


class Reviews:
    """Labelled reviews, each as its distinct tokens in order of vocabulary index, with multiplicities.

    Padding is a token like any other, as in the published scripts; with `padding=False` it is left out of attention and mean.

    Attributes:
        word, count: of all reviews, one after the other.
        start: boundaries, one more than reviews.
        label: 1 = positive.
    """

    def __init__(self, ids: Int[np.ndarray, "reviews positions"], label: Int[np.ndarray, " reviews"], padding: bool = True) -> None:
        """Read padded vocabulary indices (0 = padding).

        Raises:
            InputError: there is no review, or one has no word where padding is left out.
        """
        if not len(ids):
            raise InputError("reviews: expected at least one, found none")
        ids = np.sort(ids, axis=1)
        first = np.ones(ids.shape, dtype=bool)
        first[:, 1:] = ids[:, 1:] != ids[:, :-1]
        place = np.flatnonzero(first)
        count = np.diff(np.append(place, ids.size))
        word = ids.ravel()[place].astype(np.int64)
        review = place // ids.shape[1]
        if not padding:
            review, count, word = review[word > 0], count[word > 0], word[word > 0]
        lengths = np.bincount(review, minlength=len(ids))
        if not lengths.all():
            raise InputError(f"reviews: expected a word in each, found none in review {int(np.argmin(lengths))}")
        self.word, self.count = word, count.astype(np.int64)
        self.start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self.label = label.astype(np.int64)

    @classmethod
    def of(cls, tokens: Tokens, train: bool, padding: bool = True) -> "Reviews":
        """The training or the test reviews of the token table."""
        chosen = tokens.train == train
        return cls(tokens.ids[chosen], tokens.labels[chosen], padding)

    def __len__(self) -> int:
        return len(self.label)

    def batch(self, chosen: Int[np.ndarray, " chosen"]) -> Batch:
        """The chosen reviews, in that order."""
        begin, lengths = self.start[chosen], self.start[chosen + 1] - self.start[chosen]
        start = np.concatenate([[0], np.cumsum(lengths)])
        place = np.arange(start[-1]) + np.repeat(begin - start[:-1], lengths)
        return Batch(
            word=torch.from_numpy(self.word[place]),
            count=torch.from_numpy(self.count[place]),
            start=torch.from_numpy(start),
            review=torch.from_numpy(np.repeat(np.arange(len(chosen)), lengths)),
            label=torch.from_numpy(self.label[chosen].astype(np.float32)),
        )
