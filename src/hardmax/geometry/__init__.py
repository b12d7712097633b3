"""Hulls, vertices, faces, projections, cells and Voronoi diagrams of clouds of tokens."""

from hardmax.geometry.cells import cell_members, dominance_cell, ownership, vertex_cells
from hardmax.geometry.faces import exposed_face, minimal_face
from hardmax.geometry.hulls import affine_coordinates, hull_vertices
from hardmax.geometry.neighbours import vertex_neighbours
from hardmax.geometry.projections import Projection, distances_to_hull, project_onto_hull
from hardmax.geometry.voronoi import voronoi_cells, voronoi_members

__all__ = [
    "Projection",
    "affine_coordinates",
    "cell_members",
    "distances_to_hull",
    "dominance_cell",
    "exposed_face",
    "hull_vertices",
    "minimal_face",
    "ownership",
    "project_onto_hull",
    "vertex_cells",
    "vertex_neighbours",
    "voronoi_cells",
    "voronoi_members",
]
