"""Bounds against probabilities of paths and simulation; survival statistics against closed forms; the statements' verdicts."""

import json
import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from hardmax.claims.verdict import falsification_verdict
from hardmax.falsify import falsify, reverify
from hardmax.metastability import exit_times
from hardmax.metastability.bounds import exit_log_bound, jumps_to_exit, log_outside_weight, paper_log_bound, paper_rate, score_margin
from hardmax.metastability.comparison import both_methods, comparison
from hardmax.metastability.exit_times import chain_inputs
from hardmax.metastability.paths import exit_path, hardmax_picks
from hardmax.metastability.polytopes import crowd, regular_simplex
from hardmax.metastability.statements import STATEMENTS
from hardmax.metastability.survival import enough_replicas, growth_rate, median_interval, survival_curve
from hardmax.metastability.sweep import exits_at, medians, rates, survival_curves, sweep_points


def test_paper_bound_is_constant_along_its_rate():
    at = [paper_log_bound(math.exp(beta * paper_rate(1.5, 3.5)), tokens=6, beta=beta, c0=1.5, ratio=3.5) for beta in (10.0, 40.0)]
    assert at[0] == pytest.approx(at[1])


@pytest.mark.parametrize(("epsilon", "gamma", "diameter"), [(0.35, 0.1, 1.7), (0.5, 1 / 16, 4.0), (0.9, 0.5, 1.0), (0.2, 0.05, 2.0)])
def test_jumps_to_exit_by_counting(epsilon, gamma, diameter):
    k, distance = 0, 0.0
    while distance <= epsilon:
        k, distance = k + 1, (1 - gamma) * distance + gamma * diameter
    assert jumps_to_exit(epsilon, gamma, diameter) == k
    assert math.isinf(jumps_to_exit(diameter, gamma, diameter))


def test_amended_bound_against_simulation():
    x0, groups = crowd(regular_simplex(3), 2, 0.02)
    table = exit_times(x0, groups, beta=7.0, gamma=0.02, epsilon=0.07, replicas=400, seed=1)
    at = np.array([3.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e5])
    bound = exit_log_bound(
        at, sizes=np.bincount(groups), beta=7.0, gamma=0.02, epsilon=0.07, c0=1.5, diameter=math.sqrt(3), radius=1.0, start=0.02
    )
    share = np.array([(table["exit_time"] <= t).mean() for t in at])
    assert bound[0] < 0 and (share <= np.exp(np.minimum(bound, 0)) + 5 / math.sqrt(400)).all()
    assert (
        exit_log_bound(
            2.0, sizes=np.bincount(groups), beta=7.0, gamma=0.02, epsilon=0.07, c0=1.5, diameter=math.sqrt(3), radius=1.0, start=0.02
        )
        == -math.inf
    )


def test_score_margin_bounds_every_configuration():
    rng = np.random.default_rng(0)
    for k in (2, 3, 4):
        vertices = regular_simplex(k, 1.5)
        c0, extent = 2.25 * k / (k - 1), float(np.linalg.norm(vertices[0] - vertices[1]))
        for _ in range(200):
            distance = rng.uniform(0, 0.3)
            away = rng.standard_normal((k, k - 1))
            x = vertices + distance * away / np.linalg.norm(away, axis=1, keepdims=True)
            scores = x @ x.T
            gaps = np.diag(scores)[:, None] - scores
            assert gaps[~np.eye(k, dtype=bool)].min() >= score_margin(c0, extent, 1.5, distance) - 1e-12


def test_outside_weight_by_hand():
    x, groups = np.array([[1.0], [0.5], [-1.0]]), np.array([0, 0, 1])
    weights = np.exp(2.0 * x @ x.T)
    expected = np.log((weights * (groups[:, None] != groups)).sum(axis=1) / weights.sum(axis=1))
    assert np.allclose(log_outside_weight(x, groups, 2.0), expected)
    assert np.isneginf(log_outside_weight(x, np.zeros(3, int), 2.0)).all()


def test_path_probability_is_below_the_probability_of_leaving():
    """Two tokens on a line leave at the third jump at the earliest: the path is one of those that leave, and its
    probability is compared with the sum over all 2^(2 * 3) pick sequences."""
    x0, groups = np.array([[2.0], [-2.0]]), np.array([0, 1])
    beta, gamma, epsilon = 0.2, 1 / 16, 0.5
    log_probability, steps = exit_path(chain_inputs(x0, groups, beta, gamma, None, epsilon), epsilon, 10)
    assert steps == 3
    total = 0.0
    for sequence in product(product((0, 1), repeat=2), repeat=3):
        x, probability, out = x0, 1.0, False
        for picks in sequence:
            weights = np.exp(beta * x @ x.T)
            weights /= weights.sum(axis=1, keepdims=True)
            probability *= weights[0, picks[0]] * weights[1, picks[1]]
            x = x + gamma * (x[list(picks)] - x)
            out |= bool((np.abs(x - x0) > epsilon).any())
        total += probability * out
    assert 0 < math.exp(log_probability) <= total
    table = exit_times(x0, groups, beta=beta, gamma=gamma, epsilon=epsilon, replicas=20000, seed=0, method="steps", max_time=3)
    assert abs((~table["censored"]).mean() - total) < 5 * math.sqrt(total / 20000)


