"""From raw reviews to the token table: what is dropped, counted, drawn and written."""

import json
import socket
from collections import Counter

import numpy as np
import pytest

from hardmax.data import (
    RawReviews,
    data_card,
    load_tokens,
    load_vocabulary,
    prepare,
    read_reviews,
    token_table,
    vocabulary_table,
)
from hardmax.data.words import words
from hardmax.errors import InputError


def raw(texts, positive=None):
    positive = positive or [place % 2 == 0 for place in range(len(texts))]
    return RawReviews(texts, positive, [f"row {n}" for n in range(1, len(texts) + 1)], "0" * 64, "test", "none")


def rng():
    return np.random.default_rng(7)


@pytest.fixture(scope="module")
def sample() -> RawReviews:
    """775 real reviews from all over the embedded set, two chunks of work, with repeats among them."""
    everything = read_reviews("embedded")
    kept = list(range(0, 25_000, 40)) + list(range(150))
    return RawReviews(
        [everything.texts[place] for place in kept],
        [everything.positive[place] for place in kept],
        [everything.rows[place] for place in kept],
        everything.checksum,
        everything.origin,
        everything.licence,
    )


def test_repeats_empties_and_contradictions_are_dropped_and_counted():
    texts = ["Good film", "Good film", "good <br /> film", "Good  film!", "the of", "bad film", "Good film"]
    prepared = prepare(raw(texts, [True, True, False, False, True, False, False]), rng())
    assert prepared.rows == ["row 1", "row 3", "row 6"]
    assert prepared.words == [["Good", "film"], ["good", "film"], ["bad", "film"]]
    assert (prepared.repeated_texts, prepared.repeated_words, prepared.emptied) == (2, 1, 1)
    assert prepared.contradictory == 2
    assert prepared.positive == [True, False, False]


def test_vocabulary_falls_in_count_and_ties_are_alphabetical():
    prepared = prepare(raw(["zeta beta alpha beta", "alpha gamma beta Zeta"]), rng())
    table = vocabulary_table(prepared.vocabulary)
    assert table["word"].tolist() == ["", "beta", "alpha", "Zeta", "gamma", "zeta"]
    assert table["count"].tolist() == [0, 3, 2, 1, 1, 1]


def test_tables_decode_to_the_words_of_each_review(sample, tmp_path):
    prepared = prepare(sample, rng())
    token_table(prepared, 128).to_parquet(tmp_path / "tokens.parquet", index=False)
    vocabulary_table(prepared.vocabulary).to_csv(tmp_path / "vocabulary.csv", index=False)
    tokens = load_tokens(tmp_path / "tokens.parquet")
    vocabulary = load_vocabulary(tmp_path / "vocabulary.csv")
    text_of = dict(zip(sample.rows, sample.texts, strict=True))
    assert tokens.ids.shape == (len(prepared.rows), 128)
    for row, ids in zip(prepared.rows, tokens.ids, strict=True):
        decoded = [vocabulary[index] for index in ids if index]
        assert decoded == words(text_of[row])[:128]
        assert not ids[len(decoded) :].any()
    assert tokens.labels.tolist() == prepared.positive
    counts = Counter(word for review in prepared.words for word in review)
    assert dict(zip(prepared.vocabulary.words, prepared.vocabulary.counts, strict=True)) == counts
    assert np.array_equal(load_tokens(tmp_path / "tokens.parquet", positions=5).ids, tokens.ids[:, :5])


def test_no_text_is_in_both_splits_and_the_share_is_kept(sample):
    prepared = prepare(sample, rng())
    assert prepared.train.sum() == int(0.7 * len(prepared.words))
    train, test = ({tuple(review) for review, t in zip(prepared.words, prepared.train, strict=True) if t == side} for side in (True, False))
    assert not train & test
    assert prepared.repeated_texts > 0


