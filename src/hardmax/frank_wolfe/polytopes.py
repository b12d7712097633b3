"""Random polytopes in the plane and what the figures show of them: cells, level lines of the quadratic form, dominance cells."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from hardmax.geometry.cells import dominance_cell, vertex_cells
from hardmax.geometry.polygons import convex_polygon

LEAST_RADIUS = 0.4
SWEEPS = 30
COLUMNS = ("panel", "vertices", "element", "index", "corner", "x", "y")


def at_angles(angles: Float[np.ndarray, " vertices"], radii: Float[np.ndarray, " vertices"]) -> Float[np.ndarray, "vertices 2"]:
    """Points of the plane in polar coordinates."""
    return radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


def spread_angles(rng: np.random.Generator, count: int) -> Float[np.ndarray, " vertices"]:
    """Angles uniform on the circle given that neighbours are at least a fifth of the mean gap and less than half a turn apart.

    Points at such angles have the origin inside their hull, and can be told apart in a figure.
    """
    least = 0.2 * 2 * np.pi / count
    while True:
        gaps = least + (2 * np.pi - count * least) * rng.dirichlet(np.ones(count))
        if gaps.max() < 0.98 * np.pi:
            return np.sort((rng.uniform(0.0, 2 * np.pi) + np.cumsum(gaps)) % (2 * np.pi))


def convex_radii(rng: np.random.Generator, angles: Float[np.ndarray, " vertices"]) -> Float[np.ndarray, " vertices"]:
    """Radii uniform in [0.4, 1] given that every point is a vertex of the hull, by Gibbs sampling from equal radii.

    Rejection is hopeless beyond a few points. A point is a vertex when 1/r is at most the value there of the chord between its
    neighbours, which is linear in their 1/r, so each radius given the others is uniform on an interval.
    """
    count = len(angles)
    inverse = np.ones(count)

    def chord(i: int) -> tuple[float, float] | None:
        """Weights of the two neighbours' 1/r, or None where they are half a turn or more apart."""
        back, forth = (angles[i] - angles[i - 1]) % (2 * np.pi), (angles[(i + 1) % count] - angles[i]) % (2 * np.pi)
        if back + forth >= np.pi:
            return None
        return float(np.sin(forth) / np.sin(back + forth)), float(np.sin(back) / np.sin(back + forth))

    weights = [chord(i) for i in range(count)]
    for _ in range(SWEEPS):
        for i in range(count):
            before, after = (i - 1) % count, (i + 1) % count
            low, high = 1.0, 1.0 / LEAST_RADIUS
            if (own := weights[i]) is not None:
                high = min(high, own[0] * inverse[before] + own[1] * inverse[after])
            if (left := weights[before]) is not None:
                low = max(low, (inverse[before] - left[0] * inverse[before - 1]) / left[1])
            if (right := weights[after]) is not None:
                low = max(low, (inverse[after] - right[1] * inverse[(after + 1) % count]) / right[0])
            if low < high:
                inverse[i] = 1.0 / rng.uniform(1.0 / high, 1.0 / low)
    return 1.0 / inverse


def _rows(panel: str, count: int, element: str, index: int, points: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame(points, columns=["x", "y"])
    frame.insert(0, "corner", np.arange(len(points)))
    for place, (name, value) in enumerate({"panel": panel, "vertices": count, "element": element, "index": index}.items()):
        frame.insert(place, name, value)
    return frame


def _polytope(panel: str, vertices: np.ndarray, keys: np.ndarray | None, B: np.ndarray | None = None) -> Iterator[pd.DataFrame]:
    """The hull, the points and the cells of one panel."""
    count = len(vertices)
    yield _rows(panel, count, "hull", 0, convex_polygon(vertices))
    for index, point in enumerate(vertices):
        yield _rows(panel, count, "point", index, point[None])
    for index, cell in enumerate(vertex_cells(vertices, B, keys)):
        yield _rows(panel, count, "cell", index, cell)


def _level_lines(panel: str, vertices: np.ndarray, B: np.ndarray, levels: Sequence[float]) -> Iterator[pd.DataFrame]:
    """The ellipses J = level (in units of the vertices' J = 1) where they run inside the polytope, as polylines."""
    K = convex_polygon(vertices)
    root = np.linalg.inv(np.linalg.cholesky(B)).T
    piece = 0
    for level in levels:
        turns = np.linspace(0.0, 2 * np.pi, 721)
        curve = np.sqrt(2 * level) * at_angles(turns, np.ones_like(turns)) @ root.T
        edges = np.roll(K, -1, axis=0) - K
        inside = ((curve[:, None, 1] - K[:, 1]) * edges[:, 0] - (curve[:, None, 0] - K[:, 0]) * edges[:, 1] >= 0).all(axis=1)
        starts = np.flatnonzero(np.diff(inside.astype(int), prepend=0) == 1)
        for start in starts:
            stop = start + int(np.argmin(np.append(inside[start:], False)))
            yield _rows(panel, len(vertices), "level", piece, curve[start:stop])
            piece += 1


def shapes(
    rng: np.random.Generator, counts: Sequence[int], ellipse_counts: Sequence[int], dominance_counts: Sequence[int],
    etas: Sequence[float], radius: float,
) -> pd.DataFrame:  # fmt: skip
    """Every polygon of the figures, a row a corner.

    Panels: `equal` norms at uniform angles (`spread_angles`); `hull` (all points vertices) and `free` with radii uniform in [0.4, 1], cells by `raw`
    or `normalised` vertices; `ellipse`, the quadratic form's level lines with the vertices on one of them; `eta = ...`, the
    dominance cell of vertex 0 and its erosion.

    Args:
        rng: draws angles and radii.
        counts: numbers of vertices of the cells' panels.
        ellipse_counts: of the quadratic form's.
        dominance_counts: of the dominance cells'.
        etas: advantages of the dominance cells.
        radius: of the eroding ball.
    """
    parts: list[pd.DataFrame] = []
    for count in counts:
        angles = spread_angles(rng, count)
        circle = at_angles(angles, np.ones(count))
        parts += _polytope("equal", circle, None)
        for kind, radii in (("hull", convex_radii(rng, angles)), ("free", rng.uniform(LEAST_RADIUS, 1.0, count))):
            points = at_angles(angles, radii)
            parts += _polytope(f"{kind}, raw", points, None)
            parts += _polytope(f"{kind}, normalised", points, circle)
    turn = np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
    B = turn @ np.diag([1.0, 3.0]) @ turn.T
    for count in ellipse_counts:
        angles = spread_angles(rng, count)
        vertices = np.sqrt(2.0) * at_angles(angles, np.ones(count)) @ np.linalg.inv(np.linalg.cholesky(B))
        parts += _polytope("ellipse", vertices, None, B)
        parts += _level_lines("ellipse", vertices, B, np.arange(0.1, 1.0, 0.2).round(1).tolist())
    for count in dominance_counts:
        vertices = at_angles(2 * np.pi * np.arange(count) / count + np.pi / 2, np.ones(count))
        for eta in etas:
            panel = f"eta = {eta:g}"
            parts += _polytope(panel, vertices, None)
            parts.append(_rows(panel, count, "dominance", 0, dominance_cell(vertices, 0, eta)))
            parts.append(_rows(panel, count, "eroded", 0, dominance_cell(vertices, 0, eta, radius)))
    return pd.concat(parts, ignore_index=True)[list(COLUMNS)]
