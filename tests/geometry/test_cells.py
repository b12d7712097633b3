"""Cells, Voronoi cells and neighbours, against definitions at points, areas and known polytopes."""

import inspect
import itertools
import time

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from hardmax.errors import InputError
from hardmax.geometry.cells import cell_members, dominance_cell, ownership, vertex_cells
from hardmax.geometry.neighbours import vertex_neighbours
from hardmax.geometry.polygons import area, convex_polygon, cut, plane_points
from hardmax.geometry.voronoi import voronoi_cells, voronoi_members

small = st.integers(-3, 3)
clouds = st.lists(st.tuples(small, small), min_size=1, max_size=7).map(lambda points: np.array(points, dtype=float))


def geometry(polygon):
    """A convex polygon as shapely sees it: a polygon, or a segment, a point or nothing where it is flat."""
    if area(polygon) > 0:
        return shapely.Polygon(polygon)
    return shapely.MultiPoint(polygon).convex_hull if len(polygon) else shapely.Polygon()


def circle(count, seed=0):
    angles = np.sort(np.random.default_rng(seed).uniform(0, 2 * np.pi, count))
    return np.column_stack([np.cos(angles), np.sin(angles)])


def definite(seed, dim=2):
    root = np.random.default_rng(seed).normal(size=(dim, dim))
    return root @ root.T + 0.1 * np.eye(dim)


@given(clouds, st.integers(0, 50))
def test_cells_fill_the_polytope(points, seed):
    parts = vertex_cells(points, definite(seed))
    scale = max(np.abs(points).max() ** 2, 1e-300)
    assert abs(sum(map(area, parts)) - area(convex_polygon(points))) <= 1e-12 * scale
    for part in parts:
        assert area(part) >= -1e-15 * scale


@pytest.mark.parametrize("seed", range(5))
def test_points_lie_in_the_cell_of_the_vertex_they_follow(seed):
    rng = np.random.default_rng(seed)
    vertices, B = rng.normal(size=(8, 2)), definite(seed)
    parts = [geometry(part) for part in vertex_cells(vertices, B)]
    points = rng.dirichlet(np.ones(8), size=300) @ vertices
    best = (points @ B.T @ vertices.T).argmax(axis=1)
    for point, index in zip(points, best, strict=True):
        assert parts[index].distance(shapely.Point(point)) < 1e-12
        assert all(part.distance(shapely.Point(point)) > 0 for other, part in enumerate(parts) if other != index and not part.is_empty)
    np.testing.assert_array_equal(cell_members(points, vertices, B).argmax(axis=1), best)


def test_two_hundred_vertices_in_under_a_second_and_exactly():
    vertices = circle(200)
    start = time.perf_counter()
    parts = vertex_cells(vertices)
    assert time.perf_counter() - start < 1.0
    assert abs(sum(map(area, parts)) - area(convex_polygon(vertices))) < 1e-12
    assert all(area(part) > 0 for part in parts)


def test_square_has_quarters():
    square = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    for vertex, part in zip(square, vertex_cells(square), strict=True):
        assert area(part) == 1.0
        assert shapely.Polygon(part).equals(
            shapely.box(*sorted([0.0, vertex[0]])[:1], *sorted([0.0, vertex[1]])[:1], max(0, vertex[0]), max(0, vertex[1]))
        )


def test_duplicates_inner_points_segments_and_single_points():
    triangle = np.array([[2.0, 0.0], [-1.0, 1.0], [-1.0, -1.0], [2.0, 0.0], [0.0, 0.0]])
    sizes = [len(part) for part in vertex_cells(triangle)]
    assert sizes[0] >= 3 and sizes[3] == sizes[4] == 0
    segment = vertex_cells(np.array([[1.0, 0.0], [-1.0, 0.0]]))
    assert geometry(segment[0]).length == 1.0 and geometry(segment[1]).length == 1.0
    assert geometry(vertex_cells(np.array([[3.0, 4.0]]))[0]).equals(shapely.Point(3, 4))


