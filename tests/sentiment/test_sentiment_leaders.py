"""Leaders, clusters, words and figures' tables on small reviews that can be counted by hand."""

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from hardmax.audit.schemas import check_table
from hardmax.configuration import load_yaml
from hardmax.dynamics import leader_averaging, simulate
from hardmax.errors import InputError
from hardmax.sentiment import statistics
from hardmax.sentiment.baseline import baseline
from hardmax.sentiment.classifier import Classifier
from hardmax.sentiment.components import components, extents
from hardmax.sentiment.evaluation import score
from hardmax.sentiment.leaders import leader_tokens, review_table
from hardmax.sentiment.lexicon import load_lexicon, valences
from hardmax.sentiment.published import published_curves, published_words
from hardmax.sentiment.reviews import Reviews
from hardmax.sentiment.training import Settings, load_classifiers, train
from hardmax.sentiment.trajectories import decoder_table, trajectories
from hardmax.sentiment.words import _difference, confident, lexicon_table, word_table

VOCABULARY = ["", "great", "worst", "movie", "Great", "table", *(f"w{chr(97 + i)}" for i in range(24))]


@pytest.fixture(scope="module")
def model():
    return Classifier(len(VOCABULARY), 2, 8, 1e-3, 0.8, torch.Generator().manual_seed(1))


@pytest.fixture(scope="module")
def reviews():
    rng = np.random.default_rng(2)
    ids = rng.integers(1, len(VOCABULARY), (60, 15))
    ids[np.arange(15) >= rng.integers(4, 16, 60)[:, None]] = 0
    return Reviews(ids, np.arange(60) % 2)


def test_components_and_extents_are_scipys():
    rng = np.random.default_rng(3)
    points, start = rng.normal(size=(50, 3)), np.array([0, 1, 20, 50])
    found, extent = components(points, start, np.array([0.1, 0.7, 0.9])), extents(points, start)
    for review, radius in enumerate((0.1, 0.7, 0.9)):
        distances = cdist(points[start[review] : start[review + 1]], points[start[review] : start[review + 1]])
        assert found[review] == connected_components(distances <= radius)[0]
        assert extent[review] == pytest.approx(distances.max())
    line = np.array([[0.0], [1.0], [2.5], [3.5]])
    assert components(line, np.array([0, 4]), np.array([1.0])).tolist() == [2]  # a distance of the radius itself links


def _leader_sets(model, ids, layers):
    """Words that lead at each layer, token by token on the repeated tokens, by the exact rule of `hardmax.attention`."""
    states = simulate(model.embedding.detach().double()[ids], leader_averaging(model.alpha.item()), layers).numpy()
    found = []
    for state in states:
        scores = state @ state.T
        leads = [(state[np.isclose(row, row.max(), rtol=1e-13, atol=0)] == point).all() for row, point in zip(scores, state, strict=True)]
        found.append({int(word) for word, leading in zip(ids, leads, strict=True) if leading})
    return found


def test_review_table_counts_leaders_as_the_definition_does(model, reviews):
    table = review_table(model, reviews, [0.01, 0.1])
    assert len(table) == 60 and (table["leaders_first"] >= 1).all()
    for review in range(60):
        part = slice(reviews.start[review], reviews.start[review + 1])
        ids = np.repeat(reviews.word[part], reviews.count[part])
        sets = _leader_sets(model, ids, 9)
        row = table.iloc[review]
        assert row["leaders_first"] == len(sets[0])
        assert row["leaders_last"] == len(sets[8]) and row["padding_last"] == (0 in sets[8])
        assert row["leaders_more"] == len(sets[9]) and row["stayed_last"] == len(sets[8] & sets[0])
        assert row["tokens"] == len(set(ids.tolist()))
        assert 1 <= row["clusters_2"] <= row["clusters_1"] <= row["tokens"]


def test_leader_tokens_and_their_baseline(model, reviews):
    table = leader_tokens(model, reviews, np.random.default_rng(4))
    counts = table.groupby(["review", "who"]).size().unstack()
    assert (counts["leader"] == counts["random"]).all()
    assert (table["word"] > 0).all() and not table[table["who"] == "random"].duplicated(["review", "word"]).any()
    for row in table.itertuples():
        assert row.word in reviews.word[reviews.start[row.review] : reviews.start[row.review + 1]]
    logit = model.decoder(model.embedding)[int(table["word"][0])].item()
    assert table["decoder"][0] == pytest.approx(logit, rel=1e-6)


