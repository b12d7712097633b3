"""The engine finds what is false, shrinks it, and lets what is true stand."""

import json
import operator
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.stats import beta

from hardmax.errors import InputError
from hardmax.falsify import (
    COLUMNS,
    SHRINKING,
    Rate,
    Statement,
    Violation,
    batch_of_one,
    compare,
    dumps,
    falsify,
    inputs_of,
    reverify,
    same,
    strategies,
)
from hardmax.falsify.counterexample import parsed, plain


def clouds(rng, trials):
    return {"tokens": rng.normal(size=(trials, rng.integers(1, 5), 2))}


def mean_is_short(instances):
    """False: the mean of the tokens has norm at most 1/2."""
    return compare(np.linalg.norm(instances["tokens"].mean(axis=1), axis=-1), "<=", 0.5)


def mean_is_short_exactly(inputs):
    tokens = inputs["tokens"]
    squared = sum((sum(column) / len(tokens)) ** 2 for column in zip(*tokens, strict=True))
    return Violation(squared, "<=", Fraction(1, 4)) if squared > Fraction(1, 4) else None


FALSE = Statement(
    claim="XX-1",
    paper="none",
    text="the mean is short",
    families={"normal": clouds},
    hypotheses={"finite": lambda instances: np.isfinite(instances["tokens"]).all(axis=(1, 2))},
    conclusion=mean_is_short,
    exact=mean_is_short_exactly,
    strategy=st.fixed_dictionaries({"tokens": strategies.clouds(1, 4, dims=(2, 2))}),
)
TRUE = Statement(
    claim="XX-2",
    paper="none",
    text="the mean is no longer than the longest",
    families={"normal": clouds, "more": clouds},
    conclusion=lambda x: compare(np.linalg.norm(x["tokens"].mean(axis=1), axis=-1), "<=", np.linalg.norm(x["tokens"], axis=-1).max(axis=1)),
)


def summary(table, variant="as written"):
    """Trials, met and violations of one variant over its random families, and its counterexample."""
    rows = table[table.variant == variant]
    broad = rows[rows.family != SHRINKING]
    found = rows.counterexample.dropna()
    assert len(found) <= 1
    return SimpleNamespace(
        trials=broad.trials.sum(),
        met=broad.met.sum(),
        violations=rows.violations.sum(),
        worst_margin=broad.worst_margin.max(),
        low=broad.interval_low.iloc[0],
        high=broad.interval_high.iloc[0],
        counterexample=found.item() if len(found) else None,
    )


def test_false_statement_is_found_shrunk_and_reverified():
    table = falsify(FALSE, np.random.default_rng(1), 500)
    assert tuple(table.columns) == COLUMNS
    assert list(table.family) == ["normal", SHRINKING]
    row = summary(table)
    assert row.violations > 1 and row.met >= 500
    document = json.loads(row.counterexample)
    assert document["inputs"] == {"tokens": [[0, 1]]}
    assert (document["left"], document["relation"], document["right"]) == (1, "<=", "1/4")
    assert document["exact"] and not document["on_tie"]
    assert reverify(FALSE, document)


@pytest.mark.parametrize("change", [{"inputs": {"tokens": [["1/2", 0]]}}, {"left": 2}, {"step": 3}])
def test_reverify_refuses_a_changed_document(change):
    document = json.loads(summary(falsify(FALSE, np.random.default_rng(1), 50)).counterexample)
    assert not reverify(FALSE, document | change)


def test_reverify_names_what_is_wrong():
    document = json.loads(summary(falsify(FALSE, np.random.default_rng(1), 50)).counterexample)
    with pytest.raises(InputError, match="expected claim XX-1, found XX-9"):
        reverify(FALSE, document | {"claim": "XX-9"})
    with pytest.raises(InputError, match="expected keys claim"):
        reverify(FALSE, {"claim": "XX-1"})


def test_true_statement_stands():
    table = falsify(TRUE, np.random.default_rng(2), 301)
    row = summary(table)
    assert (row.trials, row.met, row.violations, row.counterexample) == (301, 301, 0, None)
    assert row.worst_margin <= 1e-12
    assert list(table.trials) == [151, 150]


