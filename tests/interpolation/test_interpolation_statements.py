"""The statements are searched, their counterexamples verify themselves, and the ridge formulas are right."""

import json
from fractions import Fraction

import numpy as np
import pytest

from hardmax.falsify import AS_WRITTEN, falsify, reverify
from hardmax.interpolation.ridge import exact_least_loss, least_loss
from hardmax.interpolation.statements import STATEMENTS, confusable, normalised
from hardmax.randomness import stream


@pytest.mark.parametrize("claim", ["IN-1", "IN-2", "IN-3", "IN-6"])
def test_refuted_as_written_and_amended(claim: str) -> None:
    table = falsify(STATEMENTS[claim], stream(1, claim), 40)
    written = table["variant"] == AS_WRITTEN
    assert table.loc[written, "violations"].sum() > 0
    assert table.loc[~written, "violations"].sum() == 0 and table.loc[~written, "met"].sum() > 30
    counterexample = json.loads(table.loc[written, "counterexample"].dropna().item())
    assert counterexample["exact"] and reverify(STATEMENTS[claim], counterexample)
    changed = counterexample | {"left": counterexample["right"]}
    assert not reverify(STATEMENTS[claim], changed)


@pytest.mark.parametrize("claim", ["IN-4", "IN-5", "IN-7"])
def test_standing(claim: str) -> None:
    table = falsify(STATEMENTS[claim], stream(1, claim), 40)
    assert table["violations"].sum() == 0 and table["met"].sum() > 30


def test_sequences_that_cannot_be_told_apart() -> None:
    assert normalised([[1, 2], [0, 0]]) == normalised([[0, 0], [1, 2], [0, 0], [1, 2]]) != normalised([[1, 2], [0, 0], [0, 0]])
    assert confusable([[[1]], [[1], [1]], [[2]]], [[[0]], [[1]], [[1]]]) == 1
    assert confusable([[[1]], [[1], [1]]], [[[0], [1]], [[1], [0], [1]]]) == 0


def test_least_loss_is_that_of_the_minimiser() -> None:
    """Against the minimiser found by solving the normal equations of each row, and against rationals."""
    rng = np.random.default_rng(0)
    tokens, teacher = rng.integers(-4, 5, size=(5, 3)).astype(float), rng.integers(-4, 5, size=(3, 3)).astype(float)
    for epsilon in (Fraction(1, 7), Fraction(5)):
        stacked = np.concatenate([tokens / np.sqrt(5), np.sqrt(float(epsilon)) * np.eye(3)])
        goals = np.concatenate([tokens @ teacher.T / np.sqrt(5), np.zeros((3, 3))])
        V = np.linalg.lstsq(stacked, goals, rcond=None)[0].T
        loss = np.square(tokens @ (V - teacher).T).sum() / 5
        assert least_loss(tokens[None], teacher[None], np.array([float(epsilon)]))[0] == pytest.approx(loss, rel=1e-9)
        assert float(exact_least_loss(tokens.tolist(), teacher.tolist(), epsilon)) == pytest.approx(loss, rel=1e-9)
