"""Projections by the variational inequality and against closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardmax.errors import InputError
from hardmax.geometry import distances_to_hull, project_onto_hull


def positive(rng: np.random.Generator, dim: int) -> np.ndarray:
    factor = rng.standard_normal((dim, dim))
    return factor @ factor.T + 0.1 * np.eye(dim)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 7), st.sampled_from(["random", "lattice", "repeated", "flat"]))
def test_the_variational_inequality_holds(seed: int, count: int, dim: int, kind: str) -> None:
    """p is the projection of t exactly when it is in the hull and <A (p - t), z - p> >= 0 for all z."""
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((count, dim))
    if kind == "lattice":
        points = np.round(2 * points)
    elif kind == "repeated":
        points = points[rng.integers(0, (count + 1) // 2, count)]
    elif kind == "flat":
        points[:, 0] = 1.0
    target = rng.standard_normal(dim) * rng.choice([0.0, 0.3, 3.0])
    A = positive(rng, dim)
    for matrix in (None, A):
        found = project_onto_hull(points, target, matrix)
        gradient = (np.eye(dim) if matrix is None else matrix) @ (found.point - target)
        assert (found.weights >= 0).all() and abs(found.weights.sum() - 1) < 1e-12
        assert np.allclose(found.weights @ points, found.point, atol=1e-12)
        assert ((points - found.point) @ gradient).min() > -1e-10 * (1 + np.abs(points).max() ** 2 * np.trace(A))
        assert np.isclose(found.distance**2, gradient @ (found.point - target), atol=1e-12)


def test_closed_forms() -> None:
    square = np.array([[1.0, 1.0], [1.0, 2.0], [3.0, 1.0], [3.0, 2.0]])
    assert np.allclose(project_onto_hull(square).point, [1, 1])
    assert np.allclose(project_onto_hull(square, np.array([2.0, 0.0])).point, [2, 1])
    assert np.allclose(project_onto_hull(square, np.array([2.0, 1.5])).point, [2, 1.5])
    simplex = np.eye(5)
    assert np.allclose(project_onto_hull(simplex).point, np.full(5, 0.2))
    assert np.isclose(project_onto_hull(simplex).distance, 1 / np.sqrt(5))
    weighted = project_onto_hull(simplex[:2, :2], A=np.diag([1.0, 3.0]))
    assert np.allclose(weighted.point, [0.75, 0.25])
    assert np.allclose(distances_to_hull(square, np.array([[0.0, 0.0], [2.0, 1.2], [5.0, 2.0]])), [np.sqrt(2), 0, 2], atol=1e-9)


@pytest.mark.parametrize(
    ("A", "words"),
    [
        (np.eye(3), r"A: expected shape \(2, 2\), found \(3, 3\)"),
        (np.array([[1.0, 1.0], [0.0, 1.0]]), "A: expected a symmetric matrix"),
        (np.diag([1.0, 0.0]), "A: expected a positive definite matrix, found least eigenvalue 0"),
    ],
)
def test_bad_matrices_are_named(A: np.ndarray, words: str) -> None:
    with pytest.raises(InputError, match=words):
        getattr(project_onto_hull, "__wrapped__", project_onto_hull)(np.ones((3, 2)), None, A)
