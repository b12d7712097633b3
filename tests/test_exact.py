"""The rational layer against hand-worked cases, and floating-point attention against the rational layer."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import fmpq

from hardmax import attention, dynamics, exact
from hardmax.errors import InputError


def test_a_square_with_its_centre_worked_by_hand() -> None:
    x = exact.rationals([[1, 1], [-1, 1], [-1, -1], [1, -1], [0, 0], [Fraction(1, 2), 0]])
    sets = exact.followed_sets(x)
    assert sets == [[0], [1], [2], [3], [0, 1, 2, 3, 4, 5], [0, 3]]
    assert exact.leaders(x, sets) == [0, 1, 2, 3]
    moved = exact.leader_averaging(x, "1/2")
    assert moved[:4] == x[:4]
    assert moved[4] == [fmpq(1, 36), fmpq(0)]
    assert moved[5] == [fmpq(2, 3), fmpq(0)]


def test_coinciding_tokens_lead_together() -> None:
    x = exact.rationals([[2, 0], [2, 0], [1, 0]])
    sets = exact.followed_sets(x)
    assert exact.leaders(x, sets) == [0, 1]
    assert exact.hardmax_step(x, 1)[2] == [fmpq(2), fmpq(0)]


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_floating_point_agrees_on_lattices(dim: int) -> None:
    rng = np.random.default_rng(dim)
    for _ in range(20):
        x = rng.integers(-2, 3, (9, dim)).astype(float)
        B = rng.integers(-2, 3, (dim, dim)).astype(float)
        rows, matrix = exact.rationals(x), exact.rationals(B)
        sets = exact.followed_sets(rows, matrix)
        dense = attention.followed_sets(torch.from_numpy(x), torch.from_numpy(B)).numpy()
        assert [np.flatnonzero(row).tolist() for row in dense] == sets
        lead = attention.leaders(torch.from_numpy(x), torch.from_numpy(B)).numpy()
        assert np.flatnonzero(lead).tolist() == exact.leaders(rows, sets)
        stepped = dynamics.Hardmax(0.25, torch.from_numpy(B))(torch.from_numpy(x), 0).numpy()
        assert np.allclose(stepped, exact.floats(exact.hardmax_step(rows, 0.25, matrix)), atol=1e-15)


def test_trajectories_agree_while_ties_last() -> None:
    x = np.array([[2.0, 1.0], [-2.0, 1.0], [2.0, -1.0], [-2.0, -1.0], [0.0, 0.5], [0.5, 0.0], [0.0, 0.0]])
    rows = exact.rationals(x)
    tokens = torch.from_numpy(x)
    rule = dynamics.leader_averaging(1.0)
    for t in range(12):
        rows, tokens = exact.leader_averaging(rows, 1), rule(tokens, t)
        assert np.allclose(tokens.numpy(), exact.floats(rows), atol=1e-14)


def test_bad_numbers_are_named() -> None:
    with pytest.raises(InputError, match="nan"):
        exact.rationals([[float("nan")]])
    with pytest.raises(InputError, match=r"one length, found \[1, 2\]"):
        exact.rationals([[1], [1, 2]])
    with pytest.raises(InputError, match="alpha: expected a positive number"):
        exact.leader_averaging(exact.rationals([[1]]), 0)
