"""The mean dynamics followed to their end, against the literal map and closed forms; the phases before it."""

import math

import numpy as np
import pandas as pd
import pytest

from hardmax.metastability.approximation import chain_deviation, hardmax_path, mean_deviation
from hardmax.metastability.clustering import clustering_success, clustering_trials
from hardmax.metastability.collapse import chain_collapse, collapse
from hardmax.metastability.exit_times import chain_inputs
from hardmax.metastability.occupation import occupation
from hardmax.metastability.polytopes import crowd, regular_simplex


def literal_collapse(x, beta, gamma, tolerance, B):
    steps = 0
    while np.linalg.norm(x - x[0], axis=1).max() > tolerance:
        scores = beta * x @ B @ x.T
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        x, steps = x + gamma * (weights @ x - x), steps + 1
    return steps, x


@pytest.mark.parametrize("beta", [0.5, 3.0, 6.5])
@pytest.mark.parametrize("k", [3, 4])
def test_agrees_with_the_literal_map(beta, k):
    rng = np.random.default_rng(k)
    x0, groups = crowd(regular_simplex(k), 2, 0.1)
    x0 = x0 + 0.05 * rng.normal(size=x0.shape)
    chain = chain_inputs(x0, groups, beta, 0.1)
    steps, x = literal_collapse(x0, beta, 0.1, chain.tolerance, chain.B)
    path = collapse(chain)
    assert path.clusters == 1 and path.settled
    # Tokens that are close count as one place a few steps before all are: the end comes that much sooner.
    assert math.exp(path.log_time[-1]) == pytest.approx(steps, rel=0.02, abs=6)
    assert np.allclose(path.x[-1].mean(axis=0), x.mean(axis=0), atol=2e-3)


@pytest.mark.parametrize("beta", [30.0, 200.0, 1000.0])
def test_two_tokens_in_closed_form(beta):
    """At -a and a: a' = -2 gamma a w with w = exp(-2 beta a^2) to rounding, so the time to the collapse is the integral of
    exp(2 beta a^2) / (2 gamma a) from about 0 to 1, Dawson's integral in disguise: exp(2 beta) / (8 beta gamma) (1 + O(1/beta))."""
    path = collapse(chain_inputs(np.array([[1.0], [-1.0]]), np.array([0, 1]), beta, 0.1))
    assert path.clusters == 1
    assert path.log_time[-1] - (2 * beta - math.log(8 * beta * 0.1)) == pytest.approx(1 / (2 * beta), abs=0.6 / beta)
    assert abs(path.x[-1]).max() < 1e-4


def test_large_steps_are_used_where_the_drift_is_small():
    path = collapse(chain_inputs(*crowd(regular_simplex(3), 2, 0.1), 60.0, 0.1))
    assert path.log_time[-1] > 80 and len(path.x) < 5000 and path.literal < 5000


def test_time_to_one_place_of_the_chain_by_both_ways():
    """Two tokens: the distance after j jumps is 2 (1 - gamma)^(jumps), so the collapse takes at least that many events."""
    chain = chain_inputs(np.array([[1.0], [-1.0]]), np.array([0, 1]), 1.0, 0.3)
    times = [chain_collapse(chain, 1e300, np.random.default_rng(r)) for r in range(50)]
    assert not any(late for _, late in times)
    assert min(time for time, _ in times) >= math.log(chain.tolerance / 2) / math.log(0.7) / 2 - 1


def test_hardmax_twin_is_the_limit_of_large_beta():
    vertices = regular_simplex(3)
    x0, groups = crowd(vertices, 2, 0.4)
    chain = chain_inputs(x0, groups, 60.0, 0.1, None, 0.3)
    rng = np.random.default_rng(0)
    assert min(chain_deviation(chain, vertices, 0.3, 1e300, rng) for _ in range(20)) > 1e20
    assert mean_deviation(collapse(chain), vertices, 0.1, 0.3) > math.log(1e20)
    path = hardmax_path(x0, vertices, 0.1, 3)
    assert np.allclose(path[3], 0.9**3 * x0 + (1 - 0.9**3) * vertices[groups])
    # A deviation that no token can make is never reached, and one that all make at once is seen at the first step.
    assert chain_deviation(chain_inputs(x0, groups, 0.0, 0.5), vertices, 5.0, 1000.0, rng) == 1000.0
    assert chain_deviation(chain_inputs(x0, groups, 0.0, 0.5), vertices, 1e-6, 1000.0, rng) == 1.0


def test_clustering_phase():
    trials = clustering_trials(np.random.default_rng(0), shapes=["simplex3"], beta=[16.0, 1e8], gamma=[0.1], tokens=2, trials=20)
    success = clustering_success(trials).set_index(["placement", "beta", "criterion"])
    assert set(trials.loc[trials["placement"] == "deep", "beta"]) == {1e8} and trials.loc[trials["placement"] == "deep", "met"].all()
    assert (success.loc[("deep", 1e8, "C = spread/(1 - gamma)"), "share"] == 1).all()
    deep = trials[trials["placement"] == "deep"]
    # At such beta every pick is hardmax's: distances shrink by (1 - gamma)^T1, hence the constant that is needed.
    assert np.allclose(deep["needed"], deep["spread"] * 0.9 ** deep["t1"] / 0.9, rtol=0.2)


def test_occupation_ends_in_one_cell():
    table = occupation(np.random.default_rng(1), shape="simplex3", tokens=2, spread=0.3, beta=6.0, gamma=0.2, apart=0.1, frames=2000)
    first, last = table[table["frame"] == 0], table[table["frame"] == table["frame"].max()]
    assert (first["cell"] == first["group"]).all() and last["cell"].nunique() == 1
    assert table.groupby("frame")["time"].first().is_monotonic_increasing


def test_both_phases_count_towards_the_deviation(monkeypatch):
    """At beta 1e4 nobody leaves the hardmax path while it settles, in n steps with (1 - gamma)^n <= 1e-9; then the events' time is added."""
    x0, groups = crowd(regular_simplex(3), 2, 0.1)
    chain = chain_inputs(x0, groups, 1e4, 0.2, None, 0.3)
    monkeypatch.setattr(type(chain), "run", lambda self, epsilon, max_time, rng: (100.0, 1.0, 0, None, None))
    settling = next(n for n in range(1000) if 0.8**n <= 1e-9)
    assert chain_deviation(chain, regular_simplex(3), 0.3, 1e9, np.random.default_rng(0)) == settling + 100
    assert chain_deviation(chain, regular_simplex(3), 0.3, settling + 50.0, np.random.default_rng(0)) == settling + 50


def test_success_needs_vertices_kept_and_the_others_near():
    rows = [(True, 1.5), (True, 2.5), (False, 1.5), (False, 2.5), (True, 2.0)]
    trials = pd.DataFrame(rows, columns=["kept", "needed"]).assign(
        shape="s", placement="deep", beta=16.0, gamma=0.5, met=True, t1=3, measured_t1=3.0, spread=1.2
    )
    success = clustering_success(trials).set_index("criterion")["successes"]
    assert success.to_dict() == {"C = 2": 2, "C = spread/(1 - gamma)": 2}
    assert clustering_success(trials.assign(spread=1.3)).set_index("criterion")["successes"].to_dict()["C = spread/(1 - gamma)"] == 3
