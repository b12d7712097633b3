"""Steps, energies, minimisation and the flow, against literal transcriptions, rationals, closed forms and SciPy."""

import inspect
import itertools
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from hardmax.attention import hardmax_weights
from hardmax.definiteness import positive_definite, positive_semidefinite
from hardmax.dynamics import Hardmax, frank_wolfe_schedule, simulate
from hardmax.errors import InputError
from hardmax.exact import floats, hardmax_step, rationals
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.descent import _trajectory
from hardmax.frank_wolfe.energies import descent_bound, energy, frank_wolfe_gap
from hardmax.frank_wolfe.minimisation import minimise_by_program, minimise_by_tokens
from hardmax.frank_wolfe.ode import flow_by_steps, flow_with_events
from hardmax.frank_wolfe.trajectories import remaining, straight_lines, trajectories
from hardmax.geometry import distances_to_hull
from hardmax.geometry.hulls import diameter
from hardmax.geometry.nearness import least_norm_squared

small = st.integers(-3, 3)


def literal(x, B, gamma):
    """(SA_inf) word by word."""
    after = []
    for token in x:
        scores = [float(B @ token @ y) for y in x]
        best = [y for y, score in zip(x, scores, strict=True) if score == max(scores)]
        after.append(token + gamma * (np.mean(best, axis=0) - token))
    return np.array(after)


def test_trajectories_are_the_literal_steps():
    rng = np.random.default_rng(1)
    tokens, B, gamma = rng.normal(size=(5, 6, 3)), rng.normal(size=(5, 4, 3, 3)), rng.uniform(size=(5, 4))
    run = trajectories(tokens, B, gamma)
    for cloud in range(5):
        x = tokens[cloud]
        for t in range(4):
            x = literal(x, B[cloud, t], gamma[cloud, t])
            np.testing.assert_allclose(run.tokens[cloud, t + 1], x, atol=1e-12)
    assert not run.tied.any()


def test_trajectories_are_those_of_the_dynamics_module():
    rng = np.random.default_rng(2)
    tokens, B = rng.normal(size=(3, 7, 2)), rng.normal(size=(2, 2))
    run = trajectories(tokens, np.broadcast_to(B, (3, 1, 2, 2)), np.full((3, 10), 0.3)).tokens
    kept = simulate(tokens, Hardmax(0.3, torch.from_numpy(B)), 10).numpy()
    np.testing.assert_allclose(run, kept.swapaxes(0, 1), atol=1e-13)


def test_the_descent_is_that_of_the_dynamics_module():
    rng = np.random.default_rng(12)
    tokens, first = rng.normal(size=(6, 3)), np.diag([3.0, 2.0, 1.0])
    for decay, last in ((1.0, first), (0.5, np.eye(3))):
        run, tied = _trajectory(tokens, np.stack([first, last]), decay, 12)
        rule = Hardmax(frank_wolfe_schedule, lambda t, last=last, decay=decay: torch.from_numpy(-(last + decay**t * (first - last))))
        np.testing.assert_allclose(run, simulate(tokens, rule, 12).numpy(), atol=1e-13)
        assert not tied.any()


def test_a_step_of_size_one_takes_the_mean_by_hardmax_weights():
    rng = np.random.default_rng(13)
    tokens = np.round(rng.normal(size=(20, 9, 2)))
    B = np.broadcast_to(np.eye(2), (20, 1, 2, 2))
    run = trajectories(tokens, B, np.ones((20, 1)))
    x = torch.from_numpy(tokens)
    assert run.tied.any()
    np.testing.assert_allclose(run.tokens[:, 1], (hardmax_weights(x) @ x).numpy(), atol=1e-14)


@given(st.lists(st.tuples(small, small), min_size=1, max_size=6), st.lists(small, min_size=4, max_size=4))
def test_ties_of_whole_numbers_are_exact(points, entries):
    tokens, B = np.array(points, dtype=float), np.array(entries, dtype=float).reshape(2, 2)
    run = trajectories(tokens[None], B[None, None], np.full((1, 1), 0.5))
    expected = hardmax_step(rationals(tokens), 0.5, rationals(B))
    np.testing.assert_allclose(run.tokens[0, 1], floats(expected), atol=1e-15)
    assert run.tied[0, 0] == exact.has_tie(rationals(tokens), rationals(B))


def test_step_size_one_lands_on_the_followed_token():
    rng = np.random.default_rng(3)
    tokens = rng.normal(size=(1, 8, 4))
    run = trajectories(tokens, -np.eye(4)[None, None], np.ones((1, 1)))
    np.testing.assert_array_equal(run.tokens[0, 1], tokens[0][run.followed[0, 0]])


@pytest.mark.parametrize(
    "change, message",
    [
        ({"gamma": np.full((1, 2), 1.5)}, "step sizes in"),
        ({"gamma": np.full((2, 2), 0.5)}, "gamma: expected shape"),
        ({"B": np.zeros((1, 1, 3, 3))}, "B: expected shape"),
        ({"tokens": np.full((1, 3, 2), np.nan)}, "finite"),
    ],
)
def test_trajectories_name_what_is_wrong(change, message):
    arguments = {"tokens": np.zeros((1, 3, 2)), "B": np.zeros((1, 1, 2, 2)), "gamma": np.zeros((1, 2))} | change
    with pytest.raises(InputError, match=message):
        inspect.unwrap(trajectories)(**arguments)


def test_hulls_are_nested():
    rng = np.random.default_rng(4)
    run = trajectories(rng.normal(size=(1, 6, 3)), rng.normal(size=(1, 5, 3, 3)), rng.uniform(size=(1, 5))).tokens[0]
    for before, after in itertools.pairwise(run):
        assert distances_to_hull(before, after).max() < 1e-9


