"""Raw reviews to prepared reviews: repeats dropped, a limit drawn, words taken, vocabulary and split."""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
from tqdm import tqdm

from hardmax.data.sources import RawReviews
from hardmax.data.words import words
from hardmax.errors import InputError

_CHUNK = 500  # reviews handed to a process at a time; fixed, so that the work does not depend on the number of processes


@dataclass(frozen=True)
class Vocabulary:
    """Words by falling frequency, ties in alphabetical order; index 0 is padding, the first word has index 1."""

    words: list[str]
    counts: list[int]

    def encode(self, reviews: list[list[str]]) -> list[np.ndarray]:
        """Token ids of each review, int32."""
        index = {word: place for place, word in enumerate(self.words, start=1)}
        return [np.array([index[word] for word in review], dtype=np.int32) for review in reviews]


@dataclass(frozen=True)
class Preparation:
    """Prepared reviews, in the order of the source, and what was left out on the way.

    Attributes:
        rows: where each kept review stands in its source.
        positive: its label.
        words: all its words, uncut, never empty.
        train: whether it belongs to the training split.
        vocabulary: of all kept reviews, training and test.
        repeated_texts: reviews dropped because an earlier one has the same text.
        repeated_words: reviews dropped because an earlier one has the same words once prepared.
        contradictory: those of both that bear another label than the one kept.
        not_drawn: reviews left out by the limit.
        emptied: reviews dropped because no word was left.
    """

    rows: list[str]
    positive: list[bool]
    words: list[list[str]]
    train: np.ndarray
    vocabulary: Vocabulary
    repeated_texts: int
    repeated_words: int
    contradictory: int
    not_drawn: int
    emptied: int


def prepare(
    raw: RawReviews,
    rng: np.random.Generator,
    *,
    reviews: int | None = None,
    train_share: float = 0.7,
    threads: int = 1,
) -> Preparation:
    """Prepare reviews as the paper does; one of each repeated review is kept, so that the split cannot leak.

    Args:
        raw: reviews as read.
        rng: draws the limit, then the split.
        reviews: how many distinct texts to keep, drawn at random; all where None or where there are fewer.
        train_share: share of the reviews that goes to training, rounded down, strictly between 0 and 1.
        threads: processes that clean and lemmatise. The result does not depend on it.

    Raises:
        InputError: a share or limit out of range, or fewer than two reviews left to split.
    """
    if not 0 < train_share < 1:
        raise InputError(f"data.train_share: expected a number strictly between 0 and 1, found {train_share!r}")
    if reviews is not None and reviews < 2:
        raise InputError(f"data.reviews: expected null or at least 2, found {reviews!r}")
    distinct, contradictory_texts = _first_of_each(raw.texts, raw.positive, range(len(raw.texts)))
    drawn = distinct
    if reviews is not None and reviews < len(distinct):
        drawn = sorted(rng.choice(distinct, size=reviews, replace=False).tolist())
    taken = dict(zip(drawn, _words([raw.texts[place] for place in drawn], threads), strict=True))
    filled = [place for place in drawn if taken[place]]
    kept, contradictory_words = _first_of_each(
        [" ".join(taken[place]) for place in filled], [raw.positive[place] for place in filled], filled
    )
    if len(kept) < 2:
        raise InputError(f"{raw.origin}: expected at least 2 distinct reviews with words, found {len(kept)}")
    chosen = [taken[place] for place in kept]
    counts = Counter(word for review in chosen for word in review)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    train = np.zeros(len(kept), dtype=bool)
    train[rng.permutation(len(kept))[: max(1, int(train_share * len(kept)))]] = True
    return Preparation(
        rows=[raw.rows[place] for place in kept],
        positive=[raw.positive[place] for place in kept],
        words=chosen,
        train=train,
        vocabulary=Vocabulary([word for word, _ in ordered], [count for _, count in ordered]),
        repeated_texts=len(raw.texts) - len(distinct),
        repeated_words=len(filled) - len(kept),
        contradictory=contradictory_texts + contradictory_words,
        not_drawn=len(distinct) - len(drawn),
        emptied=len(drawn) - len(filled),
    )


def _first_of_each(texts: list[str], labels: list[bool], places: list[int] | range) -> tuple[list[int], int]:
    """Places of the first review of each text, and how many later ones contradict the label of the first."""
    first: dict[str, bool] = {}
    kept: list[int] = []
    contradictory = 0
    for text, label, place in zip(texts, labels, places, strict=True):
        if text not in first:
            first[text] = label
            kept.append(place)
        else:
            contradictory += first[text] != label
    return kept, contradictory


def _chunk_words(texts: list[str]) -> list[list[str]]:
    return [words(text) for text in texts]


def _words(texts: list[str], threads: int) -> list[list[str]]:
    chunks = [texts[start : start + _CHUNK] for start in range(0, len(texts), _CHUNK)]
    if threads == 1 or len(chunks) == 1:
        return _gathered(map(_chunk_words, chunks), len(texts))
    # Forked, since a spawned process would run the script of the calling job again from its top.
    with ProcessPoolExecutor(min(threads, len(chunks)), mp_context=get_context("fork")) as pool:
        return _gathered(pool.map(_chunk_words, chunks), len(texts))


def _gathered(chunks: Iterable[list[list[str]]], total: int) -> list[list[str]]:
    prepared: list[list[str]] = []
    with tqdm(total=total, desc="Preparing reviews", unit="review", mininterval=1) as bar:
        for chunk in chunks:
            prepared += chunk
            bar.update(len(chunk))
    return prepared