def test_random_tokens_are_uniform_over_the_words_of_a_review():
    """Chi-square over 4,000 draws of one of six words; level 1e-6."""
    model = Classifier(8, 2, 1, 1e-3, 0.5, torch.Generator().manual_seed(0))
    with torch.no_grad():
        model.embedding[:] = torch.stack([torch.linspace(0.1, 0.8, 8), torch.zeros(8)], 1)  # word 7 leads alone
    reviews = Reviews(np.tile([1, 2, 2, 2, 3, 4, 5, 7, 0, 0], (4000, 1)), np.ones(4000, np.int64))
    table = leader_tokens(model, reviews, np.random.default_rng(5))
    drawn = table[table["who"] == "random"]["word"].value_counts().reindex([1, 2, 3, 4, 5, 7]).to_numpy()
    assert drawn.sum() == 4000 and ((drawn - 4000 / 6) ** 2 / (4000 / 6)).sum() < 37.0


def test_lexicon_ignores_case_and_knows_its_words():
    lexicon = load_lexicon()
    assert len(lexicon) > 7000 and lexicon["great"] > 0 > lexicon["worst"]
    found = valences(["Great", "WORST", "table", ""])
    assert found[0] > 0 > found[1] and np.isnan(found[2:]).all()


def test_words_and_lexicon_on_a_table_counted_by_hand():
    reviews = pd.DataFrame(
        {"dim": 2, "seed": 0, "epoch": 3, "review": [0, 1, 2, 3], "label": [1, 0, 1, 0], "hardmax": [3.0, -3.0, 0.1, 3.0]}
    )
    assert confident(reviews, 0.9)["review"].tolist() == [0, 1]
    tokens = pd.DataFrame(
        {
            "dim": 2,
            "seed": 0,
            "review": [0, 0, 1, 2, 0, 0, 1],
            "who": ["leader"] * 4 + ["random"] * 3,
            "word": [1, 5, 2, 1, 3, 2, 5],
            "decoder": [2.0, -1.0, -2.0, 2.0, 1.0, -2.0, -1.0],
        }
    )
    table = lexicon_table(reviews, tokens, VOCABULARY, 0.9).set_index("who")
    assert table["tokens"].tolist() == [3, 3, 3] and table["reviews"].tolist() == [2, 2, 2]
    assert table.loc["leader", "decoder_agrees"] == pytest.approx(2 / 3) and table.loc["random", "decoder_agrees"] == pytest.approx(2 / 3)
    assert table.loc["leader", "in_lexicon"] == pytest.approx(2 / 3) and table.loc["random", "in_lexicon"] == pytest.approx(1 / 3)
    assert table.loc["difference", "valence_agrees"] == pytest.approx(2 / 3)
    words = word_table(reviews, tokens, VOCABULARY, 0.9, 2)
    assert words["word"].tolist() == ["great", "worst"] and words["reviews"].tolist() == [1, 1] and words["positive"].tolist() == [1, 0]


def test_named_words_have_a_row_whatever_their_rank():
    """Three reviews of two runs: a word below the top, one that leads nothing, and one that the vocabulary lacks."""
    rows = [(2, review, label) for review, label in enumerate((1, 0, 1))] + [(4, review, 1) for review in range(2)]
    reviews = pd.DataFrame(rows, columns=["dim", "review", "label"]).assign(seed=0, epoch=3)
    reviews["hardmax"] = np.where(reviews["label"] == 1, 3.0, -3.0)
    leads = [(2, 0, 1, 2.0), (2, 2, 1, 2.0), (2, 1, 2, -2.0), (2, 0, 3, 0.5), (4, 0, 5, 1.0)]
    tokens = pd.DataFrame(leads, columns=["dim", "review", "word", "decoder"]).assign(seed=0, who="leader")
    table = word_table(reviews, tokens, VOCABULARY, 0.9, 1, ["movie", "worst", "absent"])
    check_table(table, load_yaml("workflow/schemas/tables/sentiment_words.schema.yaml"), "words")
    found = table[["dim", "rank", "word", "reviews", "positive"]].to_numpy().tolist()
    assert found == [
        [2, 1, "great", 2, 2],
        [2, 2, "worst", 1, 0],
        [2, 3, "movie", 1, 1],
        [4, 1, "table", 1, 1],
        [4, 2, "worst", 0, 0],
        [4, 2, "movie", 0, 0],
    ]
    assert table["share"].tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3, 1 / 2, 0, 0])
    assert table["decoder"].isna().tolist() == [False, False, False, False, True, True]
    assert table.loc[4, "valence"] < 0
    assert len(word_table(reviews, tokens, VOCABULARY, 0.9, 1)) == 2


