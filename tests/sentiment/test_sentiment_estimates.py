"""Intervals that cover what they claim to."""

import numpy as np
import pytest
from scipy.stats import beta

from hardmax.sentiment.estimates import mean, ratio, share


def test_share_is_clopper_and_pearsons():
    found = share(7, 20)
    assert found.value == 0.35
    assert found.low == pytest.approx(beta.ppf(0.025, 7, 14)) and found.high == pytest.approx(beta.ppf(0.975, 8, 13))
    assert (share(0, 5).low, share(5, 5).high) == (0.0, 1.0)


def test_ratio_covers_a_share_of_tokens_that_cluster_in_reviews():
    """Each review has its own rate: an interval that took tokens as independent would cover far less. Binomial bound: 4 sigma below 95 %."""
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(1000):
        whole = rng.integers(1, 30, 300)
        part = rng.binomial(whole, rng.beta(0.6, 1.4, 300))
        found = ratio(part, whole)
        covered += found.low <= 0.3 <= found.high
    assert covered / 1000 > 0.95 - 4 * np.sqrt(0.95 * 0.05 / 1000)


def test_ratio_of_nothing_and_of_one_review_knows_nothing():
    assert ratio(np.array([0]), np.array([0])).low == 0.0
    assert ratio(np.array([1]), np.array([2])) == (0.5, 0.0, 1.0)


def test_mean_covers():
    rng = np.random.default_rng(1)
    covered = sum(found.low <= 1.0 <= found.high for found in (mean(rng.exponential(size=400)) for _ in range(1000)))
    assert covered / 1000 > 0.93 - 4 * np.sqrt(0.95 * 0.05 / 1000)