def test_energy_gap_and_diameter_by_hand():
    B = np.array([[2.0, 0.0], [0.0, 4.0]])
    x = np.array([[1.0, 1.0], [0.0, -1.0]])
    np.testing.assert_allclose(energy(B, x), [3.0, 2.0])
    np.testing.assert_allclose(frank_wolfe_gap(x @ B, x), [10.0, 8.0])
    assert diameter(x) == pytest.approx(np.sqrt(5))
    np.testing.assert_allclose(descent_bound(3, 2.0, 3.0), [36.0, 18.0, 12.0])


def test_gap_vanishes_at_the_minimiser():
    x = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    assert frank_wolfe_gap(x, x)[2] == pytest.approx(0.0, abs=1e-15)


@settings(max_examples=25)
@given(st.lists(st.tuples(small, small, small), min_size=1, max_size=7), st.tuples(small, small, small))
def test_a_token_solves_the_linear_program(points, direction):
    tokens, gradient = np.array(points, dtype=float), np.array(direction, dtype=float)
    assert minimise_by_program(gradient, tokens) == pytest.approx(float(minimise_by_tokens(gradient, tokens)), abs=1e-9)


def test_linear_program_checks_shapes():
    with pytest.raises(InputError, match="gradient: expected shape"):
        inspect.unwrap(minimise_by_program)(np.zeros(3), np.zeros((2, 2)))


def test_remaining_and_lines():
    gamma = np.array([0.5, 0.25])
    np.testing.assert_allclose(remaining(gamma), [1.0, 0.5, 0.375])
    np.testing.assert_allclose(straight_lines(np.array([[4.0]]), np.array([[0.0]]), remaining(gamma))[:, 0, 0], [4.0, 2.0, 1.5])


@pytest.mark.parametrize("inside", [True, False])
def test_least_norm_squared_brackets_the_projection(inside):
    rng = np.random.default_rng(6)
    for _ in range(20):
        points = rng.normal(size=(9, 3)) + (0.0 if inside else 2.5)
        low, high = least_norm_squared(points, 1e-12, 10_000)
        truth = distances_to_hull(points, np.zeros((1, 3)))[0] ** 2
        assert low - 1e-9 <= truth <= high + 1e-9 and high - low < 1e-6


def test_flow_without_events_is_the_closed_form():
    angles = 2 * np.pi * np.arange(5) / 5
    vertices = np.column_stack([np.cos(angles), np.sin(angles)])
    tokens = np.concatenate([vertices, 0.5 * vertices[:3] + 0.05])
    targets = vertices[(tokens @ vertices.T).argmax(axis=1)]
    times = np.linspace(0.0, 2.0, 11)
    closed = straight_lines(tokens, targets, np.exp(-times))
    flow = flow_with_events(tokens, np.eye(2), times)
    assert len(flow.events) == 0
    np.testing.assert_allclose(flow.tokens, closed, atol=1e-8)
    errors = [np.abs(flow_by_steps(tokens, np.eye(2), h, round(2 / h))[-1] - closed[-1]).max() for h in (0.1, 0.05, 0.025)]
    assert errors[0] > 1.8 * errors[1] > 3.2 * errors[2]


def test_flow_with_events_is_the_matrix_exponential_between_them():
    tokens = np.array([[0.3, -0.2], [0.8, 0.0], [-0.2, -0.7], [-0.6, 0.4], [0.6, -0.4]])
    B, times = np.array([[1.0, 2.0], [-2.0, -1.0]]), np.linspace(0.0, 3.0, 13)
    flow = flow_with_events(tokens, B, times)
    assert len(flow.events) >= 2
    ends = [0.0, *flow.events, np.inf]
    x = tokens
    for piece, followed in enumerate(flow.followed):
        generator = np.eye(5)[followed] - np.eye(5)
        inside = (times >= ends[piece]) & (times < ends[piece + 1])
        for time, found in zip(times[inside], flow.tokens[inside], strict=True):
            np.testing.assert_allclose(found, expm(generator * (time - ends[piece])) @ x, atol=1e-7)
        if piece < len(flow.events):
            x = expm(generator * (ends[piece + 1] - ends[piece])) @ x
            scores = (x @ B.T) @ x.T
            changed = np.flatnonzero(followed != flow.followed[piece + 1])
            for token in changed:
                assert scores[token, followed[token]] == pytest.approx(scores[token, flow.followed[piece + 1][token]], abs=1e-6)


@pytest.mark.parametrize("times", [np.array([1.0, 0.5]), np.array([-1.0])])
def test_flow_checks_times(times):
    with pytest.raises(InputError, match="increasing times"):
        flow_with_events(np.eye(2), np.eye(2), times)


def test_flow_does_not_start_on_a_face():
    with pytest.raises(InputError, match="one on a face"):
        flow_with_events(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]), np.diag([1.0, 0.0]), np.array([1.0]))


@given(st.lists(st.lists(small, min_size=3, max_size=3), min_size=3, max_size=3))
def test_definiteness_agrees_with_eigenvalues(rows):
    square = np.array(rows, dtype=float)
    symmetric = (square + square.T).astype(int)
    exactly = [[Fraction(int(entry)) for entry in row] for row in symmetric]
    least = np.linalg.eigvalsh(symmetric)[0]
    if abs(least) > 1e-9:
        assert positive_definite(exactly) == (least > 0) == positive_semidefinite(exactly)
    bound = exact.largest_eigenvalue_bound(exactly)
    assert 0 <= float(bound) - np.linalg.eigvalsh(symmetric)[-1] + 1e-12 <= 3e-6
