"""Data sets, measurements and illustrations are what they say."""

import numpy as np
import pandas as pd
import pytest

from hardmax.interpolation import interpolate
from hardmax.interpolation.datasets import FAMILIES, reviews_as_sequences, word_vectors
from hardmax.interpolation.experiments import classify_reviews, measurements, networks
from hardmax.interpolation.illustrations import attention, block_maps, stages

CONFIGURATION = {
    "sequences": [3, 5],
    "targets": [1, 2],
    "dimensions": [2],
    "lengths": [4],
    "leader_sequences": [3],
    "base": {"sequences": 4, "tokens": 6, "dimension": 3, "targets": 2},
}


def test_networks() -> None:
    table = networks(np.random.default_rng(0), repetitions=2, **CONFIGURATION)
    assert len(table) == 2 * (2 * (2 + 1) + 1 + 1 + 3)
    assert table["exact"].all() and (table["depth"] <= table["depth_bound"]).all() and (table["depth_bound"] < table["paper_depth"]).all()
    assert (table["parameters"] >= table["lower_bound"]).all() and (table["least_gap"] > 0).all()
    assert table["float64_error"].max() < 1e-9 < table["float32_error"].max()


def test_float_errors_notice_a_wrong_network() -> None:
    rng = np.random.default_rng(0)
    X, Y = FAMILIES["general position"](rng, 4, 5, 2, 1)
    found = measurements(interpolate(X, Y), (X, [y + 1.0 for y in Y]))
    assert not found["exact"] and found["float32_error"] == pytest.approx(1, abs=1e-2)


def test_float32_error_is_a_hausdorff_distance() -> None:
    """Images that are no target count, and targets that no image reaches: (0, 0) and (3, 4) against one of them is 4 off, either way."""
    both = [np.array([[0.0, 0.0], [3.0, 4.0]])]
    X = [np.array([[0.0, 1.0], [1.0, 0.0]])]
    assert measurements(interpolate(X, both), (X, [both[0][:1]]))["float32_error"] == pytest.approx(4, abs=1e-2)
    assert measurements(interpolate(X, [both[0][:1]]), (X, both))["float32_error"] == pytest.approx(4, abs=1e-2)


@pytest.mark.parametrize("name", list(FAMILIES))
def test_families(name: str) -> None:
    X, Y = FAMILIES[name](np.random.default_rng(1), 12, 8, 3, 2)
    assert len(X) == len(Y) == 12 and {x.shape for x in X} == {(8, 3)} and {y.shape for y in Y} == {(2, 3)}
    assert (name == "equal means") == all((x.mean(axis=0) == 0).all() for x in X)


def test_reviews() -> None:
    vectors = word_vectors(np.random.default_rng(0), 9, 2)
    words = [np.array(w) for w in ([1, 2], [2, 1, 1, 2], [3], [], [2, 2, 1])]
    X, y = reviews_as_sequences(words, [0, 1, 1, 0, 1], vectors)
    assert y == [0, 1, 1] and (X[2] == vectors[[2, 2, 1]]).all()
    ids = np.random.default_rng(2).integers(0, 50, size=(40, 12)).astype(np.int32)
    table = classify_reviews(np.random.default_rng(0), ids, np.arange(40) % 2, [10, 30], 3)
    assert table["exact"].all() and table["wrong"].sum() == 0 and table["reviews"].tolist() == [10, 30]
    assert (table["depth"] <= table["depth_bound"]).all()


def test_stages_start_at_the_data_and_end_at_the_targets() -> None:
    table = stages(np.random.default_rng(3))
    assert table.groupby("construction")["panel"].nunique().tolist() == [5, 5]
    for (_, _), own in table.groupby(["construction", "sequence"]):
        last = own[own["panel"] == 4]
        ends = {kind: set(zip(rows["x"], rows["y"], strict=True)) for kind, rows in last.groupby("kind")}
        assert ends["token"] == ends["target"]
    apart = table[(table["stage"].isin(["sequences apart", "on a line, apart"])) & (table["kind"] == "token")]
    for _, own in apart.groupby("construction"):
        ranges = own.groupby("sequence")["along"].agg(["min", "max"]).sort_values("min")
        assert (ranges["max"].to_numpy()[:-1] < ranges["min"].to_numpy()[1:]).all()


def images(table: pd.DataFrame, setting: str) -> np.ndarray:
    return table.loc[table["setting"] == setting, ["image_x", "image_y"]].to_numpy()


def test_collapse_lemmas() -> None:
    for seed in range(5):
        table = attention(np.random.default_rng(seed), [0.001])
        assert len(np.unique(images(table, "rank one"), axis=0)) <= 2
        assert len(np.unique(images(table, "dominant corner"), axis=0)) == 1
        norms = table[table["setting"] == "equal norms"]
        assert np.allclose(norms[["x", "y"]], norms[["image_x", "image_y"]], atol=1e-12)
        one = table[table["panel"] == "projections"]
        leader = one["score"].to_numpy().argmax()
        assert one[["image_x", "image_y"]].to_numpy()[0] == pytest.approx(one[["x", "y"]].to_numpy()[leader])


def test_bump_moves_one_token() -> None:
    table = block_maps(np.random.default_rng(3), 50)
    tokens = table[(table["curve"] == "bump") & (table["kind"] == "token")]
    assert (tokens["z"] != tokens["along"]).sum() == 1
    assert (table["curve"] == "bump").sum() > 50 and len(table[(table["curve"] == "bump") & (table["kind"] == "kink")]) == 3
