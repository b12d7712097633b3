"""Verdicts turn with the tables, and figures take any word and any set of dimensions."""

import io
from itertools import pairwise

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from hardmax.claims import sentiment as claims
from hardmax.figures import (
    sentiment_accuracy,
    sentiment_counts,
    sentiment_film,
    sentiment_leaders,
    sentiment_loss,
    sentiment_tokens,
)
from hardmax.sentiment.published import published_curves, published_words
from hardmax.sentiment.statistics import accuracy, variants

MEASURES = ("decoder_agrees", "in_lexicon", "valence_agrees")


def _accuracy(*values, reviews=2000):
    rows = [{"dim": 2**k, "seed": 0, "epoch": 0, "train_accuracy": v, "test_accuracy": v} for k, v in enumerate(values, 1)]
    return accuracy(pd.DataFrame(rows), 6400, reviews, 64)


def test_accuracy_grows_only_beyond_sampling_error():
    assert claims.accuracy_grows(_accuracy(0.6, 0.7, 0.8)).verdict == "supported"
    assert claims.accuracy_grows(_accuracy(0.6, 0.61)).verdict == "inconclusive"
    assert claims.accuracy_grows(_accuracy(0.6, 0.7, 0.6)).verdict == "refuted"
    assert claims.accuracy_grows(_accuracy(0.6)).verdict == "inconclusive"


def test_seeds_widen_the_interval_of_a_difference():
    """Two seeds a dimension: 1.96 sqrt of the four variances, of sampling and of seeds, each over its number."""
    rows = [
        {"dim": dim, "seed": seed, "epoch": 0, "train_accuracy": v, "test_accuracy": v}
        for dim, values in ((2, (0.60, 0.70)), (4, (0.70, 0.80)))
        for seed, v in enumerate(values)
    ]
    found = claims.accuracy_grows(accuracy(pd.DataFrame(rows), 6400, 2000, 64))
    half = 1.959964 * (0.65 * 0.35 / 2000 + 0.005 / 2 + 0.75 * 0.25 / 2000 + 0.005 / 2) ** 0.5
    assert (found.measured, found.interval_low, found.interval_high) == pytest.approx((0.1, 0.1 - half, 0.1 + half), rel=1e-6)
    assert found.verdict == "inconclusive"


def _agreement(low, high, difference):
    row = {"dim": 2, "seed": 0, "epoch": 1, "reviews": 100, "agreeing": 99, "agreement": (low + high) / 2, "agreement_low": low}
    row |= {"agreement_high": high, "difference_low": difference - 1e-4, "difference_high": difference + 1e-4}
    return pd.DataFrame([row])


@pytest.mark.parametrize(
    ("low", "high", "difference", "word"),
    [
        (0.995, 0.999, 0.0, "supported"),
        (0.98, 0.999, 0.0, "inconclusive"),
        (0.9, 0.98, 0.0, "refuted"),
        (0.995, 0.999, 0.02, "refuted"),
        (0.995, 0.999, -0.02, "refuted"),
        (0.995, 0.999, -0.005, "inconclusive"),
    ],
)
def test_agreement_in_loss_and_predictions(low, high, difference, word):
    assert claims.softmax_is_hardmax(_agreement(low, high, difference)).verdict == word


def _lexicon(**values):
    row = {"dim": 2, "seed": 0, "who": "difference", "reviews": 10, "tokens": 30}
    for measure in MEASURES:
        value = values[measure]
        row |= {measure: value, f"{measure}_low": value - 0.01, f"{measure}_high": value + 0.01}
    return pd.DataFrame([row])


def test_sentiment_of_leaders():
    judge = claims.leaders_carry_sentiment
    assert judge(_lexicon(decoder_agrees=0.1, in_lexicon=0.1, valence_agrees=0.1)).verdict == "supported"
    assert judge(_lexicon(decoder_agrees=0.0, in_lexicon=0.1, valence_agrees=0.1)).verdict == "inconclusive"
    assert judge(_lexicon(decoder_agrees=-0.1, in_lexicon=0.1, valence_agrees=0.1)).verdict == "amended"
    assert judge(_lexicon(decoder_agrees=-0.1, in_lexicon=-0.1, valence_agrees=0.1)).verdict == "refuted"
    assert judge(_lexicon(decoder_agrees=0.1, in_lexicon=0.1, valence_agrees=0.1).assign(reviews=1)).verdict == "inconclusive"


