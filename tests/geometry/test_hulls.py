"""Hull vertices and the plane's exposed faces against linear programming, Qhull and the definition in exact signs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from hardmax.errors import InputError
from hardmax.geometry import affine_coordinates, exposed_face, hull_vertices
from hardmax.geometry.exposed import exposed_means
from hardmax.geometry.sorting import sorted_places

KINDS = ("random", "lattice", "vertical", "line", "single", "circle", "repeated")


def plane_cloud(rng: np.random.Generator, tokens: int, kind: str) -> np.ndarray:
    x = rng.standard_normal((tokens, 2))
    if kind == "lattice":
        x = np.round(1.5 * x)
    elif kind == "vertical":
        x[:, 0] = 1.0
    elif kind == "line":
        x = np.round(3 * x[:, :1]) * np.array([2.0, -3.0]) + 1
    elif kind == "single":
        x[:] = x[0]
    elif kind == "circle":
        x /= np.linalg.norm(x, axis=1)[:, None]
    elif kind == "repeated":
        x = x[rng.integers(0, (tokens + 1) // 2, tokens)]
    return x


def in_hull(points: np.ndarray, target: np.ndarray) -> bool:
    if len(points) == 0:
        return False
    slack = 1e-11
    constraints = np.vstack([points.T, -points.T])
    bounds = np.concatenate([target + slack, slack - target])
    return bool(linprog(np.zeros(len(points)), constraints, bounds, np.ones((1, len(points))), [1.0], method="highs").success)


@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS), st.integers(1, 60))
def test_every_query_in_the_plane_exposes_the_face_of_the_definition(seed: int, kind: str, tokens: int) -> None:
    rng = np.random.default_rng(seed)
    x = plane_cloud(rng, tokens, kind)
    weights = rng.integers(0, 3, tokens).astype(float)
    weights[rng.integers(tokens)] = 1.0
    queries = np.concatenate([rng.standard_normal((5, 2)), np.round(rng.standard_normal((8, 2))), x[:6]])
    means, first, tied = exposed_means(x, weights, queries)
    present = np.flatnonzero(weights)
    for query, mean, lowest, tie in zip(queries, means, first, tied, strict=True):
        face = present[exposed_face(x[present], query)]
        assert lowest == face[0]
        assert tie == (len(np.unique(x[face], axis=0)) > 1)
        assert np.allclose(mean, np.average(x[face], axis=0, weights=weights[face]), atol=1e-14)
        assert tie or np.array_equal(mean, x[lowest])


@pytest.mark.parametrize(("kind", "tokens"), [("random", 3000), ("circle", 1500), ("circle", 6000), ("lattice", 3000)])
def test_large_clouds_are_followed_by_the_definition(kind: str, tokens: int) -> None:
    """Small hulls and many queries, large hulls, and hulls large enough that queries are sorted by angle."""
    rng = np.random.default_rng(tokens)
    x = plane_cloud(rng, tokens, kind)
    queries = np.concatenate([rng.standard_normal((2500, 2)), x[:20], np.zeros((1, 2))])
    means, first, tied = exposed_means(x, np.ones(tokens), queries)
    for row in range(0, len(queries), 11):
        face = exposed_face(x, queries[row])
        assert first[row] == face[0] and tied[row] == (len(np.unique(x[face], axis=0)) > 1)
        assert np.allclose(means[row], x[face].mean(axis=0), atol=1e-12)
    best = (queries @ x.T).max(axis=1)
    assert np.allclose(np.einsum("id,id->i", queries, means), best, atol=1e-12)


@pytest.mark.parametrize("kind", [*KINDS, "piled", "huge", "tiny"])
@pytest.mark.parametrize("tokens", [1, 2, 17, 1000])
def test_places_are_sorted_by_coordinates_then_index(kind: str, tokens: int) -> None:
    """Drawers of one token, of a few, and of nearly all; ranges that overflow and that underflow."""
    rng = np.random.default_rng(tokens)
    x = plane_cloud(rng, tokens, kind)
    if kind == "piled":
        x = np.round(10 * x)
        x[0, 0] = 1e9
    elif kind in ("huge", "tiny"):
        x = np.clip(x, -3, 3) * (5e307 if kind == "huge" else 5e-324)
    chosen = np.flatnonzero(rng.random(tokens) < 0.9) if tokens > 2 else np.arange(tokens)
    order = chosen.copy()
    places = sorted_places(x, order)
    assert np.array_equal(order, chosen[np.lexsort((x[chosen, 1], x[chosen, 0]))])
    assert places.tobytes() == x[order].tobytes()


@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS), st.integers(1, 40))
def test_vertices_in_the_plane_turn_left_and_hold_all(seed: int, kind: str, tokens: int) -> None:
    x = plane_cloud(np.random.default_rng(seed), tokens, kind)
    chosen = hull_vertices(x)
    corners = x[chosen]
    assert len(np.unique(corners, axis=0)) == len(corners)
    edges = np.roll(corners, -1, axis=0) - corners
    if len(corners) > 2:
        turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
        assert (turns > 0).all()
        sides = edges[:, None, 0] * (x[None, :, 1] - corners[:, None, 1]) - edges[:, None, 1] * (x[None, :, 0] - corners[:, None, 0])
        assert sides.min() > -1e-13
    assert all((x[index] != x[:index]).any(axis=1).all() for index in chosen)


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
@pytest.mark.parametrize("rank", [0, 1, 2, 3, 4])
def test_vertices_are_those_no_others_can_represent(dim: int, rank: int) -> None:
    rng = np.random.default_rng(10 * dim + rank)
    for _ in range(3):
        x = rng.standard_normal((14, rank)) @ rng.standard_normal((rank, dim)) + rng.standard_normal(dim)
        x[9:] = x[rng.integers(0, 9, 5)]
        distinct = np.unique(x, axis=0)
        expected = [p for i, p in enumerate(distinct) if not in_hull(np.delete(distinct, i, axis=0), p)]
        found = x[hull_vertices(x)]
        if rank == 0 or rank >= dim or dim > 2:
            assert {tuple(p) for p in found} == {tuple(p) for p in expected} or rank == 0
        assert all(in_hull(found, p) for p in x)


def test_large_clouds_agree_with_qhull() -> None:
    x = np.random.default_rng(3).standard_normal((20_000, 2))
    assert sorted(hull_vertices(x)) == sorted(ConvexHull(x).vertices)


def test_affine_coordinates_keep_distances() -> None:
    rng = np.random.default_rng(4)
    x = rng.standard_normal((9, 2)) @ rng.standard_normal((2, 6)) + 5.0
    flat = affine_coordinates(x)
    assert flat.shape == (9, 2)
    assert np.allclose(np.linalg.norm(flat[:, None] - flat, axis=-1), np.linalg.norm(x[:, None] - x, axis=-1))


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (np.zeros((0, 2)), r"expected a nonempty array \(points, dim\), found shape \(0, 2\)"),
        (np.array([[0.0, 1.0], [np.nan, 2.0]]), r"finite coordinates, found \[nan, 2.0\] in row 1"),
    ],
)
def test_bad_points_are_named(points: np.ndarray, words: str) -> None:
    with pytest.raises(InputError, match=words):
        hull_vertices(points)
