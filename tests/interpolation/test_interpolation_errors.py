"""Bad data is one clear line that names the sequence, before anything is built."""

import numpy as np
import pytest

from hardmax.errors import InputError
from hardmax.interpolation import certify, interpolate


@pytest.mark.parametrize(
    ("X", "Y", "words"),
    [
        ([[[0, 1]], [[5, 5]], [[0, 1], [0, 1]]], [0, 1, 1], "sequences 0 and 2: equal as normalised multisets"),
        ([[[0, 1], [2, 3]]], [[[0, 0], [1, 1], [2, 2]]], "sequence 0: 3 distinct targets but only 2 distinct tokens"),
        ([[[0, 1], [0, 1]]], [[[0, 0], [1, 1]]], "sequence 0: 2 distinct targets but only 1 distinct tokens"),
        ([], [], "sequences: expected at least one"),
        ([[[0, 1]], [[0, 1, 2]]], [0, 1], "sequence 1: expected tokens of dimension 2"),
        ([[[0, 1]], [[0, float("nan")]]], [0, 1], "sequence 1, row 0, coordinate 1: expected a finite number"),
        ([[[0, float("inf")]]], [0], "sequence 0, row 0, coordinate 1"),
        ([[[0, 1]]], [[[float("inf"), 0]]], "target of sequence 0, row 0, coordinate 0"),
        ([[[0, 1]]], [0, 1], "targets: expected 1"),
        ([[[0, 1]]], [[[0, 1, 2]]], "target of sequence 0: expected points of dimension 2"),
        ([[0, 1]], [0], "sequence 0: expected an array of shape"),
        ([np.empty((0, 2))], [0], "sequence 0: expected an array of shape"),
        ([np.empty((2, 0))], [0], "sequence 0: expected an array of shape"),
        ([[[0, 1], [2]]], [0], "sequence 0"),
        ([[[0, "x"]]], [0], "sequence 0, row 0, coordinate 1"),
        ([[[0, "1/0"]]], [0], "sequence 0, row 0, coordinate 1"),
        ([[[0, 1]]], [[]], "target of sequence 0"),
    ],
)
def test_bad_data(X: list, Y: list, words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        interpolate(X, Y)
    assert "\n" not in str(error.value)


def test_what_leaders_cannot_do() -> None:
    with pytest.raises(InputError, match="dimension at least 2"):
        interpolate([[[0]], [[1]]], [0, 1], construction="leaders")
    with pytest.raises(InputError, match="hardmax"):
        interpolate([[[0, 1]]], [0], construction="leaders", attention="softmax")
    with pytest.raises(InputError, match="hardmax"):
        interpolate([[[0, 1]]], [0], construction="leaders").to_torch(attention="softmax")
    with pytest.raises(InputError, match="construction"):
        interpolate([[[0, 1]]], [0], construction="other")


def test_other_dimension() -> None:
    net = interpolate([[[0, 1]]], [0])
    for call in (lambda: net([[1, 2, 3]]), lambda: net.exact([[1]]), lambda: certify(net, [[[1]]], [0])):
        with pytest.raises(InputError, match="expected dimension 2"):
            call()


def test_equal_targets_merge_equal_sequences() -> None:
    assert interpolate([[[0, 1]], [[0, 1], [0, 1]]], [[[5, 5]], [[5, 5], [5, 5]]]).depth == 2
