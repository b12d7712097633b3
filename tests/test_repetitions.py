"""Merging repeated words is undone by their places, and changes no dynamics."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hardmax.dynamics import leader_averaging, simulate
from hardmax.errors import InputError
from hardmax.repetitions import merge_repeated


@given(arrays.arrays(np.int32, st.tuples(st.integers(0, 6), st.integers(0, 20)), elements=st.integers(0, 9)))
def test_merging_is_undone_by_places(ids: np.ndarray) -> None:
    merged = merge_repeated(ids)
    assert np.array_equal(np.take_along_axis(merged.ids, merged.place, axis=1), ids)
    for row, kept, counts in zip(ids, merged.ids, merged.counts, strict=True):
        first = np.sort(np.unique(row, return_index=True)[1])
        assert kept[counts > 0].tolist() == row[first].tolist()
        assert counts[counts > 0].tolist() == [int((row == word).sum()) for word in row[first]]
        assert counts.sum() == len(row) and not kept[counts == 0].any()


def test_repeated_words_move_as_one() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(0, 12, (6, 30))
    embedding = rng.standard_normal((12, 2))
    merged = merge_repeated(ids)
    rule = leader_averaging(1.0)
    whole = simulate(embedding[ids], rule, 5, keep="last")[0].numpy()
    short = simulate(embedding[merged.ids], rule, 5, multiplicity=torch.from_numpy(merged.counts), keep="last")[0].numpy()
    assert np.array_equal(np.take_along_axis(short, merged.place[..., None], axis=1), whole)


def test_negative_ids_are_named() -> None:
    with pytest.raises(InputError, match="found -2 in row 1"):
        merge_repeated(np.array([[0, 1], [-2, 3]]))
