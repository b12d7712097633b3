"""The compiled shortcut against the layers written out, bit for bit, and against the search for a token that leaves its leader."""

import numpy as np
import pytest
import torch

from hardmax.attention import follow, leaders
from hardmax.dynamics import Hardmax, simulate, step_size
from hardmax.errors import InputError
from hardmax.settling import settle

KINDS = ("random", "lattice", "repeated", "zero", "crowded")


def clouds(rng: np.random.Generator, count: int, tokens: int, dim: int) -> np.ndarray:
    batch = rng.standard_normal((count, tokens, dim))
    for index in range(count):
        kind = KINDS[index % len(KINDS)]
        if kind == "lattice":
            batch[index] = np.round(1.5 * batch[index])
        elif kind == "repeated":
            batch[index] = batch[index, rng.integers(0, max(1, tokens // 2), tokens)]
        elif kind == "zero":
            batch[index, rng.random(tokens) < 0.3] = 0.0
        elif kind == "crowded":
            batch[index] = 0.2 * batch[index] + rng.standard_normal(dim)
    return batch


@pytest.mark.parametrize("dim", [1, 2, 3, 4, 7, 16])
@pytest.mark.parametrize("general", [False, True])
def test_layers_agree_bit_for_bit(dim: int, general: bool) -> None:
    rng = np.random.default_rng(dim)
    for tokens in (1, 2, 5, 40):
        x = clouds(rng, 25, tokens, dim)
        factor = rng.standard_normal((dim, dim))
        A = factor @ factor.T + 0.3 * np.eye(dim) if general else None
        A = (A + A.T) / 2 if A is not None else None
        matrix = None if A is None else torch.from_numpy(A)
        counts = rng.integers(0, 4, (25, tokens)).astype(float)
        counts[:3] = 0.0
        layers = 9
        run = simulate(x, Hardmax(step_size(0.6), matrix), layers, multiplicity=counts)
        settled = settle(x, 0.6, layers, A, counts)
        assert np.array_equal(settled.tokens, run[-1].numpy())
        present = torch.from_numpy(counts)
        last = follow(run[-2], matrix, present)
        assert np.array_equal(settled.follows, last.first.numpy())
        for t in range(layers):
            lead = leaders(run[t], matrix, present).numpy()
            assert np.array_equal(lead, (settled.leads_from >= 0) & (settled.leads_from <= t))
            followed = follow(run[t], matrix, present)
            single = ~followed.tied.numpy() & np.take_along_axis(lead, followed.first.numpy(), axis=1)
            assert np.array_equal(single & (counts > 0), (settled.settles_at >= 0) & (settled.settles_at <= t))


def test_no_layers_and_no_clouds() -> None:
    x = np.random.default_rng(0).standard_normal((3, 4, 2))
    settled = settle(x, 1.0, 0)
    assert np.array_equal(settled.tokens, x)
    assert (settled.leads_from == -1).all()
    assert settle(np.zeros((0, 4, 2)), 1.0, 3).tokens.shape == (0, 4, 2)
    assert settle(np.zeros((2, 0, 2)), 1.0, 3).tokens.shape == (2, 0, 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((np.zeros((1, 2, 2)), 0.0, 1), "alpha: expected a positive finite number, found 0.0"),
        ((np.zeros((1, 2, 2)), 1.0, -1), "layers: expected an integer of at least 0, found -1"),
        ((np.full((1, 2, 2), np.inf), 1.0, 1), "tokens: expected finite coordinates"),
        ((np.zeros((1, 2, 2)), 1.0, 1, np.array([[1.0, 2.0], [0.0, 1.0]])), "A: expected a symmetric matrix"),
        ((np.zeros((1, 2, 2)), 1.0, 1, -np.eye(2)), "A: expected a positive definite matrix, found least eigenvalue -1"),
        ((np.zeros((1, 2, 2)), 1.0, 1, None, -np.ones((1, 2))), "counts: expected shape .* found .* least -1"),
    ],
)
def test_bad_input_is_named(arguments: tuple, words: str) -> None:
    with pytest.raises(InputError, match=words):
        settle(*arguments)