def _review_rows(**columns):
    base = {"dim": 2, "seed": 0, "epoch": 5, "label": 1, "softmax": 1.0, "hardmax": 1.0, "tokens": 4, "leaders_last": 2, "leaders_more": 3}
    base |= {
        "padding_last": 0,
        "padding_more": 1,
        "stayed_last": 1,
        "stayed_more": 2,
        "stayed_padding": 0,
        "clusters_1": 2,
        "clusters_2": 1,
    }
    return pd.DataFrame(base | columns)


def test_agreement_leaders_and_clusters_on_rows_counted_by_hand():
    table = pd.concat([_review_rows(hardmax=[1.0, -1.0, 2.0]), _review_rows(epoch=[1, 1, 1], leaders_more=[5, 5, 8])], ignore_index=True)
    found = statistics.agreement(table).set_index("epoch")
    assert found.loc[5, "agreeing"] == 2 and found.loc[1, "agreement"] == 1.0
    losses = np.log1p(np.exp(-np.array([1.0, -1.0, 2.0])))
    assert found.loc[5, "hardmax_loss"] == pytest.approx(losses.mean())
    assert found.loc[5, "difference"] == pytest.approx(losses.mean() - np.log1p(np.exp(-1)))
    counts = statistics.leaders(table).set_index("definition")
    assert counts.loc["paper", "mean"] == 2 and counts.loc["paper", "from_start"] == 0.5
    assert counts.loc["one layer more", "mean"] == 2 and counts.loc["script", "mean"] == 6 and counts.loc["script", "maximum"] == 8
    clusters = statistics.clusters(table, [0.01, 0.05])
    assert clusters["clusters"].tolist() == [2, 1] and clusters["share"].tolist() == [0.5, 0.25]


def test_trajectories_end_where_hardmax_does(model, reviews):
    labelled = Reviews(reviews.word.reshape(1, -1)[:, :12], np.array([1]))
    with pytest.raises(InputError, match="label 0"):
        trajectories(model, labelled, VOCABULARY)
    table = trajectories(model, reviews, VOCABULARY)
    assert set(table["label"]) == {0, 1} and table["layer"].max() == 8
    for _, part in table.groupby(["label", "review", "layer"]):
        tokens, mean = part[part["kind"] == "token"], part[part["kind"] == "mean"].iloc[0]
        assert mean["count"] == 15
        np.testing.assert_allclose([mean["x"], mean["y"]], tokens["count"] @ tokens[["x", "y"]] / 15)
    review = int(table["review"].iloc[-1])
    values = decoder_table(model).set_index("parameter")["value"]
    logit = model.hardmax_logits(reviews.batch(np.array([review])))[0].item()
    last = table[(table["review"] == review) & (table["layer"] == 8) & (table["kind"] == "mean")].iloc[0]
    assert values["weight 1"] * last["x"] + values["weight 2"] * last["y"] + values["bias"] == pytest.approx(logit, abs=1e-5)
    with pytest.raises(InputError, match="dimension 2, found 3"):
        trajectories(Classifier(9, 3, 8, 1e-3, 0.5), reviews, VOCABULARY)


def test_baseline_learns_what_a_word_decides():
    rng = np.random.default_rng(6)
    label = rng.integers(0, 2, 300)
    ids = rng.integers(3, 20, (300, 8))
    ids[:, 0] = 1 + label
    split = Reviews(ids[:200], label[:200]), Reviews(ids[200:], label[200:])
    table = baseline(*split, 20)
    assert table["features"].tolist() == ["counts", "tf-idf"] and (table["test_accuracy"] > 0.98).all()