def test_amendment_is_tested_beside():
    amended = FALSE.amended(
        "amendment-1",
        "tokens in the unit square",
        hypotheses={"small": lambda x: (abs(x["tokens"]) <= 0.35).all(axis=(1, 2))},
        families={"small": lambda rng, trials: {"tokens": rng.uniform(-0.4, 0.4, (trials, 3, 2))}},
    )
    assert amended.exact is None
    table = falsify(Statement(**{**FALSE.__dict__, "amendments": (amended,)}), np.random.default_rng(3), 400)
    assert summary(table).violations > 0
    row = summary(table, "amendment-1")
    assert row.violations == 0 and 0 < row.met < row.trials


def test_same_seed_same_table():
    first, second = (falsify(FALSE, np.random.default_rng(7), 60) for _ in range(2))
    assert first.equals(second)


def test_without_exact_the_floats_judge():
    plain_floats = Statement(**{**FALSE.__dict__, "exact": None})
    document = json.loads(summary(falsify(plain_floats, np.random.default_rng(1), 50)).counterexample)
    assert not document["exact"] and document["inputs"] == {"tokens": [[0, 1]]}
    assert reverify(plain_floats, document)


def test_rate_is_judged_by_its_interval():
    def coin(rng, trials):
        return {"heads": rng.random(trials) < 0.5}

    def rate(bound, relation=">="):
        return Statement("XX-3", "none", "coin", {"coin": coin}, lambda x: Rate(x["heads"], relation, bound))

    fair = summary(falsify(rate(0.5), np.random.default_rng(5), 2000))
    assert fair.violations == 0 and fair.low < 0.5 < fair.high and fair.met == 2000
    unfair = summary(falsify(rate(0.9), np.random.default_rng(5), 2000))
    assert unfair.violations == 1 and unfair.worst_margin > 0.3
    document = json.loads(unfair.counterexample)
    assert reverify(rate(0.9), document)
    assert not reverify(rate(0.9), document | {"right": 0.5})
    assert summary(falsify(rate(0.1, "<="), np.random.default_rng(5), 2000)).violations == 1


def test_a_rate_with_a_bound_of_each_batch_is_rechecked_by_what_its_trials_can_have():
    """Batches differ in their bound, as FW-9's differ in the number of vertices: the file's is a mean that no single batch has."""

    def family(rng, trials):
        return {"bound": np.full(trials, rng.choice([0.5, 0.9]))}

    statement = Statement("XX-3", "none", "often", {"any": family}, lambda x: Rate(np.zeros(len(x["bound"]), bool), ">=", x["bound"]))
    document = json.loads(summary(falsify(statement, np.random.default_rng(1), 200)).counterexample)
    assert 0.5 < document["right"] < 0.9
    assert reverify(statement, document)
    assert not any(reverify(statement, document | change) for change in ({"right": 0.95}, {"right": 0.4}, {"relation": "<="}))
    with pytest.raises(InputError, match="KeyError"):
        reverify(statement, document | {"relation": "=>"})


def test_no_trial_meets_the_hypotheses():
    never = Statement(**{**FALSE.__dict__, "hypotheses": {"never": lambda x: np.zeros(len(x["tokens"]), bool)}})
    never = Statement(**{**never.__dict__, "exact": None, "strategy": None})
    row = summary(falsify(never, np.random.default_rng(1), 10))
    assert (row.met, row.violations) == (0, 0) and np.isnan(row.worst_margin)


def test_a_tie_gives_way_to_a_violation_without():
    def exact(inputs):
        (x,) = inputs["x"]
        return Violation(x, "<=", Fraction(0), tie=x < 5) if x > 0 else None

    statement = Statement(
        "XX-4", "none", "at most 0", {"one": lambda rng, trials: {"x": rng.integers(-9, 9, (trials, 1))}},
        lambda x: compare(x["x"][:, 0], "<=", 0.0, tie=x["x"][:, 0] < 5), exact=exact,
        strategy=st.fixed_dictionaries({"x": st.lists(strategies.whole(-9, 9), min_size=1, max_size=1)}),
    )  # fmt: skip
    assert json.loads(summary(falsify(statement, np.random.default_rng(1), 50)).counterexample)["inputs"] == {"x": [5]}