def test_split_is_random_and_not_in_the_order_of_the_source():
    """Under a fair split the training rows have mean place near the middle: five standard errors of a mean without replacement."""
    prepared = prepare(raw([f"word{'x' * 2} {chr(97 + n // 26)}{chr(97 + n % 26)}q" for n in range(400)]), rng())
    n, k = len(prepared.words), int(prepared.train.sum())
    error = np.sqrt((n + 1) * (n - k) / (12 * k))
    assert abs(np.flatnonzero(prepared.train).mean() - (n - 1) / 2) < 5 * error
    other = prepare(raw([" ".join(review) for review in prepared.words]), np.random.default_rng(8))
    assert (other.train != prepared.train).any()


def test_result_does_not_depend_on_the_number_of_processes(sample):
    one, two = (prepare(sample, rng(), threads=threads) for threads in (1, 2))
    assert token_table(one).equals(token_table(two))
    assert vocabulary_table(one.vocabulary).equals(vocabulary_table(two.vocabulary))
    assert data_card(sample, one, 128) == data_card(sample, two, 128)


def test_limit_draws_that_many_distinct_reviews(sample):
    prepared = prepare(sample, rng(), reviews=100)
    assert len(prepared.words) == 100
    assert prepared.not_drawn == len(set(sample.texts)) - 100
    assert {True, False} == set(prepared.positive)
    assert prepare(sample, rng(), reviews=10**6).not_drawn == 0


def test_card_adds_up_and_is_json(sample):
    prepared = prepare(sample, rng(), reviews=500)
    card = json.loads(json.dumps(data_card(sample, prepared, 128), allow_nan=False))
    n = card["reviews"]
    dropped = n["repeated_texts"] + n["not_drawn"] + n["emptied"] + n["repeated_after_preparation"]
    assert n["read"] == 775 == n["kept"] + dropped
    assert n["train"] + n["test"] == n["kept"]
    assert n["train_positive"] + n["test_positive"] == n["kept_positive"]
    assert card["source"]["sha256"] == sample.checksum
    lengths = [len(review) for review in prepared.words]
    assert card["lengths"]["mean"] == pytest.approx(sum(lengths) / len(lengths))
    assert card["lengths"]["cut"] == sum(length > 128 for length in lengths)
    padding = sum(max(128 - length, 0) for length in lengths)
    assert card["lengths"]["padding_share"] == pytest.approx(padding / (128 * len(lengths)))
    assert card["vocabulary"]["occurrences"] == sum(lengths)


def test_nothing_is_fetched(monkeypatch):
    """Reading and preparing work on a node without network."""

    def refuse(*_, **__):
        raise AssertionError("a job opened a network connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    prepared = prepare(read_reviews("embedded"), rng(), reviews=50)
    assert len(prepared.words) == 50


def test_too_little_to_split_and_settings_out_of_range():
    with pytest.raises(InputError, match="at least 2 distinct reviews with words, found 1"):
        prepare(raw(["good", "the"]), rng())
    with pytest.raises(InputError, match=r"data\.train_share"):
        prepare(raw(["good", "bad"]), rng(), train_share=1.0)
    with pytest.raises(InputError, match=r"data\.reviews"):
        prepare(raw(["good", "bad"]), rng(), reviews=1)
    with pytest.raises(InputError, match=r"data\.positions"):
        token_table(prepare(raw(["good", "bad"]), rng()), 0)


def test_missing_or_foreign_tables(tmp_path):
    with pytest.raises(InputError, match="found no file"):
        load_tokens(tmp_path / "tokens.parquet")
    vocabulary_table(prepare(raw(["good", "bad"]), rng()).vocabulary).to_parquet(tmp_path / "other.parquet")
    with pytest.raises(InputError, match="found no review,split,label,tokens"):
        load_tokens(tmp_path / "other.parquet")
    token_table(prepare(raw(["good", "bad"]), rng())).iloc[:0].to_parquet(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="expected at least one review, found none"):
        load_tokens(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="found no file"):
        load_vocabulary(tmp_path / "vocabulary.csv")