def _leaders(script, paper=5.0):
    base = {"dim": 2, "seed": 0, "epoch": 1, "reviews": 9, "std": 1.0, "minimum": 1, "maximum": 9, "from_start": 0.9}
    base |= {"from_start_low": 0.8, "from_start_high": 1.0}
    rows = [(name, script if name == "script" else paper) for name in sentiment_counts.DEFINITIONS]
    return pd.DataFrame([base | {"definition": n, "mean": m, "mean_low": m - 0.1, "mean_high": m + 0.1} for n, m in rows])


def test_leaders_by_text_and_by_script():
    assert claims.leaders_a_review(_leaders(5.1)).verdict == "supported"
    for script in (3.0, 7.0):
        found = claims.leaders_a_review(_leaders(script))
        assert (found.verdict, found.violations) == ("refuted", 1)
        (amendment,) = found.amendments
        assert (amendment.verdict, amendment.trials) == ("inconclusive", 0)


@pytest.mark.parametrize(
    ("paper", "script", "word", "violations"),
    [
        ((5.0, 8.0, 9.0), (7.0, 10.0, 12.0), "supported", 0),
        ((5.0, 8.0, 7.0), (7.0, 10.0, 12.0), "refuted", 1),
        ((5.0, 8.0, 9.0), (7.0, 6.0, 5.0), "refuted", 2),
        ((5.0, 8.0, 8.1), (7.0, 10.0, 12.0), "inconclusive", 0),
    ],
)
def test_leaders_grow_with_the_dimension_under_both_definitions(paper, script, word, violations):
    """Half-widths are 0.1, so that a step of 0.1 is within 0.1 sqrt 2."""
    runs = [_leaders(s, p).assign(dim=2**k) for k, (p, s) in enumerate(zip(paper, script, strict=True), 1)]
    found = claims.leaders_a_review(pd.concat(runs))
    (amendment,) = found.amendments
    assert (amendment.verdict, amendment.trials, amendment.violations) == (word, 4, violations)
    assert found.verdict == ("amended" if word == "supported" else "refuted")
    least = min(b - a for values in (paper, script) for a, b in pairwise(values))
    half = 0.1 * 2**0.5
    expected = (least, least - half, least + half)
    assert (amendment.measured, amendment.interval_low, amendment.interval_high) == pytest.approx(expected)
    assert "5.00 (d = 2)" in amendment.hypotheses and "7.00 (d = 2)" in amendment.hypotheses


def test_seeds_widen_the_growth_of_leaders():
    """A step of 1 between dimensions, whose runs differ by 4 from seed to seed."""
    runs = [
        _leaders(mean + 1.0, mean).assign(dim=dim, seed=seed)
        for dim, means in ((2, (3.0, 7.0)), (4, (4.0, 8.0)))
        for seed, mean in enumerate(means)
    ]
    (amendment,) = claims.leaders_a_review(pd.concat(runs)).amendments
    half = (2 * (8 / 2) * 1.959964**2 + 2 * 2 * 0.1**2 / 4) ** 0.5
    assert (amendment.measured, amendment.interval_high) == pytest.approx((1.0, 1.0 + half), rel=1e-6)
    assert amendment.verdict == "inconclusive"


def _clusters(*shares):
    rows = []
    for k, share in enumerate(shares, 1):
        row = {"dim": 2**k, "seed": 0, "epoch": 1, "tolerance": 0.05, "tokens": 50.0, "clusters": 50 * share, "quantile_5": 1.0}
        rows.append(row | {"quantile_95": 9.0, "share": share, "share_low": share - 0.01, "share_high": share + 0.01})
    return pd.DataFrame(rows)


def test_few_points():
    assert claims.few_points(_clusters(0.1, 0.2)).verdict == "supported"
    assert claims.few_points(_clusters(0.1, 0.9)).verdict == "amended"
    assert claims.few_points(_clusters(0.9)).verdict == "refuted"
    assert claims.few_points(_clusters(0.5)).verdict == "inconclusive"
    finer = _clusters(0.9).assign(tolerance=0.01)
    assert claims.few_points(pd.concat([finer, _clusters(0.1)])).verdict == "supported"