def test_compare_finds_the_worst_place():
    left = np.zeros((2, 3, 4))
    left[0, 1, 2], left[1, 2, 3] = 5, 7
    outcome = compare(left, "<=", 1.0, scale=2.0, first_step=10)
    assert list(outcome.margin) == [2, 3] and list(outcome.step) == [11, 12] and list(outcome.token) == [2, 3]
    with pytest.raises(ValueError, match="NaN"):
        compare(np.array([np.nan]), "<=", 1.0)


def test_same_measures_certainty():
    outcome = same(np.array([True, False]), np.array([True, True]), np.array([0.3, 0.2]))
    assert list(outcome.margin) == [-0.3, 0.2]


def test_trials_must_be_positive():
    with pytest.raises(InputError, match="expected at least 1, found 0"):
        falsify(TRUE, np.random.default_rng(1), 0)


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(2), [Fraction(1, 3), [Fraction(0)]], {"a": "word"}, None])
def test_plain_and_parsed_are_inverse(value):
    assert parsed(json.loads(json.dumps(plain(value)))) == value


def test_floats_are_rational_at_their_exact_value():
    instances = {"tokens": np.array([[[0.1]]]), "alpha": np.array([2])}
    inputs = inputs_of(instances, 0)
    assert inputs == {"tokens": [[Fraction(0.1)]], "alpha": Fraction(2)}
    assert batch_of_one(inputs)["tokens"][0, 0, 0] == 0.1


def test_trials_that_meet_each_hypothesis_are_counted():
    """Uniform draws in four chunks, recounted here from the same draws."""
    drawn = []

    def family(rng, trials):
        drawn.append(rng.uniform(size=trials))
        return {"u": drawn[-1]}

    statement = Statement(
        "XX-4",
        "none",
        "u < 1",
        {"uniform": family},
        lambda x: compare(x["u"], "<", 1.0),
        {"u < 0.7": lambda x: x["u"] < 0.7, "u > 0.4": lambda x: x["u"] > 0.4},
    )
    row = falsify(statement, np.random.default_rng(3), 1000).iloc[0]
    u = np.concatenate(drawn)
    assert json.loads(row.accepted) == {"u < 0.7": (u < 0.7).sum(), "u > 0.4": (u > 0.4).sum()}
    assert row.met == ((u < 0.7) & (u > 0.4)).sum() < min(json.loads(row.accepted).values())
    assert row.trials == len(u) == 1000


def test_scalars_of_numpy_can_be_written_down():
    """Such a scalar inside `Fraction` would stay one, and JSON knows none."""
    instances = {"layers": np.array([3]), "share": np.array([0.5], dtype=np.float32), "tie": np.array([True]), "z": np.array([[1, 2]])}
    assert dumps(plain(inputs_of(instances, 0))) == '{"layers": 3, "share": "1/2", "tie": true, "z": [1, 2]}'


RELATIONS = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "==": operator.eq}


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_margin_is_positive_exactly_where_the_relation_fails(relation):
    left, right = np.array([1.0, 2.0, 1.0]), np.array([2.0, 1.0, 1.0])
    failing = ~RELATIONS[relation](left, right)
    outcome = compare(left[:2], relation, right[:2])
    assert list(outcome.margin > 0) == list(failing[:2]) and set(abs(outcome.margin)) == {1.0}
    assert compare(left, relation, right).margin[2] == 0  # equality is for exact arithmetic to judge


