"""Hypotheses, constants and the admissible region."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardmax.errors import InputError
from hardmax.geometry.hulls import diameter
from hardmax.metastability import METASTABILITY, check_setup
from hardmax.metastability.polytopes import crowd, polytope, regular_polygon, regular_simplex, score_gap
from hardmax.metastability.region import admissible_region, deepest, inside, sample
from hardmax.metastability.setup import vertex_failures


@pytest.mark.parametrize("k", [2, 3, 4, 6, 9])
def test_regular_simplex_in_closed_form(k):
    vertices = regular_simplex(k, 2.0)
    scores = vertices @ vertices.T
    assert np.allclose(scores[~np.eye(k, dtype=bool)], -4 / (k - 1)) and np.allclose(np.diag(scores), 4)
    assert score_gap(vertices) == pytest.approx(4 * k / (k - 1))
    assert diameter(vertices) == pytest.approx(math.sqrt(2 * score_gap(vertices)))
    assert vertex_failures(vertices) == {}


@pytest.mark.parametrize("k", [4, 5, 7, 12])
def test_polygons_have_no_acute_cones(k):
    assert list(vertex_failures(regular_polygon(k))) == ["acute"]


def test_each_failure_is_named():
    vertices = regular_simplex(3)
    x0, groups = crowd(vertices, 2, 0.1)
    good = check_setup(x0, groups, beta=10, gamma=0.1, epsilon=0.35)
    assert good.failing(METASTABILITY) == [] and list(good.failures) == ["depth"]
    assert good.tau == pytest.approx(0.9 * 0.1) and good.reach == pytest.approx(1.5 / (2 * math.sqrt(3)))
    assert "ratio" in check_setup(x0, groups, beta=10, gamma=0.1, epsilon=0.34).failures
    assert "identity" in check_setup(x0, groups, beta=10, gamma=0.1, B=2 * np.eye(2)).failures
    assert "norms" in check_setup(x0 + 0.1, groups, beta=10, gamma=0.1).failures
    assert "near" in check_setup(*crowd(vertices, 2, 0.5), beta=10, gamma=0.1).failures
    assert "vertices" in check_setup(x0[::-1].copy(), np.array([0, 0, 1, 1, 2, 2]), beta=10, gamma=0.1).failures
    assert "gap" in check_setup(np.array([[1.0], [2.0]]), np.array([0, 1]), beta=10, gamma=0.1).failures


def test_admissible_region_of_the_unit_triangle_appears_near_440():
    vertices = regular_simplex(3)
    assert deepest(*admissible_region(vertices, 0, 435))[1] < 0 < deepest(*admissible_region(vertices, 0, 445))[1]


@given(st.integers(2, 5), st.floats(4, 12), st.integers(0, 10**6))
def test_region_against_its_definition(k, decades, seed):
    """x is admissible exactly if every point of the ball about it satisfies the inequalities of I_i and lies in K."""
    beta = 10.0**decades
    vertices, rng = regular_simplex(k), np.random.default_rng(seed)
    region = admissible_region(vertices, 0, beta)
    x = rng.dirichlet(np.ones(k)) @ vertices
    directions = rng.standard_normal((400, k - 1))
    ball = x + beta**-0.25 * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    weights = np.linalg.solve(np.vstack([vertices.T, np.ones(k)]), np.vstack([ball.T, np.ones(400)]))
    scores = ball @ vertices.T
    holds = bool((weights >= 0).all() and (scores[:, :1] - scores[:, 1:] >= beta ** (-1 / 8)).all())
    if inside(x[None], *region)[0]:
        assert holds
    elif holds:
        # 400 directions may miss the one that fails: then only just.
        A, b = region
        assert (A @ x - b).max() < 0.9 * beta**-0.25


def test_sample_stays_in_the_region_and_spreads():
    region = admissible_region(regular_simplex(4), 1, 1e8)
    points = sample(*region, 100, np.random.default_rng(0))
    assert inside(points, *region).all() and diameter(points) > 0.3
    assert sample(*admissible_region(regular_simplex(4), 1, 10.0), 3, np.random.default_rng(0)) is None


def test_flat_polytopes_have_no_region():
    flat = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert admissible_region(flat, 0, 1e9) is None


@pytest.mark.parametrize("shape", ["simplex", "cube8", "simplex1", "polygon2"])
def test_unknown_shapes_are_named(shape):
    with pytest.raises(InputError):
        polytope(shape)