def _tokens():
    rows = []
    for label in (0, 1):
        for layer in range(3):
            common = {"label": label, "review": label, "layer": layer, "count": 1}
            for number, word in enumerate(["$a$", "x_1^{", "\\frac", None]):
                rows.append(common | {"kind": "token", "word": word, "x": float(number), "y": float(label - number), "leader": number != 1})
            rows.append(common | {"kind": "mean", "word": None, "x": 0.5, "y": 0.1, "leader": False})
    return pd.DataFrame(rows), pd.DataFrame({"parameter": ["weight 1", "weight 2", "bias", "alpha"], "value": [1.0, 0.0, 0.2, 1.0]})


def _drawn(figure):
    figure.savefig(io.BytesIO(), format="png")
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    plt.close(figure)
    return texts


def test_words_that_look_like_formulas_are_drawn_as_they_are():
    tokens, decoder = _tokens()
    assert r"\$a\$" in _drawn(sentiment_tokens.draw(tokens, decoder))
    assert len([plt.close(frame) for frame in sentiment_film.frames(tokens, decoder)]) == 3


def test_figures_of_one_dimension_and_of_two():
    for dims in ([2], [2, 16]):
        rows = [
            {
                "dim": d,
                "seed": 0,
                "epoch": e,
                "train_loss": 0.6,
                "train_accuracy": 0.6,
                "test_accuracy": 0.6,
                "hardmax_train_loss": 0.6 if e == 0 else None,
            }
            for d in dims
            for e in range(3)
        ]
        history = pd.DataFrame(rows)
        table = accuracy(history, 640, 200, 64)
        bag = pd.DataFrame({"test_accuracy": [0.8, 0.9], "accuracy_low": [0.7, 0.8], "accuracy_high": [0.9, 0.95]})
        _drawn(sentiment_accuracy.draw(history, table, bag, published_curves()))
        _drawn(sentiment_loss.draw(history, table, published_curves()))
        words = pd.DataFrame({"dim": 2, "seed": 0, "rank": [1, 2], "word": ["great", "$b"], "reviews": [5, 3], "positive": [4, 1]})
        _drawn(sentiment_leaders.draw(words, table, published_words()))
    _drawn(sentiment_counts.draw(_leaders(5.0), _clusters(0.2)))


def test_the_last_epoch_of_each_run_is_judged():
    """One run ends after epoch 1, the other after epoch 2; what their earlier epochs show does not count."""
    good, bad = _agreement(0.995, 0.999, 0.0), _agreement(0.9, 0.98, 0.0)
    table = pd.concat([bad.assign(epoch=1, seed=1), good.assign(epoch=2, seed=1), good.assign(epoch=1), bad.assign(epoch=0)])
    found = claims.softmax_is_hardmax(table.reset_index(drop=True))
    assert (found.verdict, found.trials, found.violations) == ("supported", 200, 2)


def test_best_and_last_accuracy_of_a_run():
    history = pd.DataFrame({"dim": 2, "seed": 0, "epoch": [0, 1, 2], "train_accuracy": [0.5, 0.6, 0.9], "test_accuracy": [0.6, 0.8, 0.7]})
    row = accuracy(history, 6400, 1000, 64).iloc[0]
    assert (row["best_epoch"], row["best_accuracy"], row["last_accuracy"], row["last_train_accuracy"]) == (1, 0.8, 0.7, 0.9)


def test_a_variant_is_compared_with_the_papers_run_of_its_dimension_and_seed():
    def history(dim, seed, last):
        return pd.DataFrame(
            {"dim": dim, "seed": seed, "epoch": [0, 1], "train_loss": 0.5, "train_accuracy": 0.8, "test_loss": 0.6, "alpha": [0.3, 0.9]}
        ).assign(test_accuracy=[0.99, last])  # fmt: skip

    runs = {"paper_a": (2, 0, 0.75), "script_a": (2, 0, 0.5), "script_b": (4, 1, 0.875), "paper_b": (4, 1, 0.625), "script_c": (8, 0, 0.5)}
    table = variants({name: history(*run) for name, run in runs.items()})
    assert table["difference"].tolist()[:4] == [0.0, -0.25, 0.25, 0.0] and pd.isna(table["difference"][4])
    assert (table["alpha_least"] == 0.3).all() and (table["alpha"] == 0.9).all()