def test_normalised_keys_give_every_point_its_cell():
    points = circle(9, seed=3) * np.random.default_rng(3).uniform(0.4, 1.0, 9)[:, None]
    keys = points / np.linalg.norm(points, axis=1, keepdims=True)
    parts = vertex_cells(points, keys=keys)
    assert sum(map(area, parts)) == pytest.approx(area(convex_polygon(points)), abs=1e-12)
    for point, part in zip(points, parts, strict=True):
        assert geometry(part).distance(shapely.Point(point)) < 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_voronoi_cells_are_cells_where_energies_are_equal(seed):
    B = definite(seed)
    vertices = circle(12, seed) @ np.linalg.inv(np.linalg.cholesky(B))
    for part, other in zip(vertex_cells(vertices, B), voronoi_cells(vertices, B), strict=True):
        assert area(part) == pytest.approx(area(other), abs=1e-12)
    points = np.random.default_rng(seed).dirichlet(np.ones(12), 200) @ vertices
    np.testing.assert_array_equal(cell_members(points, vertices, B, 1e-12), voronoi_members(points, vertices, B, 1e-12))


def test_voronoi_cells_hold_the_nearest_points():
    rng = np.random.default_rng(8)
    sites, B = rng.normal(size=(9, 2)), definite(8)
    parts = [geometry(part) for part in voronoi_cells(sites, B)]
    points = rng.dirichlet(np.ones(9), size=200) @ sites
    offsets = points[:, None] - sites
    nearest = np.einsum("psd,de,pse->ps", offsets, B, offsets).argmin(axis=1)
    for point, index in zip(points, nearest, strict=True):
        assert parts[index].distance(shapely.Point(point)) < 1e-12
    with pytest.raises(InputError, match="positive definite"):
        voronoi_cells(sites, -np.eye(2))


def test_dominance_cell_and_erosion():
    vertices = circle(5, seed=2)
    whole, smaller = dominance_cell(vertices, 0, 0.0), dominance_cell(vertices, 0, 0.05)
    assert area(whole) == pytest.approx(area(vertex_cells(vertices)[0]), abs=1e-12)
    lead = min((smaller @ (vertices[0] - other)).min() for other in vertices[1:])
    assert lead == pytest.approx(0.05, abs=1e-12)
    eroded = dominance_cell(vertices, 0, 0.05, 0.02)
    expected = shapely.buffer(geometry(smaller), -0.02, join_style="mitre", mitre_limit=1e9)
    assert area(eroded) == pytest.approx(expected.area, abs=1e-9)
    assert len(dominance_cell(vertices, 0, 100.0)) == 0


def test_cut_by_opposite_half_planes_shares_its_corners():
    polygon = convex_polygon(circle(7))
    normal = np.array([0.3, 0.7])
    left, right = cut(polygon, normal, 0.1), cut(polygon, -normal, -0.1)
    assert area(left) + area(right) == pytest.approx(area(polygon), abs=1e-15)
    assert len({tuple(corner) for corner in left} & {tuple(corner) for corner in right}) == 2


def test_ownership_by_hand():
    vertices = np.array([[2.0, 0.0], [1.0, 0.5], [-1.0, 0.0]])
    np.testing.assert_allclose(ownership(vertices, np.eye(2)), [2.0, -0.75, 2.0])
    assert ownership(vertices[:1], np.eye(2))[0] == np.inf


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_neighbours_of_cube_cross_polytope_and_simplex(dim):
    cube = np.array(list(itertools.product([-1.0, 1.0], repeat=dim)))
    joined = vertex_neighbours(cube)
    np.testing.assert_array_equal(joined, np.abs(cube[:, None] - cube[None]).sum(axis=-1) == 2)
    cross = np.concatenate([np.eye(dim), -np.eye(dim)])
    opposite = np.abs(cross[:, None] + cross[None]).sum(axis=-1) == 0
    if dim > 1:
        np.testing.assert_array_equal(vertex_neighbours(cross), ~opposite & ~np.eye(2 * dim, dtype=bool))
    simplex = np.concatenate([np.zeros((1, dim)), np.eye(dim)])
    np.testing.assert_array_equal(vertex_neighbours(simplex), ~np.eye(dim + 1, dtype=bool))


def test_neighbours_of_flat_and_repeated_points():
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0], [0.0, 0, 0]])
    joined = vertex_neighbours(square)
    assert joined.sum() == 8 and not joined[4].any() and not joined[5].any()
    assert not vertex_neighbours(np.array([[1.0, 2.0]])).any()


def test_only_the_plane_has_polygons():
    with pytest.raises(InputError, match="points of the plane"):
        inspect.unwrap(plane_points)(np.zeros((3, 3)))
    with pytest.raises(InputError, match="B: expected shape"):
        inspect.unwrap(vertex_cells)(np.eye(2), np.eye(3))
    with pytest.raises(InputError, match="keys: expected shape"):
        inspect.unwrap(vertex_cells)(np.eye(2), keys=np.zeros((3, 2)))
