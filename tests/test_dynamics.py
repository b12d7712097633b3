"""Update rules against the papers' formulas written out token by token, and what every layer must keep."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import chisquare

from hardmax.attention import leaders
from hardmax.dynamics import (
    Hardmax,
    MarkovChain,
    Softmax,
    frank_wolfe_schedule,
    leader_averaging,
    simulate,
    step_size,
)
from hardmax.errors import InputError
from hardmax.randomness import stream


def literal_layer(z: np.ndarray, alpha: float, A: np.ndarray) -> np.ndarray:
    """z_i <- (z_i + alpha * mean of the tokens of largest score)/(1 + alpha), near-equal scores taken for ties."""
    moved = np.empty_like(z)
    for i in range(len(z)):
        products = np.array([z[i] @ A @ other for other in z])
        followed = z[products >= products.max() - 1e-12 * (1 + abs(products).max())]
        moved[i] = (z[i] + alpha * followed.mean(axis=0)) / (1 + alpha)
    return moved


def positive(rng: np.random.Generator, dim: int) -> np.ndarray:
    factor = rng.standard_normal((dim, dim))
    return factor @ factor.T + 0.2 * np.eye(dim)


def tokens(rng: np.random.Generator, count: int, dim: int, kind: str) -> np.ndarray:
    x = rng.standard_normal((count, dim))
    if kind == "tied":
        x = np.round(2 * x)
    if kind == "duplicated":
        x = x[rng.integers(0, (count + 1) // 2, count)]
    if kind == "zero":
        x[: count // 2] = 0.0
    return x


@pytest.mark.parametrize("kind", ["random", "tied", "duplicated", "zero"])
@pytest.mark.parametrize(("count", "dim"), [(1, 1), (1, 3), (2, 1), (7, 1), (12, 2), (9, 3), (15, 6)])
def test_leader_averaging_is_the_formula(kind: str, count: int, dim: int) -> None:
    rng = np.random.default_rng(count + dim)
    batch = np.stack([tokens(rng, count, dim, kind) for _ in range(5)])
    A = np.eye(dim) if kind == "tied" else positive(rng, dim)
    expected = batch
    for _ in range(3):
        expected = np.stack([literal_layer(z, 0.7, A) for z in expected])
    run = simulate(batch, leader_averaging(0.7, torch.from_numpy(A)), 3, keep="last")[0]
    assert np.allclose(run.numpy(), expected, atol=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 4), st.sampled_from(["random", "tied", "duplicated", "zero"]))
def test_permutations_commute_with_layers(seed: int, count: int, dim: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    x = torch.from_numpy(tokens(rng, count, dim, kind))
    order = torch.from_numpy(rng.permutation(count))
    rule = leader_averaging(1.0)
    assert torch.allclose(rule(x[order], 0), rule(x, 0)[order], atol=1e-14)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 4))
def test_a_symmetric_matrix_is_a_change_of_coordinates(seed: int, count: int, dim: int) -> None:
    rng = np.random.default_rng(seed)
    A = positive(rng, dim)
    values, axes = np.linalg.eigh(A)
    root = (axes * np.sqrt(values)) @ axes.T
    z = rng.standard_normal((count, dim))
    with_matrix = simulate(z, leader_averaging(0.5, torch.from_numpy(A)), 6).numpy()
    without = simulate(z @ root, leader_averaging(0.5), 6).numpy()
    assert np.allclose(with_matrix @ root, without, atol=1e-10)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("dim", [1, 2, 3, 8])
def test_leaders_never_move_bit_for_bit(dim: int, dtype: torch.dtype) -> None:
    rng = np.random.default_rng(dim)
    start = np.stack([tokens(rng, 30, dim, kind) for kind in ("random", "tied", "duplicated", "zero")] * 2)
    A = torch.from_numpy(positive(rng, dim)).to(dtype)
    for matrix in (None, A):
        run = simulate(start, leader_averaging(0.9, matrix), 120, dtype=dtype)
        leading = leaders(run[0], matrix)
        for before, after in itertools.pairwise(run):
            assert torch.equal(after[leading], before[leading])
            now = leaders(after, matrix)
            assert bool((now | ~leading).all()), "a leader lost its lead"
            leading = now


def test_every_token_of_largest_norm_leads_where_norms_are_exact() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        x = rng.integers(-3, 4, (10, 2)).astype(float)
        norms = (x**2).sum(axis=1)
        largest = norms == norms.max()
        if norms.max() > 0:
            assert leaders(torch.from_numpy(x)).numpy()[largest].all()


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_hulls_are_nested_by_linear_programming(dim: int) -> None:
    rng = np.random.default_rng(dim)
    for kind in ("random", "tied", "duplicated"):
        run = simulate(tokens(rng, 10, dim, kind), leader_averaging(2.0), 5).numpy()
        for outer, inner in itertools.pairwise(run):
            for point in inner:
                slack = 1e-12
                constraints = np.vstack([outer.T, -outer.T])
                bounds = np.concatenate([point + slack, slack - point])
                found = linprog(np.zeros(len(outer)), constraints, bounds, np.ones((1, len(outer))), [1.0], method="highs")
                assert found.success


@pytest.mark.parametrize("rule", [leader_averaging(0.8), Softmax(0.3, 4.0)])
@pytest.mark.parametrize("dim", [2, 5])
def test_runs_do_not_depend_on_batch_size(rule: object, dim: int) -> None:
    rng = np.random.default_rng(2)
    batch = np.stack([tokens(rng, 20, dim, kind) for kind in ("random", "tied", "duplicated", "zero")] * 3)
    whole = simulate(batch, rule, 10, keep="last")[0]
    for size in (1, 5):
        parts = torch.cat([simulate(batch[k : k + size], rule, 10, keep="last")[0] for k in range(0, 12, size)])
        if isinstance(rule, Hardmax):
            assert torch.equal(parts, whole)
        else:
            assert torch.allclose(parts, whole, atol=1e-13)


def test_frank_wolfe_minimises_over_the_hull() -> None:
    rng = np.random.default_rng(5)
    x = rng.standard_normal((12, 3))
    B_star = positive(rng, 3)
    rule = Hardmax(frank_wolfe_schedule, torch.from_numpy(-B_star))
    start = x
    for t in range(4):
        moved = rule(torch.from_numpy(x), t).numpy()
        gamma = 2 / (t + 2)
        for token, after in zip(x, moved, strict=True):
            gradient = B_star @ token
            vertex = x[np.argmin(x @ gradient)]
            assert np.allclose(after, token + gamma * (vertex - token), atol=1e-14)
        if t == 0:
            assert all(any(np.array_equal(after, token) for token in x) for after in moved)
        x = moved
    assert np.abs(x).max() <= np.abs(start).max() + 1e-12


def test_general_values_take_a_matrix_step() -> None:
    rng = np.random.default_rng(6)
    x = torch.from_numpy(rng.standard_normal((8, 3)))
    V = torch.diag(torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64))
    mean = Hardmax(1.0)(x, 0)
    expected = (x + mean @ V.T) @ torch.linalg.inv(torch.eye(3, dtype=torch.float64) + V).T
    step = torch.linalg.solve(torch.eye(3, dtype=torch.float64) + V, V)
    assert torch.allclose(Hardmax(step)(x, 0), expected, atol=1e-14)
    assert torch.allclose(Hardmax(torch.diagonal(step))(x, 0), expected, atol=1e-14)


def test_schedules_of_the_matrix_are_asked_by_layer() -> None:
    rng = np.random.default_rng(7)
    x = torch.from_numpy(rng.standard_normal((6, 2)))
    matrices = [torch.from_numpy(rng.standard_normal((2, 2))) for _ in range(3)]
    run = simulate(x, Hardmax(0.5, lambda t: matrices[t]), 3)
    for t in range(3):
        assert torch.equal(run[t + 1], Hardmax(0.5, matrices[t])(run[t], 0))


def test_softmax_is_the_formula() -> None:
    rng = np.random.default_rng(8)
    x = rng.standard_normal((7, 3))
    weights = np.exp(1.5 * x @ x.T)
    expected = 0.8 * x + 0.2 * (weights / weights.sum(axis=1, keepdims=True)) @ x
    assert np.allclose(Softmax(0.2, 1.5)(torch.from_numpy(x), 0).numpy(), expected, atol=1e-14)


def test_markov_chain_picks_by_the_softmax_weights() -> None:
    """Chi-square over 20,000 picks of each of 5 tokens: each p-value falls below 1e-6 with probability 1e-6."""
    rng = stream(0, "test_markov_chain")
    x = np.random.default_rng(9).standard_normal((5, 2))
    batch = torch.from_numpy(np.broadcast_to(x, (20_000, 5, 2)).copy())
    moved = MarkovChain(1.0, 0.8, rng)(batch, 0).numpy()
    picks = np.abs(moved[:, :, None] - x[None, None]).sum(-1).argmin(-1)
    weights = np.exp(0.8 * x @ x.T)
    weights /= weights.sum(axis=1, keepdims=True)
    for token in range(5):
        counts = np.bincount(picks[:, token], minlength=5)
        assert chisquare(counts, 20_000 * weights[token]).pvalue > 1e-6


def test_markov_chain_is_hardmax_at_large_inverse_temperature() -> None:
    rng = np.random.default_rng(10)
    x = torch.from_numpy(rng.standard_normal((4, 9, 3)))
    assert torch.equal(MarkovChain(0.4, 1e9, stream(0, "cold"))(x, 0), Hardmax(0.4)(x, 0))


def test_absent_tokens_stay_and_count_for_nothing() -> None:
    rng = np.random.default_rng(11)
    x = rng.standard_normal((3, 10, 2))
    mask = rng.random((3, 10)) < 0.6
    mask[:, 0] = True
    for rule in (leader_averaging(1.0), Softmax(0.5, 3.0), Hardmax(1.0)):
        run = simulate(x, rule, 4, multiplicity=mask, keep="last")[0].numpy()
        assert np.array_equal(run[~mask], x[~mask])
        for cloud in range(3):
            alone = simulate(x[cloud][mask[cloud]], rule, 4, keep="last")[0].numpy()
            assert np.allclose(run[cloud][mask[cloud]], alone, atol=1e-13)


def test_what_simulate_keeps() -> None:
    x = np.random.default_rng(12).standard_normal((6, 2))
    rule = leader_averaging(1.0)
    every = simulate(x, rule, 5)
    assert every.shape == (6, 6, 2)
    assert torch.equal(simulate(x, rule, 5, keep="last")[0], every[5])
    assert torch.equal(simulate(x, rule, 5, keep=[4, 0, 2]), every[[0, 2, 4]])
    seen: list[int] = []
    stopped = simulate(x, rule, 5, keep="last", callback=lambda t, _: seen.append(t) or t == 3)
    assert seen == [0, 1, 2, 3] and torch.equal(stopped[0], every[3])
    assert simulate(x, rule, 0).shape == (1, 6, 2)
    assert simulate(x, rule, 2, dtype=torch.float32).dtype == torch.float32


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: step_size(0.0), "alpha: expected a positive finite number, found 0.0"),
        (lambda: simulate(np.ones((2, 2)), leader_averaging(1.0), -1), "layers: expected"),
        (lambda: simulate(np.ones((2, 2)), leader_averaging(1.0), 3, keep="some"), "keep: expected 'all', 'last'"),
        (lambda: simulate(np.ones((2, 2)), leader_averaging(1.0), 3, keep=[4]), "keep: expected layer numbers from 0 to 3"),
        (lambda: simulate(np.ones((2, 2)), Hardmax(lambda t: 0.5 + t), 3), r"gamma: expected step sizes in \[0, 1\], found 1.5"),
        (
            lambda: MarkovChain(0.5, 1.0, stream(0, "x"))(torch.ones(2, 2), 0, torch.tensor([2, 1])),
            "multiplicity: expected a mask",
        ),
    ],
)
def test_bad_input_is_named(call: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()
