"""Followed sets, leaders and weights against a literal transcription in exact rationals."""

import inspect
import resource
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from hardmax import attention
from hardmax.attention import follow, followed_sets, hardmax_weights, leaders, queries, scores, softmax_weights
from hardmax.errors import InputError


def literal_sets(x: torch.Tensor, B: torch.Tensor | None, multiplicity: torch.Tensor | None) -> np.ndarray:
    """The definition, token by token, with queries as computed and inner products in rationals."""
    tokens = [[Fraction(float(c)) for c in row] for row in x]
    asked = [[Fraction(float(c)) for c in row] for row in queries(x, B)]
    present = [True] * len(tokens) if multiplicity is None else [bool(m > 0) for m in multiplicity]
    sets = np.zeros((len(tokens), len(tokens)), dtype=bool)
    for i, q in enumerate(asked):
        if not present[i]:
            sets[i, i] = True
            continue
        products = [sum(a * b for a, b in zip(q, z, strict=True)) for z in tokens]
        best = max(p for p, here in zip(products, present, strict=True) if here)
        sets[i] = [here and p == best for p, here in zip(products, present, strict=True)]
    return sets


def cloud(rng: np.random.Generator, tokens: int, dim: int, kind: str) -> torch.Tensor:
    """Clouds that are random, on a small lattice (ties), repeated, mirrored, flat or within rounding of one another."""
    x = rng.standard_normal((tokens, dim))
    if kind == "lattice":
        x = np.round(1.3 * x)
    elif kind == "repeated":
        x = x[rng.integers(0, max(1, tokens // 3), tokens)]
    elif kind == "mirrored":
        x[tokens // 2 :] = x[: tokens - tokens // 2] * rng.choice([-1.0, 1.0], dim)
    elif kind == "flat":
        x = np.round(2 * rng.standard_normal((tokens, 1))) * np.round(2 * rng.standard_normal(dim)) + 0.1
    elif kind == "merging":
        x = x[rng.integers(0, max(1, tokens // 4), tokens)]
        x = x * (1 + 2.0**-52 * rng.integers(-2, 3, x.shape))
    elif kind == "zero":
        x[rng.random(tokens) < 0.5] = 0.0
    return torch.from_numpy(x)


KINDS = ("random", "lattice", "repeated", "mirrored", "flat", "merging", "zero")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [1, 2, 3, 7])
@pytest.mark.parametrize("general", [False, True])
def test_followed_sets_are_the_definition(kind: str, dim: int, general: bool) -> None:
    rng = np.random.default_rng(KINDS.index(kind) * 10 + dim)
    for tokens in (1, 2, 3, 9, 24):
        for dtype in (torch.float64, torch.float32):
            x = cloud(rng, tokens, dim, kind).to(dtype)
            B = torch.from_numpy(np.round(rng.standard_normal((dim, dim)), 1)).to(dtype) if general else None
            counts = torch.from_numpy(rng.integers(0, 3, tokens))
            for multiplicity in (None, counts, torch.zeros(tokens, dtype=torch.bool)):
                expected = literal_sets(x, B, multiplicity)
                assert np.array_equal(followed_sets(x, B, multiplicity).numpy(), expected)
                followed = follow(x, B, multiplicity)
                assert np.array_equal(followed.first.numpy(), expected.argmax(axis=1))
                weights = expected * np.where(multiplicity == 0, 1, multiplicity) if multiplicity is not None else expected * 1.0
                weights = weights / weights.sum(axis=1, keepdims=True)
                exact = weights @ x.double().numpy()
                assert np.allclose(followed.mean.numpy(), exact, atol=1e-6 if dtype == torch.float32 else 1e-13)
                assert np.allclose(hardmax_weights(x, B, multiplicity).numpy(), weights, atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [1, 2, 5])
def test_leaders_follow_only_themselves(kind: str, dim: int) -> None:
    rng = np.random.default_rng(dim)
    x = cloud(rng, 25, dim, kind)
    sets = literal_sets(x, None, None)
    expected = [all(bool((x[j] == x[i]).all()) for j in np.flatnonzero(sets[i])) for i in range(len(x))]
    assert leaders(x).tolist() == expected


def test_padding_and_repetition_by_multiplicity_change_nothing() -> None:
    rng = np.random.default_rng(3)
    for dim in (2, 4):
        distinct = torch.from_numpy(np.round(rng.standard_normal((12, dim)), 1))
        counts = torch.from_numpy(rng.integers(0, 4, 12))
        repeated = torch.repeat_interleave(distinct, counts, dim=0)
        whole = follow(repeated)
        short = follow(distinct, None, counts)
        present = counts > 0
        assert torch.allclose(whole.mean, torch.repeat_interleave(short.mean, counts, dim=0), atol=1e-14)
        assert torch.equal(short.mean[~present], distinct[~present])
        weights = softmax_weights(repeated, 2.0)
        short_weights = softmax_weights(distinct, 2.0, None, counts)
        assert torch.allclose(weights @ repeated, torch.repeat_interleave(short_weights @ distinct, counts, dim=0), atol=1e-13)
        assert torch.allclose(short_weights.sum(-1), torch.ones(12, dtype=torch.float64))


@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS), st.integers(1, 20), st.integers(1, 4))
def test_permutation_equivariance(seed: int, kind: str, tokens: int, dim: int) -> None:
    rng = np.random.default_rng(seed)
    x = cloud(rng, tokens, dim, kind)
    order = torch.from_numpy(rng.permutation(tokens))
    sets = followed_sets(x)
    assert torch.equal(followed_sets(x[order]), sets[order][:, order])
    assert torch.equal(leaders(x[order]), leaders(x)[order])
    assert torch.allclose(follow(x[order]).mean, follow(x).mean[order], atol=1e-14)


@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS), st.integers(-40, 40))
def test_scaling_by_powers_of_two_changes_no_choice(seed: int, kind: str, exponent: int) -> None:
    rng = np.random.default_rng(seed)
    x = cloud(rng, 14, 1 + seed % 4, kind)
    assert torch.equal(followed_sets(x * 2.0**exponent), followed_sets(x))


@pytest.mark.parametrize("dim", [1, 2, 5, 16])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_cloud_does_not_feel_its_batch(dim: int, dtype: torch.dtype) -> None:
    rng = np.random.default_rng(8)
    batch = torch.stack([cloud(rng, 40, dim, KINDS[k % len(KINDS)]) for k in range(21)]).to(dtype)
    B = torch.from_numpy(rng.standard_normal((dim, dim))).to(dtype)
    whole = follow(batch, B)
    for size in (1, 2, 8):
        for part in range(0, 21, size):
            piece = follow(batch[part : part + size], B)
            for name in ("mean", "first", "tied"):
                assert torch.equal(getattr(piece, name), getattr(whole, name)[part : part + size])


def test_blocks_of_scores_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(9)
    batch = torch.stack([cloud(rng, 33, 3, kind) for kind in KINDS])
    counts = torch.from_numpy(rng.integers(0, 3, (len(KINDS), 33)))
    whole = follow(batch, None, counts)
    for block in (1, 50, 33 * 33, 3000):
        monkeypatch.setitem(attention._BLOCK, "cpu", block)
        assert all(torch.equal(a, b) for a, b in zip(follow(batch, None, counts), whole, strict=True))


def test_a_hundred_thousand_tokens_in_the_plane_take_little_memory() -> None:
    """An array of 100,000 x 100,000 would take 10 GB even of bytes; one step adds well under 1 GB to the process's peak."""
    x = torch.from_numpy(np.random.default_rng(0).standard_normal((100_000, 2)))
    follow(x[:10])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    followed = follow(x)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000
    vertices = ConvexHull(x.numpy()).vertices
    assert np.allclose((x * followed.mean).sum(-1).numpy(), (x.numpy() @ x.numpy()[vertices].T).max(axis=1))
    assert set(followed.first.tolist()) <= set(vertices.tolist())


def test_zero_token_and_zero_matrix_follow_all() -> None:
    x = torch.tensor([[0.0, 0.0], [1.0, 2.0], [-3.0, 1.0]], dtype=torch.float64)
    assert followed_sets(x)[0].all()
    assert torch.allclose(follow(x, torch.zeros(2, 2)).mean, x.mean(0).expand(3, 2))
    assert torch.allclose(softmax_weights(x, 5.0, torch.zeros(2, 2)), torch.full((3, 3), 1 / 3, dtype=torch.float64))


def test_softmax_tends_to_hardmax_and_to_the_formula() -> None:
    rng = np.random.default_rng(4)
    x = torch.from_numpy(rng.standard_normal((3, 10, 4)))
    B = torch.from_numpy(rng.standard_normal((4, 4)))
    assert torch.allclose(softmax_weights(x, 1e6, B), hardmax_weights(x, B), atol=1e-12)
    literal = np.exp(0.7 * np.einsum("bid,ed,bje->bij", x, B, x).transpose(0, 1, 2))
    expected = np.exp(0.7 * np.stack([[[z @ (B.numpy() @ y) for z in cloud] for y in cloud] for cloud in x.numpy()]))
    assert literal.shape == expected.shape
    assert np.allclose(softmax_weights(x, 0.7, B).numpy(), expected / expected.sum(-1, keepdims=True))
    assert np.allclose(scores(x, B).numpy(), np.log(expected) / 0.7)


def test_empty_clouds_and_batches() -> None:
    for shape in ((0, 5, 3), (4, 0, 3), (0, 0, 2)):
        x = torch.zeros(shape)
        assert follow(x).mean.shape == x.shape
        assert followed_sets(x).shape == (*shape[:2], shape[1])
        assert leaders(x).shape == shape[:2]


def test_gradient_of_an_untied_mean_is_that_of_its_token() -> None:
    x = torch.tensor([[2.0, 1.0, 0.5], [1.0, 0.0, 0.0], [-1.0, -2.0, 0.0]], dtype=torch.float64, requires_grad=True)
    follow(x).mean[1].sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, torch.tensor([[1.0] * 3, [0.0] * 3, [0.0] * 3], dtype=torch.float64))


@pytest.mark.parametrize(
    ("x", "B", "multiplicity", "words"),
    [
        (torch.ones(3, 2), torch.ones(3, 3), None, r"B: expected shape \(2, 2\), found \(3, 3\)"),
        (torch.tensor([[1.0, float("nan")]]), None, None, r"tokens: expected finite coordinates, found .* at token \[0\]"),
        (torch.ones(3, 2), None, torch.ones(2), r"multiplicity: expected shape \(3,\), found \(2,\)"),
        (torch.ones(3, 2), None, -torch.ones(3), "multiplicity: expected finite counts of at least 0, found -1.0"),
        (torch.ones(3, 0), None, None, "dim > 0"),
    ],
)
def test_bad_input_is_named(x: torch.Tensor, B: torch.Tensor | None, multiplicity: torch.Tensor | None, words: str) -> None:
    with pytest.raises(InputError, match=words):
        inspect.unwrap(follow)(x, B, multiplicity)


def test_negative_inverse_temperature_is_named() -> None:
    with pytest.raises(InputError, match="beta: expected"):
        softmax_weights(torch.ones(2, 2), -1.0)
