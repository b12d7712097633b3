"""Ensembles against a literal run of each cloud, reviews against clouds built by hand, and the sums with their intervals."""

import numpy as np
import pandas as pd
import pytest

from hardmax.clustering.ensembles import COLUMNS, generic, mirrored, outcomes, random_definite
from hardmax.clustering.reviews import review_clusters
from hardmax.clustering.summary import quantile_interval, share_interval, summary
from hardmax.settling import Settled, settle


def literal(x: np.ndarray, alpha: float, A: np.ndarray, layers: int) -> tuple[list[set[int]], np.ndarray]:
    """Leaders at each layer and the tokens at last, without ties."""
    led = []
    for _ in range(layers):
        best = (x @ A.T @ x.T).argmax(axis=1)
        led.append({i for i, j in enumerate(best) if i == j})
        x = x + alpha / (1 + alpha) * (x[best] - x)
    return led, x


def apart(points: np.ndarray) -> int:
    """How many of the points are farther than 0.001 from all before them."""
    return sum(all(np.abs(point - other).max() > 1e-3 for other in points[:place]) for place, point in enumerate(points))


@pytest.mark.parametrize(
    ("dim", "tokens", "alpha", "condition"), [(1, 6, 0.5, 1.0), (2, 12, 0.5, 1.0), (3, 20, 2.0, 10.0), (5, 9, 0.1, 100.0)]
)
def test_outcomes_are_those_of_the_literal_run(dim, tokens, alpha, condition):
    rng = np.random.default_rng(5)
    A = random_definite(rng, dim, condition)
    x = rng.normal(size=(15, tokens, dim))
    table = outcomes(settle(x, alpha, 400, A))
    for cloud, row in zip(x, table.itertuples(), strict=True):
        led, end = literal(cloud, alpha, A, {2.0: 20, 0.5: 40, 0.1: 120}[alpha])
        final = led[-1]
        assert row.first_leaders == len(led[0])
        assert row.leaders == len(final)
        assert row.final_layer == led.index(final)
        assert row.clusters == apart(end)
        assert row.vertex_limits == tokens and row.other_limits == 0


def test_outcomes_of_a_run_written_down():
    """Leaders from layers 0, 1 and 3, a token that settles at layer 4, one that does not in the second cloud, one that is absent there."""
    settled = Settled(
        tokens=np.zeros((2, 4, 1)),
        leads_from=np.array([[0, 1, 3, -1], [0, -1, 0, 2]]),
        settles_at=np.array([[0, 1, 3, 4], [0, -1, 0, 2]]),
        follows=np.array([[0, 1, 2, 1], [0, 0, 2, 3]]),
    )
    table = outcomes(settled, np.array([[True] * 4, [True, True, False, True]]))
    assert table[
        ["tokens", "first_leaders", "leaders", "clusters", "vertex_limits", "other_limits", "final_layer"]
    ].to_numpy().tolist() == [
        [4, 1, 3, 3, 4, 0, 3],
        [3, 1, 2, 2, 2, 1, 2],
    ]
    assert table.loc[0, "settled_layer"] == 4 and table["settled_layer"].isna().tolist() == [False, True]


def test_random_definite_has_the_condition_asked_for():
    rng = np.random.default_rng(0)
    for dim, condition in ((2, 100.0), (5, 10.0)):
        values = np.linalg.eigvalsh(random_definite(rng, dim, condition))
        np.testing.assert_allclose(values, np.geomspace(1, condition, dim), rtol=1e-9)
    np.testing.assert_allclose(random_definite(rng, 1, 7.0), [[1.0]])


def test_clouds_that_do_not_settle_in_time_are_counted_not_dropped():
    x = np.random.default_rng(0).normal(size=(40, 12, 2))
    table = outcomes(settle(x, 0.1, 1))
    assert table["settled_layer"].isna().any() and table["settled_layer"].notna().any()
    assert ((table["other_limits"] > 0) == table["settled_layer"].isna()).all()
    assert (table["vertex_limits"] + table["other_limits"] == 12).all()


def test_generic_and_mirrored_tables_add_up():
    rng = np.random.default_rng(1)
    first = generic(rng, clouds=3, dims=[2, 3], tokens=[4, 8], alphas=[0.5], conditions=[1.0, 10.0], layers=200)
    second = mirrored(rng, clouds=4, dims=[2, 3], orbits=[2], axis=1, alphas=["1/2"], conditions=[1, 3], layers=40)
    table = pd.concat([first, second])
    assert list(table.columns) == COLUMNS
    assert len(first) == 3 * 8 and len(second) == 4 * 4
    assert (table[["vertex_limits", "face_limits", "other_limits"]].sum(axis=1) == table["tokens"]).all()
    assert (table["other_limits"] == 0).all()
    assert (table["first_leaders"] <= table["leaders"]).all() and (table["leaders"] <= table["clusters"]).all()
    assert (table["clusters"] <= table["tokens"]).all()
    assert second["face_limits"].sum() > 0


