"""Intervals against the textbook: quantiles of the beta distribution, and scipy's interval of a mean."""

import numpy as np
import pytest
from scipy import stats

from hardmax.intervals import clopper_pearson, mean_interval


def test_clopper_pearson_is_quantiles_of_the_beta_distribution() -> None:
    low, high = clopper_pearson(3, 20, 0.95)
    assert low == pytest.approx(stats.beta.ppf(0.025, 3, 18)) and high == pytest.approx(stats.beta.ppf(0.975, 4, 17))


def test_mean_interval_is_student_s() -> None:
    values = np.array([1.0, 2.0, 4.0, 8.0])
    expected = stats.t.interval(0.95, 3, loc=values.mean(), scale=stats.sem(values))
    assert mean_interval(values) == pytest.approx((values.mean(), *expected))
    assert np.isnan(mean_interval(values[:1])[1:]).all()
