"""Hulls, vertices, faces, projections, cells and Voronoi diagrams of clouds of tokens."""

from hardmax.geometry.faces import exposed_face, limit_kind, minimal_face
from hardmax.geometry.hulls import affine_coordinates, hull_vertices
from hardmax.geometry.projections import Projection, distances_to_hull, project_onto_hull

__all__ = [
    "Projection",
    "affine_coordinates",
    "distances_to_hull",
    "exposed_face",
    "hull_vertices",
    "limit_kind",
    "minimal_face",
    "project_onto_hull",
]
