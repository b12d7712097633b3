"""Distance to the hull, against the projection and closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardmax.geometry.nearness import beyond
from hardmax.geometry.projections import project_onto_hull


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_agrees_with_projection(dim):
    rng = np.random.default_rng(dim)
    for trial in range(150):
        hull = rng.normal(size=(int(rng.integers(1, 9)), dim))
        if trial % 3 == 0:
            hull = np.round(hull)
        hull[-1] = hull[0]
        point = 2 * rng.normal(size=dim)
        distance = project_onto_hull(hull, point).distance
        if distance > 1e-9:
            assert beyond(point, hull, distance * (1 - 1e-7))
            assert not beyond(point, hull, distance * (1 + 1e-7))


@given(st.integers(-5, 5), st.integers(-5, 5), st.floats(0.01, 10))
def test_square_in_closed_form(x, y, epsilon):
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]])
    distance = np.hypot(max(-x, 0, x - 1), max(-y, 0, y - 1))
    if abs(distance - epsilon) > 1e-9:
        assert beyond(np.array([x, y], float), square, epsilon) == (distance > epsilon)


def test_inside_is_never_beyond():
    rng = np.random.default_rng(0)
    for dim in (2, 4):
        hull = rng.normal(size=(12, dim))
        for weights in rng.dirichlet(np.ones(12), 100):
            assert not beyond(weights @ hull, hull, 1e-6)
