"""Faces of known polytopes, and limits of known kinds."""

import numpy as np
import pytest

from hardmax.errors import InputError
from hardmax.geometry import exposed_face, limit_kind, minimal_face, project_onto_hull

CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def test_exposed_faces_of_a_cube() -> None:
    assert len(exposed_face(CUBE, np.array([1.0, 0.0, 0.0]))) == 4
    assert len(exposed_face(CUBE, np.array([0.1, 0.1, 0.0]))) == 2
    assert len(exposed_face(CUBE, np.array([0.1, -0.2, 0.3]))) == 1
    assert len(exposed_face(CUBE, np.zeros(3))) == 8


def test_minimal_faces_of_a_cube() -> None:
    for face, point in (
        (1, [1.0, 1.0, 1.0]),
        (2, [1.0, 1.0, 0.3]),
        (4, [1.0, -0.2, 0.9]),
        (8, [0.1, -0.2, 0.9]),
        (0, [1.0, 1.0, 1.1]),
    ):
        found = minimal_face(CUBE, np.array(point))
        assert len(found) == face
        if 0 < face < 8:
            fixed = np.abs(point) == 1.0
            assert (CUBE[found][:, fixed] == np.array(point)[fixed]).all()


def test_kinds_of_limits_on_a_cube() -> None:
    assert limit_kind(CUBE[3], CUBE) == "vertex"
    for centre in ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0]):
        assert limit_kind(np.array(centre), CUBE) == "projection"
    for other in ([0.0, 0.2, 0.0], [1.0, 0.1, 0.0], [1.0, -1.0, 0.5], [3.0, 0.0, 0.0]):
        assert limit_kind(np.array(other), CUBE) == "neither"


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_projections_onto_hulls_and_faces_are_recognised(dim: int) -> None:
    rng = np.random.default_rng(dim)
    factor = rng.standard_normal((dim, dim))
    A = factor @ factor.T + 0.2 * np.eye(dim)
    for shift in (0.0, 3.0):
        vertices = rng.standard_normal((dim + 1, dim))
        vertices[:, 0] += shift
        p = project_onto_hull(vertices, A=A).point
        assert limit_kind(p, vertices, A) in ("vertex", "projection")
        edge = vertices[:2]
        q = project_onto_hull(edge, A=A).point
        assert limit_kind(q, vertices, A) in ("vertex", "projection")
        inside = vertices.mean(axis=0)
        assert limit_kind(inside + 1e-3 * (vertices[0] - inside), vertices, A) == "neither"


def test_a_point_of_another_dimension_is_named() -> None:
    with pytest.raises(InputError, match=r"point: expected shape \(3,\), found \(2,\)"):
        getattr(limit_kind, "__wrapped__", limit_kind)(np.zeros(2), CUBE)