def test_hardmax_picks_move_straight():
    x0, groups = crowd(regular_simplex(3), 2, 0.5)
    probability, end = hardmax_picks(x0, groups, 1e4, 0.2, 5)
    assert probability == pytest.approx(1.0) and np.allclose(end, x0 + (1 - 0.8**5) * (regular_simplex(3)[groups] - x0))


@pytest.mark.parametrize("count", [6, 11, 50, 101, 400])
def test_median_interval_has_its_level(count):
    _, low, high = median_interval(np.arange(1.0, count + 1))
    rank = int(low)
    assert high == count + 1 - rank
    assert 1 - 2 * binom.cdf(rank - 1, count, 0.5) >= 0.95 > 1 - 2 * binom.cdf(rank, count, 0.5)
    assert median_interval(np.arange(1.0, 5.0))[2] == math.inf


def test_survival_curve_covers_the_truth_and_treats_censoring():
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(200):
        times, limits = rng.exponential(size=100), rng.exponential(2.0, size=100)
        curve = survival_curve(np.minimum(times, limits), times > limits, np.array([0.7]))
        covered += bool(curve["low"][0] <= math.exp(-0.7) <= curve["high"][0])
    assert covered >= binom.ppf(1e-4, 200, 0.95)
    whole = survival_curve(np.full(10, 5.0), np.ones(10, bool), np.array([1.0, 4.0]))
    assert (whole["survival"] == 1).all() and np.allclose(whole["low"], 0.025 ** (1 / 10))


def test_growth_rate_recovers_a_slope():
    rng = np.random.default_rng(1)
    beta = np.array([4.0, 8.0, 12.0])
    samples = [np.exp(1.3 * b) * rng.exponential(size=400) for b in beta]
    slope, low, high = growth_rate(beta, samples, rng, 500)
    assert low < slope < high and low < 1.3 < high and high - low < 0.1


def test_replicas_come_from_the_wanted_width():
    def draw(count):
        return pd.DataFrame({"exit_time": np.random.default_rng(0).exponential(size=5000)[:count]})

    wide, narrow = (len(enough_replicas(draw, width, 50, 5000)) for width in (0.3, 0.1))
    assert 50 <= wide < narrow < 5000
    assert len(enough_replicas(draw, 0.001, 50, 600)) == 600


def test_sweep_from_points_to_rates():
    grid = {"shape": ["simplex3"], "tokens": [2], "gamma": [0.1], "ratio": [3.5], "beta": [8, 12]}
    points = sweep_points([grid, grid | {"beta": [12]}])
    assert list(points) == ["simplex3-n2-g0.1-r3.5-b8", "simplex3-n2-g0.1-r3.5-b12"]
    exits = pd.concat(
        [exits_at(1, point=point, spread=0.1, width=0.3, pilot=60, most=100, max_time=1e300) for point in points.values()],
        ignore_index=True,
    )
    assert medians(exits, 0.1)["holds"].all()
    rate = rates(exits, np.random.default_rng(0), fit_from=5.0, resamples=200).iloc[0]
    assert rate["low"] <= rate["slope"] <= rate["high"] and 1.1 < rate["slope"] < 1.6
    curves = survival_curves(exits, 0.1, 20)
    assert (curves["low"] <= curves["survival"]).all() and (curves["survival"] <= curves["high"]).all()
    assert (curves["high"] >= curves["amended_bound"] - 1e-9).all()


def test_comparison_sees_a_wrong_law():
    arguments = {"shape": "simplex3", "tokens": 2, "spread": 0.1, "gamma": 0.1, "ratio": 3.5, "beta": [3.0], "replicas": 400}
    exits = both_methods({"events": 1, "steps": 2}, **arguments)
    assert not comparison(exits, 1e-4)["rejected"].any()
    exits.loc[exits["method"] == "events", "exit_time"] *= 1.5
    assert comparison(exits, 1e-4).set_index("quantity").loc["exit_time", "rejected"]


VERDICTS = {"MS-1": "supported", "MS-2": "amended", "MS-3": "amended", "MS-4": "amended", "MS-5": "supported"}


