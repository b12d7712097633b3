"""Streams depend on root, name and labels alone, and look independent."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from hardmax.errors import InputError
from hardmax.randomness import seed_of, stream


def test_the_same_name_gives_the_same_draws_whatever_came_between() -> None:
    first = stream(7, "rule", beta=2, sample="a").standard_normal(50)
    stream(7, "other").standard_normal(1000)
    again = stream(7, "rule", sample="a", beta=2).standard_normal(50)
    assert np.array_equal(first, again)


def test_draws_are_those_recorded() -> None:
    """Literal values: a change of the scheme would change every published number."""
    assert stream(0, "rule", beta=2).integers(0, 2**32, 3).tolist() == [1638322506, 2973949656, 4128703055]
    assert seed_of(0, "rule", beta=2) == 1970765745773557082


@given(st.integers(0, 2**64 - 1), st.text(max_size=12), st.text(max_size=12))
def test_names_and_labels_part_streams(root: int, name: str, other: str) -> None:
    draws = stream(root, name).integers(0, 2**63, 4).tolist()
    if name != other:
        assert stream(root, other).integers(0, 2**63, 4).tolist() != draws
    assert stream(root, name, label=other).integers(0, 2**63, 4).tolist() != draws


def test_root_seeds_part_streams_and_seeds_fit_63_bits() -> None:
    seeds = [seed_of(root, "rule", k=k) for root in range(20) for k in range(20)]
    assert len(set(seeds)) == 400
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_neighbouring_streams_are_uniform_and_uncorrelated() -> None:
    """400 streams of 100 draws. Kolmogorov-Smirnov at 1e-6; the largest of 45 correlations of 4,000 draws beyond 6 sigma has probability 1e-7."""
    draws = np.array([stream(1, "rule", k=k).random(100) for k in range(400)])
    assert kstest(draws.ravel(), "uniform").pvalue > 1e-6
    groups = draws.reshape(10, 4000)
    largest = max(abs(np.corrcoef(a, b)[0, 1]) for a, b in itertools.combinations(groups, 2))
    assert largest < 6 / np.sqrt(4000)


@pytest.mark.parametrize("root", [-1, 2**64, True])
def test_a_wrong_root_seed_is_named(root: int) -> None:
    with pytest.raises(InputError, match=r"seed: expected an integer from 0 to 2\*\*64 - 1, found"):
        stream(root, "rule")
