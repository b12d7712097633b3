"""Faces of known polytopes, and faces that hold a projection."""

import numpy as np
import pytest

from hardmax.geometry import exposed_face, minimal_face, project_onto_hull

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


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_a_projection_is_that_onto_the_smallest_face_that_holds_it(dim: int) -> None:
    rng = np.random.default_rng(dim)
    factor = rng.standard_normal((dim, dim))
    A = factor @ factor.T + 0.2 * np.eye(dim)
    for shift in (0.0, 3.0):
        vertices = rng.standard_normal((dim + 1, dim))
        vertices[:, 0] += shift
        for face in (vertices, vertices[:2]):
            p = project_onto_hull(face, A=A).point
            smallest = vertices[minimal_face(vertices, p, 1e-7)]
            assert len(smallest) > 0
            np.testing.assert_allclose(project_onto_hull(smallest, A=A).point, p, atol=1e-5)