def test_stored_classifiers_come_back(tmp_path, reviews):
    trained = train(reviews, reviews, len(VOCABULARY), 2, Settings(epochs=2, batch=20, keep=0), 1, tmp_path / "c.safetensors")
    trained.store(tmp_path / "m.safetensors", dim=2, seed=0)
    models, facts = load_classifiers(tmp_path / "m.safetensors")
    batch = reviews.batch(np.arange(5))
    assert torch.equal(models["last"](batch), trained.model(batch)) and not torch.equal(models["kept"](batch), trained.model(batch))
    assert facts == {"dim": 2, "seed": 0, "depth": 8, "temperature": 1e-3, "epochs": 2}
    with pytest.raises(InputError, match="train again"):
        load_classifiers(tmp_path / "none.safetensors")


def test_published_values_are_as_printed():
    curves = published_curves().set_index(["dim", "epoch", "quantity"])["value"]
    assert curves[2, 100, "test_accuracy"] == 0.7914 and curves[16, 20, "test_accuracy"] == 0.8821
    assert curves[4, 50, "hardmax_train_loss"] == 0.1051 and curves[8, 0, "train_loss"] == 0.6872
    assert len(curves) == 4 * 14 * 3 + 2 * 11
    words = published_words()
    assert words.iloc[0].tolist() == ["great", 1240, 15000] and words.iloc[-1].tolist() == ["poor", 240, 15000] and len(words) == 15


def test_review_table_of_a_shallow_classifier(reviews):
    """One layer, after which tokens are still under way: who stayed, padding among them, and clusters by SciPy on the literal run's tokens."""
    model = Classifier(len(VOCABULARY), 2, 1, 1e-3, 0.8, torch.Generator().manual_seed(1))
    table = review_table(model, reviews, [0.02, 0.2])
    for review, row in enumerate(table.to_dict("records")):
        part = slice(reviews.start[review], reviews.start[review + 1])
        ids = np.repeat(reviews.word[part], reviews.count[part])
        first, last, more = _leader_sets(model, ids, 2)
        assert (row["leaders_last"], row["leaders_more"]) == (len(last), len(more))
        assert (row["stayed_last"], row["stayed_more"], row["stayed_padding"]) == (len(last & first), len(more & first), 0 in last & first)
        assert (row["padding_last"], row["padding_more"]) == (0 in last, 0 in more)
        start, end = simulate(model.embedding.detach().double()[ids], leader_averaging(model.alpha.item()), 1).numpy()
        for number, tolerance in enumerate((0.02, 0.2), 1):
            assert row[f"clusters_{number}"] == connected_components(cdist(end, end) <= tolerance * cdist(start, start).max())[0]
    assert (table["clusters_2"] < table["clusters_1"]).any()


def test_a_logit_of_zero_is_a_negative_prediction():
    found = score(torch.tensor([0.0, 0.0, 0.0, 1.0]), torch.tensor([1.0, 1.0, 0.0, 1.0]))
    assert found.accuracy == 2 / 4
    assert found.loss == pytest.approx((3 * np.log(2) + np.log1p(np.exp(-1))) / 4)


def test_the_interval_of_a_difference_is_that_of_pairs():
    """Leaders and random tokens of three reviews: mean difference of the linearised shares, with the deviation of the pairs."""
    leader, random = ([1, 2, 0], [2, 2, 1]), ([1, 1, 0], [2, 1, 2])
    tables = [pd.DataFrame({"hit": part, "tokens": whole}) for part, whole in (leader, random)]
    values = [sum(part) / sum(whole) for part, whole in (leader, random)]
    pairs = [
        sum(
            sign * (part[i] - value * whole[i]) / sum(whole)
            for sign, value, (part, whole) in zip((1, -1), values, (leader, random), strict=True)
        )
        for i in range(3)
    ]
    half = 1.959964 * np.sqrt(3 * sum(pair**2 for pair in pairs) / 2)
    found = _difference(*tables, "hit")
    assert found == pytest.approx((values[0] - values[1], values[0] - values[1] - half, values[0] - values[1] + half), rel=1e-6)