def test_a_familys_row_counts_its_trials():
    """Violations, those on a tie and the worst place, counted again from the same draws, which come in several chunks."""
    drawn = []

    def family(rng, trials):
        drawn.append(rng.uniform(size=(2, trials)))
        return {"u": drawn[-1][0], "v": drawn[-1][1]}

    statement = Statement(
        "XX-4", "none", "u is small", {"uniform": family}, lambda x: compare(x["u"], "<=", 0.5, tie=x["v"] < 0.3), tolerance=0.25
    )  # fmt: skip
    row = falsify(statement, np.random.default_rng(3), 1000).iloc[0]
    u, v = np.concatenate(drawn, axis=1)
    assert len(drawn) > 3 and drawn[-1][0].max() < u.max()
    assert row.violations == (u > 0.75).sum() < row.met == 1000
    assert row.on_tie == ((u > 0.75) & (v < 0.3)).sum() > 0
    assert (row.measured, row.bound) == (u.max(), 0.5) and row.worst_margin == pytest.approx(u.max() - 0.5)


@pytest.mark.parametrize("relation", ["<=", ">="])
def test_a_rate_has_the_beta_quantiles_and_a_share_of_the_level(relation):
    """Two families share 1 %; bounds that differ between trials enter as their mean; only an interval beyond it is a violation."""
    heads, bounds = {"few": 60, "many": 140}, np.where(np.arange(200) < 50, 0.3, 0.5)
    families = {name: lambda rng, trials, count=count: {"heads": np.arange(200) < count} for name, count in heads.items()}
    statement = Statement("XX-3", "none", "coin", families, lambda x: Rate(x["heads"], relation, bounds))
    table = falsify(statement, np.random.default_rng(1), 2)
    assert list(table["confidence"]) == [0.995, 0.995] and table["bound"].to_numpy() == pytest.approx(0.45)
    for row, count in zip(table.itertuples(), heads.values(), strict=True):
        low, high = beta.ppf(0.0025, count, 201 - count), beta.ppf(0.9975, count + 1, 200 - count)
        assert (row.interval_low, row.interval_high) == pytest.approx((low, high))
        assert row.worst_margin == pytest.approx(0.45 - high if relation == ">=" else low - 0.45)
        assert row.violations == (high < 0.45 if relation == ">=" else low > 0.45)
    inside = replace(statement, conclusion=lambda x: Rate(x["heads"], relation, x["heads"].mean()))
    assert falsify(inside, np.random.default_rng(1), 2)["violations"].sum() == 0


def test_the_shrinking_search_prefers_no_tie_and_counts_who_meets_the_hypotheses():
    """Only the shrinking search finds something here: 1 to 4 violate on a tie, 5 and more without."""
    seen = []

    def exact(inputs):
        seen.append(inputs["x"][0])
        return Violation(seen[-1], "<=", Fraction(0), tie=seen[-1] < 5) if seen[-1] > 0 else None

    statement = Statement(
        "XX-4", "none", "at most 0", {"none": lambda rng, trials: {"x": np.zeros((trials, 1))}}, lambda x: compare(x["x"][:, 0], "<=", 0.0),
        {"even": lambda x: x["x"][:, 0] % 2 == 0}, exact, st.fixed_dictionaries({"x": st.lists(strategies.whole(-9, 9), min_size=1, max_size=1)}),
    )  # fmt: skip
    row = falsify(statement, np.random.default_rng(1), 50).set_index("family").loc[SHRINKING]
    assert json.loads(row.counterexample)["inputs"] == {"x": [5]} and row.on_tie == 0
    judged = seen[:-1]  # the last call judges what was found
    assert row.trials == len(judged) and row.met == sum(x % 2 == 0 for x in judged) < row.trials


def test_a_confirmed_counterexample_goes_before_a_shorter_one_in_floats():
    families = {name: lambda rng, trials, x=x: {"x": np.full((trials, 1), x)} for name, x in {"short": 1.0, "long": 12.0}.items()}

    def exact(inputs):
        return Violation(inputs["x"][0], "<=", Fraction(0)) if inputs["x"][0] > 10 else None

    statement = Statement("XX-5", "none", "at most 0", families, lambda x: compare(x["x"][:, 0], "<=", 0.0), exact=exact)
    table = falsify(statement, np.random.default_rng(1), 4)
    assert table["counterexample"].notna().tolist() == [False, True]
    found = json.loads(table["counterexample"][1])
    assert found["inputs"] == {"x": [12]} and found["exact"]