@pytest.fixture
def token_file(tmp_path):
    """Three reviews of a vocabulary of five words, with repeated words, one of a single word."""
    table = pd.DataFrame(
        {
            "review": [0, 1, 2],
            "split": ["train", "test", "train"],
            "label": [0, 1, 1],
            "tokens": [np.array([1, 2, 1, 3], np.int32), np.array([5], np.int32), np.array([4, 4, 2], np.int32)],
        }
    )
    table.to_parquet(tmp_path / "tokens.parquet")
    return tmp_path / "tokens.parquet"


def test_reviews_have_their_different_words_as_tokens_and_no_padding(token_file):
    table = review_clusters(token_file, np.random.default_rng(4), dims=[2, 3], reviews=None, alpha=0.5, layers=100)
    assert table["words"].tolist() == [4, 1, 3] * 2
    assert table["tokens"].tolist() == [3, 1, 2] * 2
    embedding = np.random.default_rng(4).normal(size=(6, 2))
    led, _ = literal(embedding[[1, 2, 3]], 0.5, np.eye(2), 20)
    assert table.loc[0, ["first_leaders", "leaders"]].tolist() == [len(led[0]), len(led[-1])]
    assert table.loc[1, ["leaders", "clusters", "final_layer", "settled_layer"]].tolist() == [1, 1, 0, 0]
    assert len(review_clusters(token_file, np.random.default_rng(4), dims=[2], reviews=2, alpha=0.5, layers=10)) == 2


def test_no_event_has_the_textbook_interval():
    estimate, low, high = share_interval(np.array([False] * 20))
    assert (estimate, low) == (0, 0) and high == pytest.approx(1 - 0.025 ** (1 / 20))


def test_quantile_interval_covers_as_often_as_it_says():
    """2,000 samples of 100 exponential values: the true 0.95-quantile is inside at least 95 % of the time, but for 4 standard errors."""
    rng = np.random.default_rng(0)
    true = -np.log(0.05)
    inside = 0
    for sample in rng.exponential(size=(2000, 100)):
        estimate, low, high = quantile_interval(sample, 0.95)
        assert low <= estimate and (np.isnan(high) or estimate <= high)
        inside += low <= true and (np.isnan(high) or true <= high)
    assert inside / 2000 > 0.95 - 4 * np.sqrt(0.95 * 0.05 / 2000)


def test_censored_trials_push_the_quantile_up_and_never_out():
    values = np.array([1.0] * 90 + [np.inf] * 10)
    assert quantile_interval(values, 0.5)[0] == 1.0
    assert np.isnan(quantile_interval(values, 0.95)[0])


def test_summary_pools_what_it_says():
    rng = np.random.default_rng(1)
    clouds = pd.concat(
        [
            generic(rng, clouds=5, dims=[2], tokens=[4, 8], alphas=[0.5], conditions=[1.0], layers=200),
            mirrored(rng, clouds=6, dims=[2], orbits=[2, 3], axis=1, alphas=["1/2"], conditions=[1], layers=40),
        ]
    )
    reviews = pd.DataFrame(
        {
            "dim": 2, "review": range(4), "words": 50, "tokens": [10, 20, 21, 300], "first_leaders": 1, "leaders": [2, 2, 3, 9],
            "clusters": [2, 4, 5, 9], "final_layer": 1, "settled_layer": [1, 2, 3, 4],
        }
    )  # fmt: skip
    table = summary(clouds, reviews, 0.5)
    found = table[(table["experiment"] == "reviews") & (table["quantity"] == "clusters")]
    assert found["trials"].tolist() == [2, 1, 1]
    assert found["tokens"].tolist() == [15, 21, 300]
    assert found["estimate"].tolist() == [3, 5, 9]
    faces = table[(table["experiment"] == "mirrored") & (table["quantity"] == "limit on a face")].iloc[0]
    pooled = clouds[clouds["cloud"] == "mirrored"]
    assert faces["trials"] == 12 and faces["estimate"] == (pooled["face_limits"] > 0).mean()
    assert set(table.loc[table["experiment"] == "generic", "tokens"]) == {4, 8}