@pytest.mark.parametrize(("claim", "verdict"), VERDICTS.items())
def test_statements_find_what_is_false_as_written(claim, verdict):
    table = falsify(STATEMENTS[claim], np.random.default_rng(7), 10 if claim in ("MS-1", "MS-5") else 24)
    found = falsification_verdict(table)
    assert found.verdict == verdict
    for text in table["counterexample"].dropna():
        assert reverify(STATEMENTS[claim], json.loads(text))


def test_smallest_counterexample_to_the_bound_on_exit_times():
    """Two tokens at -2 and 2: three jumps leave, with probability about exp(-3 beta c0), where the bound says exp(-4 beta c0) to the power that log n and log t
    leave; checked here from the formulas alone, in logarithms."""
    beta, c0, ratio, gamma, epsilon = 20.0, 8.0, 8.0, 1 / 16, 0.5
    place, log_probability = 2.0, 0.0
    for _ in range(3):
        log_probability += -np.logaddexp(0.0, beta * (place * place + 2 * place)) - np.logaddexp(0.0, -beta * (2 * place + 4.0))
        place += gamma * (-2.0 - place)
    assert 2.0 - place > epsilon
    assert log_probability > paper_log_bound(4, tokens=2, beta=beta, c0=c0, ratio=ratio) + 200


def test_amended_bound_is_its_formula():
    """sum_a C(s, k) (n_a (n - n_a) exp(-beta g))^k with g written out, by whole binomial coefficients; huge s too."""
    sizes, beta, gamma, epsilon = np.array([1, 2, 4]), 3.0, 0.1, 0.3
    c0, extent, radius, start = 1.5, 1.7, 1.0, 0.05
    assert score_margin(c0, extent, radius, 0.35) == pytest.approx(1.5 - 0.35 * 3.7 - 0.35**2 / 4)
    k = int(jumps_to_exit(epsilon, gamma, extent))
    g = c0 - 0.35 * (extent + 2 * radius) - 0.35**2 / 4
    for steps in (k, 7, 1000, 10**8, 10**12):
        expected = math.log(math.comb(steps, k) * sum((n * (7 - n)) ** k for n in (1, 2, 4))) - k * beta * g
        arguments = {"sizes": sizes, "beta": beta, "gamma": gamma, "epsilon": epsilon, "c0": c0, "diameter": extent, "radius": radius}
        assert exit_log_bound(steps, **arguments, start=start) == pytest.approx(expected, rel=1e-7)
    assert k > 1 and np.isneginf(exit_log_bound(k - 1, **arguments, start=start))


def test_path_probability_is_the_product_of_all_picks():
    """The path is followed literally: the token that gives most weight away jumps, all others make their likeliest pick."""
    x, groups = np.array([[2.0, 0.0], [-1.0, 1.7], [-1.0, -1.8], [1.8, 0.1]]), np.array([0, 1, 2, 0])
    beta, gamma, epsilon = 0.4, 0.1, 0.5
    log_probability, steps = exit_path(chain_inputs(x, groups, beta, gamma, None, epsilon), epsilon, 20)
    expected, leaver = 0.0, None
    for _ in range(steps):
        weights = [[math.exp(beta * (a @ b)) for b in x] for a in x]
        weights = [[w / sum(row) for w in row] for row in weights]
        foreign = [[w if groups[i] != groups[j] else 0.0 for j, w in enumerate(row)] for i, row in enumerate(weights)]
        leaver = int(np.argmax([max(row) for row in foreign])) if leaver is None else leaver
        picks = [int(np.argmax(foreign[i] if i == leaver else weights[i])) for i in range(4)]
        expected += sum(math.log(weights[i][pick]) for i, pick in enumerate(picks))
        x = np.array([x[i] + gamma * (x[pick] - x[i]) for i, pick in enumerate(picks)])
    assert steps > 1 and log_probability == pytest.approx(expected)


def test_holms_correction_is_the_textbooks():
    """p of rank i (from 0) becomes the largest (m - j) p_j over ranks j up to i, at most 1; in these samples that largest one is an earlier one."""
    earlier = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        frames = [
            pd.DataFrame(
                {
                    "beta": b,
                    "method": method,
                    "exit_time": rng.normal(0.25 * (method == "steps"), 1, 60),
                    "events": rng.normal(0.3 * (method == "steps"), 1, 60),
                }
            )
            for b in (1.0, 2.0)
            for method in ("events", "steps")
        ]
        table = comparison(pd.concat(frames), 0.05)
        p, m = sorted(table["p"]), len(table)
        holm = {value: min(1.0, max((m - j) * p[j] for j in range(i + 1))) for i, value in enumerate(p)}
        assert m == 4 and table["p_holm"].tolist() == pytest.approx([holm[value] for value in table["p"]])
        assert (table["rejected"] == (table["p_holm"] < 0.05)).all()
        earlier += any(holm[value] > (m - i) * value for i, value in enumerate(p))
    assert earlier > 0
