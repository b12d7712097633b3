"""The compiled layers against dense torch, against a literal transcription, and at the edges of their input."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hardmax.dynamics import Softmax, leader_averaging, simulate, step_size
from hardmax.sentiment import kernel
from hardmax.sentiment.layers import dense_softmax, hardmax_layers, sparse_softmax

COUNTS = st.lists(st.lists(st.integers(1, 40), min_size=1, max_size=12), min_size=1, max_size=3)


def _ragged(counts):
    count = torch.tensor([c for review in counts for c in review])
    return count, torch.tensor(np.concatenate([[0], np.cumsum([len(review) for review in counts])]))


def _both(tokens, counts, alpha, temperature, depth, seed=0):
    """Outputs and gradients of a random linear functional, sparse and dense on repeated tokens."""
    count, start = _ragged(counts)
    found = []
    for sparse in (True, False):
        x, a = tokens.clone().requires_grad_(), torch.tensor(alpha, dtype=tokens.dtype, requires_grad=True)
        if sparse:
            z = sparse_softmax(x, a, count, start, temperature, depth)
        else:
            parts = []
            for b in range(len(counts)):
                piece, times = x[start[b] : start[b + 1]], count[start[b] : start[b + 1]]
                first = torch.cumsum(times, 0) - times
                parts.append(dense_softmax(piece.repeat_interleave(times, 0), a, temperature, depth)[first])
            z = torch.cat(parts)
        weight = torch.from_numpy(np.random.default_rng(seed).normal(size=tuple(z.shape))).to(z.dtype)
        (z * weight).sum().backward()
        found.append((z.detach(), x.grad, a.grad))
    return found


def _assert_equal(tokens, counts, alpha, temperature, depth, relative, least=1e-30):
    """Equal to `relative` of the largest entry, or of `least` where all entries cancel."""
    sparse, dense = _both(tokens, counts, alpha, temperature, depth)
    for s, d in zip(sparse, dense, strict=True):
        assert (s - d).abs().max() <= relative * d.abs().max().clamp(min=least)


@pytest.mark.parametrize("dim", [1, 2, 3, 4, 7, 16])
@pytest.mark.parametrize("temperature", [1e-3, 1e-2, 1.0])
def test_equals_dense_softmax_in_float64(dim, temperature):
    rng = np.random.default_rng([dim, int(1 / temperature)])
    tokens = torch.from_numpy(rng.normal(size=(60, dim)))
    counts = [rng.integers(1, 5, n).tolist() for n in (1, 29, 30)]
    _assert_equal(tokens, counts, 0.7, temperature, 8, 1e-8)


def test_equals_the_softmax_of_the_dynamics_module():
    rng = np.random.default_rng(8)
    tokens, count = torch.from_numpy(rng.normal(size=(2, 25, 3))), torch.from_numpy(rng.integers(1, 5, (2, 25)))
    start = torch.tensor([0, 25, 50])
    for temperature in (0.05, 1.0):
        run = sparse_softmax(tokens.reshape(50, 3), torch.tensor(0.7, dtype=torch.float64), count.ravel(), start, temperature, 6)
        rule = Softmax(step_size(0.7), 1 / temperature)
        expected = simulate(tokens, rule, 6, multiplicity=count, keep="last")[0]
        np.testing.assert_allclose(run.reshape(2, 25, 3), expected, rtol=0, atol=1e-10)


def test_equals_dense_softmax_with_much_padding_and_a_negative_step():
    rng = np.random.default_rng(5)
    tokens = torch.from_numpy(rng.normal(size=(22, 2)))
    _assert_equal(tokens, [[100, *[1] * 10], [117, *[1] * 10]], 1.3, 1e-3, 8, 1e-8)
    _assert_equal(tokens, [[100, *[1] * 10], [117, *[1] * 10]], -0.2, 1e-3, 8, 1e-8)


def test_float32_input_is_computed_in_float64():
    rng = np.random.default_rng(6)
    tokens = torch.from_numpy(rng.normal(size=(40, 4))).float()
    sparse32, _ = _both(tokens, [[1] * 20, [2] * 20], 0.7, 1e-3, 8)
    sparse64, dense64 = _both(tokens.double(), [[1] * 20, [2] * 20], float(np.float32(0.7)), 1e-3, 8)
    for s, exact, dense in zip(sparse32, sparse64, dense64, strict=True):
        assert s.dtype == torch.float32
        assert (s - exact).abs().max() <= 1e-6 * exact.abs().max()
        assert (s - dense).abs().max() <= 1e-6 * dense.abs().max()


@settings(max_examples=60)
@given(COUNTS, st.integers(1, 5), st.sampled_from([1e-3, 0.05, 2.0]), st.integers(0, 2**31))
def test_ties_duplicates_and_zero_vectors(counts, dim, temperature, seed):
    rng = np.random.default_rng(seed)
    tokens = torch.from_numpy(rng.integers(-1, 2, size=(sum(map(len, counts)), dim)).astype(float))
    _assert_equal(tokens, counts, 0.5, temperature, 3, 1e-8, least=1e-2)


def test_a_large_temperature_keeps_every_weight():
    """More nonzero weights than the room first given."""
    tokens = torch.from_numpy(np.random.default_rng(7).normal(size=(90, 3)))
    _assert_equal(tokens, [[1] * 90], 0.5, 100.0, 2, 1e-8)


def test_gradients_pass_torchs_own_check():
    rng = np.random.default_rng(8)
    tokens = torch.from_numpy(rng.normal(size=(9, 3))).requires_grad_()
    alpha = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
    count, start = torch.tensor([1, 3, 1, 2, 1, 1, 5, 1, 1]), torch.tensor([0, 4, 9])
    assert torch.autograd.gradcheck(lambda x, a: sparse_softmax(x, a, count, start, 0.3, 3), (tokens, alpha))


def test_multiplicities_sum_to_the_repeated_tokens_gradient():
    """A token of multiplicity 3 is three equal tokens: their gradients sum to its own."""
    rng = np.random.default_rng(9)
    tokens = torch.from_numpy(rng.normal(size=(5, 2)))
    once, dense = _both(tokens, [[3, 1, 1, 2, 1]], 0.6, 0.01, 4)
    torch.testing.assert_close(once[1], dense[1], rtol=1e-9, atol=1e-12)


@settings(max_examples=40)
@given(COUNTS, st.integers(1, 5), st.sampled_from([1e-3, 0.05, 2.0]), st.integers(0, 2**31))
def test_dense_layers_on_padded_reviews_equal_the_compiled_ones(counts, dim, temperature, seed):
    """Outputs and gradients, with counts as logarithms and places of count 0 that nobody follows, whatever stands there."""
    rng = np.random.default_rng(seed)
    count, start = _ragged(counts)
    longest = max(map(len, counts))
    padded = torch.tensor([review + [0] * (longest - len(review)) for review in counts])
    values = torch.from_numpy(rng.normal(size=(*padded.shape, dim)))
    weight = torch.from_numpy(rng.normal(size=(len(count), dim)))
    found = []
    for dense in (True, False):
        x, a = values.clone().requires_grad_(), torch.tensor(0.6, dtype=torch.float64, requires_grad=True)
        if dense:
            z = dense_softmax(x, a, temperature, 4, padded)[padded > 0]
        else:
            z = sparse_softmax(x[padded > 0], a, count, start, temperature, 4)
        (z * weight).sum().backward()
        found.append((z.detach(), x.grad, a.grad))
    for d, s in zip(*found, strict=True):
        assert (d - s).abs().max() <= 1e-8 * s.abs().max().clamp(min=1e-2)


def test_reviews_do_not_see_each_other():
    rng = np.random.default_rng(10)
    tokens = torch.from_numpy(rng.normal(size=(30, 3)))
    count, start = torch.ones(30, dtype=torch.int64), torch.tensor([0, 11, 30])
    together = sparse_softmax(tokens, torch.tensor(0.5), count, start, 1e-3, 8)
    alone = sparse_softmax(tokens[11:], torch.tensor(0.5), count[11:], start[1:] - 11, 1e-3, 8)
    assert torch.equal(together[11:], alone)


def _literal_hardmax(x, count, alpha, depth):
    """One layer after the other, one token after the other, as written in the paper; repeated tokens counted."""
    states, leads = [x], []
    for layer in range(depth + 1):
        x = states[-1]
        following = [[j for j in range(len(x)) if x[i] @ x[j] == max(x[i] @ x[k] for k in range(len(x)))] for i in range(len(x))]
        leads.append([all((x[j] == x[i]).all() for j in following[i]) for i in range(len(x))])
        if layer < depth:
            means = [sum(count[j] * x[j] for j in f) / sum(count[j] for j in f) for f in following]
            states.append(np.array([(x[i] + alpha * means[i]) / (1 + alpha) for i in range(len(x))]))
    return np.array(states), np.array(leads)


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_hardmax_layers_are_the_papers(dim):
    rng = np.random.default_rng(dim)
    sizes, tokens = (1, 8, 20), rng.normal(size=(29, dim))
    count, start = torch.from_numpy(rng.integers(1, 4, 29)), torch.tensor([0, 1, 9, 29])
    run = hardmax_layers(torch.from_numpy(tokens), 0.8, count, start, 5)
    for b, n in enumerate(sizes):
        part = slice(int(start[b]), int(start[b]) + n)
        states, leads = _literal_hardmax(tokens[part], count[part].numpy(), 0.8, 5)
        np.testing.assert_allclose(run.states[:, part], states, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(run.leads[:, part], leads)


def test_hardmax_layers_are_those_of_the_exact_rule():
    rng = np.random.default_rng(4)
    tokens, count = rng.normal(size=(2, 25, 3)), rng.integers(1, 5, (2, 25))
    run = hardmax_layers(torch.from_numpy(tokens.reshape(50, 3)), 0.7, torch.from_numpy(count.ravel()), torch.tensor([0, 25, 50]), 8)
    exact = simulate(torch.from_numpy(tokens), leader_averaging(0.7), 8, multiplicity=torch.from_numpy(count), keep="last")[0]
    np.testing.assert_allclose(run.states[-1].reshape(2, 25, 3), exact, rtol=0, atol=1e-12)


def test_hardmax_averages_ties_and_leaders_stay():
    tokens = torch.tensor([[1.0, 1.0], [1.0, -1.0], [0.5, 0.0]], dtype=torch.float64)
    run = hardmax_layers(tokens, 1.0, torch.tensor([1, 3, 1]), torch.tensor([0, 3]), 1)
    assert run.leads[0].tolist() == [True, True, False]
    assert run.followed[0].tolist() == [0, 1, 0]
    np.testing.assert_array_equal(run.states[1], [[1, 1], [1, -1], [0.75, -0.25]])


def test_softmax_tends_to_hardmax():
    rng = np.random.default_rng(11)
    tokens = torch.from_numpy(rng.normal(size=(20, 3)))
    count, start = torch.ones(20, dtype=torch.int64), torch.tensor([0, 20])
    soft = sparse_softmax(tokens, torch.tensor(0.5), count, start, 1e-7, 8)
    np.testing.assert_allclose(soft.numpy(), hardmax_layers(tokens, 0.5, count, start, 8).states[-1], atol=1e-9)


def test_the_layers_never_see_an_n_by_n_array():
    """The kernels' own arrays: nothing grows with the square of a review."""
    tokens = torch.from_numpy(np.random.default_rng(12).normal(size=(4000, 2)))
    states = np.empty((3, 4000, 2))
    states[0] = tokens.numpy()
    rows, column, weight = np.empty((2, 4000, 2), np.int64), np.empty(1, np.int64), np.empty(1)
    needed = kernel.softmax_forward(states, np.zeros(4000), np.array([0, 4000]), 0.5, 1e-3, rows, column, weight)
    assert 8000 <= needed < 0.1 * 2 * 4000**2


@settings(max_examples=60)
@given(st.integers(1, 16), st.sampled_from([0.05, 1.0, 6.0]), st.sampled_from([0.0, 0.1, 1.0, 3.0]), st.integers(0, 2**31))
def test_settled_rows_stay_those_of_the_dense_softmax(dim, scale, alpha, seed):
    """Many layers, long and short tokens: rows that are not computed again keep the weights they would get."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, int(rng.integers(2, 40))).tolist()
    tokens = torch.from_numpy(scale * rng.normal(size=(len(counts), dim)) * rng.choice([0.3, 1.0], (len(counts), 1)))
    _assert_equal(tokens, [counts], alpha, 1e-3, 12, 1e-8, least=1e-2)
