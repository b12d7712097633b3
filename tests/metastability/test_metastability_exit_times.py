"""Exit times against exact laws, a literal transcription, and between the two methods."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare, ks_2samp

from hardmax.dynamics import MarkovChain
from hardmax.errors import InputError
from hardmax.geometry.projections import project_onto_hull
from hardmax.metastability import exit_times
from hardmax.metastability.exit_times import chain_inputs
from hardmax.metastability.jumps import _first_jumper
from hardmax.metastability.polytopes import crowd, regular_simplex
from hardmax.randomness import stream

TRIANGLE, GROUPS = crowd(regular_simplex(3), 2, 0.1)
COLUMNS = ["replica", "exit_time", "censored", "events", "token", "group"]


def literal(x0, groups, beta, gamma, epsilon, rng, B):
    """The definition, token by token: (steps, events, token)."""
    x, time, events = x0.copy(), 0, 0
    while True:
        picks = []
        for i in range(len(x)):
            scores = np.array([beta * (B @ x[i]) @ x[j] for j in range(len(x))])
            weights = np.exp(scores - scores.max())
            picks.append(rng.choice(len(x), p=weights / weights.sum()))
        x = np.array([(1 - gamma) * x[i] + gamma * x[j] for i, j in enumerate(picks)])
        time += 1
        events += any(groups[i] != groups[j] for i, j in enumerate(picks))
        for i in range(len(x)):
            if project_onto_hull(x0[groups == groups[i]], x[i]).distance > epsilon:
                return time, events, i


@pytest.mark.parametrize("method", ["events", "steps"])
@pytest.mark.parametrize("B", [np.eye(2), np.array([[1.0, 0.3], [0.3, -0.5]])])
def test_same_law_as_the_definition(method, B):
    rng = np.random.default_rng(5)
    truth = np.array([literal(TRIANGLE, GROUPS, 1.5, 0.3, 0.4, rng, B) for _ in range(300)])
    table = exit_times(TRIANGLE, GROUPS, beta=1.5, gamma=0.3, epsilon=0.4, replicas=2000, seed=7, method=method, B=B)
    assert ks_2samp(truth[:, 0], table["exit_time"]).pvalue > 1e-4
    assert ks_2samp(truth[:, 1], table["events"]).pvalue > 1e-4
    assert ks_2samp(truth[:, 2], table["token"]).pvalue > 1e-4


def test_steps_have_the_law_of_the_dynamics_module():
    """Which tokens were picked in one step, 4,000 times by each: a p-value falls below 1e-6 with probability 1e-6, for each of 6 tokens."""
    B, rng = np.array([[1.0, 0.3], [0.3, -0.5]]), stream(0, "test_steps")
    chain = chain_inputs(TRIANGLE, GROUPS, 1.5, 1.0, B)
    compiled = np.stack([chain.advance(chain.x0, 1, rng) for _ in range(4000)])
    rule = MarkovChain(1.0, 1.5, rng, torch.from_numpy(B))
    library = rule(torch.from_numpy(np.broadcast_to(TRIANGLE, (4000, *TRIANGLE.shape)).copy()), 0).numpy()
    for token in range(len(TRIANGLE)):
        counts = []
        for moved in (compiled, library):
            apart = np.linalg.norm(moved[:, token, None] - TRIANGLE, axis=-1)
            assert apart.min(axis=1).max() < 1e-12
            counts.append(np.bincount(apart.argmin(axis=1), minlength=len(TRIANGLE)))
        table = np.array(counts)
        assert chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue > 1e-6


@pytest.mark.parametrize("tokens", [1, 3])
@pytest.mark.parametrize("beta", [2.5, 4.5])
def test_both_methods_have_one_law(beta, tokens):
    x0, groups = crowd(regular_simplex(3), tokens, 0.2)
    samples = [
        exit_times(x0, groups, beta=beta, gamma=0.2, epsilon=0.5, replicas=1500, seed=seed, method=method)
        for seed, method in ((1, "events"), (2, "steps"))
    ]
    for quantity in ("exit_time", "events", "token"):
        assert ks_2samp(*(sample[quantity] for sample in samples)).pvalue > 1e-4


SHAPE = regular_simplex(3)
UNUSUAL = {
    "groups share places": (np.vstack([SHAPE, SHAPE, SHAPE[:1]]), [0, 1, 2, 1, 2, 0, 2], 3.0, 0.2, 0.5, None),
    "a group over two vertices": (np.vstack([SHAPE, SHAPE]), [0, 0, 1, 0, 0, 1], 3.0, 0.2, 0.4, None),
    "an indefinite matrix": (np.vstack([SHAPE, 0.5 * SHAPE]), [0, 1, 2, 0, 1, 2], 3.0, 0.2, 0.3, np.array([[1.0, 0.5], [0.5, -1.0]])),
    "gamma of one": (np.vstack([SHAPE, 0.9 * SHAPE]), [0, 1, 2, 0, 1, 2], 2.0, 1.0, 0.3, None),
    "groups that are one place": (np.array([[1.0], [1.0], [-1.0], [-1.0]]), [0, 1, 0, 1], 1.0, 0.3, 0.2, None),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_both_methods_have_one_law_in_unusual_cases(name):
    """Clusters that mix groups, groups that are several clusters, censoring: the places where the two methods count differently."""
    x0, groups, beta, gamma, epsilon, B = UNUSUAL[name]
    samples = [
        exit_times(
            x0, np.array(groups), beta=beta, gamma=gamma, epsilon=epsilon, replicas=1000, seed=seed, method=method, B=B, max_time=500
        )
        for seed, method in ((1, "events"), (2, "steps"))
    ]
    for quantity in ("exit_time", "events", "token"):
        assert ks_2samp(*(sample[quantity] for sample in samples), method="asymp").pvalue > 1e-4


@pytest.mark.parametrize("beta", [1.0, 1.4])
@pytest.mark.parametrize("method", ["events", "steps"])
def test_geometric_law_of_a_single_jump(method, beta):
    """Two tokens at -1 and 1 with epsilon below the first jump: T is geometric with p = 1 - (1 - q)^2. Waiting times are drawn from beta 1.2 on."""
    q = 1 / (1 + math.exp(2 * beta))
    p = 1 - (1 - q) ** 2
    table = exit_times(
        np.array([[1.0], [-1.0]]), np.array([0, 1]), beta=beta, gamma=0.1, epsilon=0.15, replicas=4000, seed=3, method=method
    )
    most = 12
    observed = np.bincount(np.minimum(table["exit_time"].astype(int), most), minlength=most + 1)[1:]
    law = p * (1 - p) ** np.arange(most - 1)
    expected = np.append(law, 1 - law.sum()) * len(table)
    assert chisquare(observed, expected).pvalue > 1e-4
    assert (table["events"] == 1).all()
    # The first to jump is reported: token 0 alone, token 1 alone, or both (then 0).
    share = (table["token"] == 0).mean()
    assert abs(share - q / p) < 5 * math.sqrt(q / p * (1 - q / p) / len(table))


@pytest.mark.parametrize("beta", [20.0, 100.0, 300.0])
def test_exponential_waiting_times_far_beyond_simulation(beta):
    """The same two tokens: log10 T = log10 E - log10 p with E exponential, where p = 2 exp(-2 beta) to rounding."""
    table = exit_times(np.array([[1.0], [-1.0]]), np.array([0, 1]), beta=beta, gamma=0.1, epsilon=0.15, replicas=2000, seed=3)
    scaled = np.exp(np.log(table["exit_time"]) - 2 * beta + math.log(2))
    assert ks_2samp(scaled, np.random.default_rng(0).exponential(size=20000)).pvalue > 1e-4
    assert (table["exit_time"] == np.floor(table["exit_time"])).all()


def test_probabilities_below_the_smallest_float_are_censored_only_by_max_time():
    pair = {"x0": np.array([[1.0], [-1.0]]), "groups": np.array([3, 1]), "gamma": 0.1, "epsilon": 0.15, "replicas": 50, "seed": 3}
    table = exit_times(**pair, beta=2000.0)
    assert table["censored"].all() and (table["exit_time"] == 1e300).all()
    assert (table["token"] == -1).all() and (table["group"] == -1).all() and (table["events"] == 0).all()
    # P(T > 1e300) = exp(-2 exp(-2 beta) 1e300): about one half where 2 beta = log(2e300 / log 2).
    half = math.log(2e300 / math.log(2)) / 2
    censored = exit_times(**{**pair, "replicas": 1000}, beta=half)["censored"].mean()
    assert abs(censored - 0.5) < 5 * 0.5 / math.sqrt(1000)


@pytest.mark.parametrize("method", ["events", "steps"])
def test_censoring_cuts_the_same_paths(method):
    arguments = {"beta": 3.0, "gamma": 0.1, "epsilon": 0.35, "seed": 11, "method": method}
    whole = exit_times(TRIANGLE, GROUPS, replicas=200, **arguments)
    cut = exit_times(TRIANGLE, GROUPS, replicas=60, max_time=20, **arguments)
    assert list(cut.columns) == COLUMNS and 0 < cut["censored"].sum() < 60
    out = ~cut["censored"].to_numpy()
    assert (cut.loc[~out, "exit_time"] == 20).all() and (cut["exit_time"] <= 20).all()
    assert (whole.loc[:59, "exit_time"] > 20).to_numpy().tolist() == (~out).tolist()
    assert cut[out].equals(whole.loc[:59][out])


@given(st.integers(1, 3), st.integers(1, 7), st.integers(0, 10**6), st.sampled_from([0.0, 0.7, 5.0]), st.floats(0.05, 1.0))
@settings(max_examples=60)
def test_any_tokens_groups_and_matrix(dim, tokens, seed, beta, gamma):
    """Coinciding tokens, zero vectors, one token, one group, indefinite B: both methods answer, and agree on what is certain."""
    rng = np.random.default_rng(seed)
    x0 = rng.integers(-2, 3, (tokens, dim)).astype(float)
    groups = rng.integers(0, 3, tokens)
    B = rng.normal(size=(dim, dim))
    for method in ("events", "steps"):
        table = exit_times(x0, groups, beta=beta, gamma=gamma, epsilon=0.5, replicas=3, seed=seed, method=method, B=B + B.T, max_time=3000)
        assert ((table["exit_time"] >= 1) & (table["exit_time"] <= 3000)).all()
        assert (table["events"] <= table["exit_time"]).all()
        out = table[~table["censored"]]
        assert (groups[out["token"]] == out["group"]).all()
        assert (out["events"] >= 1).all()
        if len(set(groups.tolist())) == 1:
            assert table["censored"].all() and (table["events"] == 0).all()


def test_scaling_tokens_is_scaling_beta():
    small = exit_times(TRIANGLE, GROUPS, beta=4.0, gamma=0.1, epsilon=0.35, replicas=40, seed=2)
    large = exit_times(4 * TRIANGLE, GROUPS, beta=0.25, gamma=0.1, epsilon=1.4, replicas=40, seed=2)
    assert (small["exit_time"] == large["exit_time"]).all()


def test_methods_count_events_alike_after_everything_has_merged():
    """Two groups at one place: nobody can leave, and all but a share of 2^-3 of the steps of 4 tokens have a pick outside a group."""
    x0, groups = np.zeros((4, 2)), np.array([0, 0, 1, 1])
    table = exit_times(x0, groups, beta=1.0, gamma=0.5, epsilon=0.1, replicas=20, seed=0, max_time=1e6)
    expected = 1e6 * (1 - 0.5**4)
    assert table["censored"].all() and np.abs(table["events"] - expected).max() < 6 * math.sqrt(1e6 * 0.5**4)
    assert np.isfinite(exit_times(x0, groups, beta=1.0, gamma=0.5, epsilon=0.1, replicas=2, seed=0)["events"]).all()


def test_replicas_do_not_depend_on_their_number():
    few, many = (exit_times(TRIANGLE, GROUPS, beta=6.0, gamma=0.1, epsilon=0.35, replicas=n, seed=4) for n in (5, 50))
    assert few.equals(many.head(5))
    assert many["exit_time"].nunique() > 45


def test_frames_are_events_and_times_are_whole():
    chain = chain_inputs(TRIANGLE, GROUPS, 6.0, 0.1, None, 0.35)
    time, events, token, times, path = chain.run(0.35, 1e300, stream(4, "exit_times", replica=0), frames=1000)
    assert len(times) == events + 1 and times[0] == 0 and times[-1] == time
    assert (np.diff(times) > 0).all() and np.array_equal(path[0], TRIANGLE)
    assert project_onto_hull(TRIANGLE[GROUPS[token] == GROUPS], path[-1][token]).distance > 0.35
    for state in path[:-1]:
        assert max(project_onto_hull(TRIANGLE[g == GROUPS], x).distance for g, x in zip(GROUPS, state, strict=True)) <= 0.35


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"beta": -1.0}, "beta"),
        ({"beta": math.nan}, "beta"),
        ({"gamma": 0.0}, "gamma"),
        ({"gamma": 1.5}, "gamma"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"replicas": 0}, "replicas"),
        ({"max_time": 0.5}, "max_time"),
        ({"max_time": math.inf}, "max_time"),
        ({"B": np.array([[1.0, 2.0], [0.0, 1.0]])}, "B"),
        ({"method": "steps", "epsilon": 5.0}, "max_time"),
    ],
)
def test_bad_input_is_named_in_one_line(change, words):
    arguments = {"beta": 1.0, "gamma": 0.1, "epsilon": 0.35, "replicas": 3, "seed": 0} | change
    with pytest.raises(InputError, match=f"^{words}: ") as error:
        exit_times(TRIANGLE, GROUPS, **arguments)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("x0", "groups", "words"),
    [
        (np.full((2, 2), np.nan), np.array([0, 1]), "x0"),
        (np.empty((0, 2)), np.empty(0, int), "x0"),
        (np.zeros((2, 2)), np.array([0, -1]), "groups"),
        (np.zeros((2, 2)), np.array([0]), "groups"),
    ],
)
def test_bad_tokens_are_named(x0, groups, words):
    with pytest.raises((InputError, TypeError), match=words):
        exit_times(x0, groups, beta=1.0, gamma=0.1, epsilon=0.35, replicas=3, seed=0)


def test_method_is_named():
    with pytest.raises((InputError, TypeError), match="method"):
        exit_times(TRIANGLE, GROUPS, beta=1.0, gamma=0.1, epsilon=0.35, replicas=3, seed=0, method="leaps")


def test_first_jumper_by_inversion():
    """Tokens of jump probabilities 1/2, 1/4, 0 (they pick nobody elsewhere) and 1/3: first one that jumps, given that one does."""
    jump, cluster = np.array([0.5, 0.25, 0.0, 1 / 3]), np.arange(4)
    with np.errstate(divide="ignore"):
        log_jump = np.log(jump)
    first = jump * np.cumprod(np.append(1, 1 - jump[:-1]))
    reached = np.cumsum(first) / first.sum()
    assert first.sum() == pytest.approx(1 - np.prod(1 - jump))
    for u in (*(reached[:-1] - 1e-9), *(reached[:-1] + 1e-9), 1 - 1e-9):
        expected = next(i for i in range(4) if u < reached[i])
        assert _first_jumper(u, cluster, log_jump, jump, math.log(first.sum())) == expected
