"""Repeated words of a review, padding among them, once each with their multiplicity: coinciding tokens never part."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, Integer

from hardmax.compilation import njit
from hardmax.errors import InputError


class Merged(NamedTuple):
    """Reviews with each word once, in order of first occurrence.

    Attributes:
        ids: the distinct ids of each review, filled up with 0, shape (reviews, width), width the greatest number of distinct ids.
        counts: how often each occurs, 0 where filled up, shape (reviews, width).
        place: where in `ids` the id of each position stands, shape (reviews, positions): `values[row, place[row]]` goes back to positions.
    """

    ids: Int[np.ndarray, "reviews width"]
    counts: Float[np.ndarray, "reviews width"]
    place: Int[np.ndarray, "reviews positions"]


@njit
def _merge(ids: np.ndarray, vocabulary: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    reviews, positions = ids.shape
    distinct = np.zeros((reviews, positions), np.int64)
    counts = np.zeros((reviews, positions))
    place = np.empty((reviews, positions), np.int64)
    seen_in = np.full(vocabulary, -1)
    seen_at = np.empty(vocabulary, np.int64)
    width = 0
    for review in range(reviews):
        size = 0
        for position in range(positions):
            word = ids[review, position]
            if seen_in[word] != review:
                seen_in[word] = review
                seen_at[word] = size
                distinct[review, size] = word
                size += 1
            place[review, position] = seen_at[word]
            counts[review, seen_at[word]] += 1.0
        width = max(width, size)
    return distinct, counts, place, width


def merge_repeated(ids: Integer[np.ndarray, "reviews positions"]) -> Merged:
    """Each review's distinct ids with their counts.

    Args:
        ids: token ids, at least 0, one row a review, padding (0) included: it takes part like a word.

    Raises:
        InputError: a negative id.
    """
    array = np.ascontiguousarray(ids)
    if array.size and array.min() < 0:
        row = int(np.argwhere(array < 0)[0, 0])
        raise InputError(f"ids: expected token ids of at least 0, found {int(array[row].min())} in row {row}")
    vocabulary = int(array.max()) + 1 if array.size else 1
    distinct, counts, place, width = _merge(array, vocabulary)
    return Merged(distinct[:, :width].copy(), counts[:, :width].copy(), place)
