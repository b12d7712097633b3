"""All cells of a polytope with 200 vertices in the plane: time, and how exactly their areas add up to the polytope's.

Vertices lie on a circle at random angles (all cells are triangles and quadrilaterals around the origin) and on an off-centre circle, whose hull does
not hold the origin. Goals: under a second, areas to 1e-12.
"""

import statistics
import time

import numpy as np
from report import report

from hardmax.geometry.cells import vertex_cells
from hardmax.geometry.polygons import area, convex_polygon
from hardmax.randomness import stream

VERTICES, REPEATS = 200, 7
GOAL_SECONDS, GOAL_AREA = 1.0, 1e-12


def main():
    """Time both polytopes."""
    rows = []
    for name, centre in (("around the origin", 0.0), ("off the origin", 1.5)):
        angles = np.sort(stream(0, "bench_cells").uniform(0, 2 * np.pi, VERTICES))
        vertices = np.column_stack([centre + np.cos(angles), np.sin(angles)])
        vertex_cells(vertices)
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            parts = vertex_cells(vertices)
            times.append(time.perf_counter() - start)
        seconds = statistics.median(times)
        difference = abs(sum(map(area, parts)) - area(convex_polygon(vertices)))
        rows.append((f"{VERTICES} vertices {name}, time", seconds, "s", f"< {GOAL_SECONDS:g}", seconds < GOAL_SECONDS))
        rows.append((f"{VERTICES} vertices {name}, area", difference, "squared length", f"< {GOAL_AREA:g}", difference < GOAL_AREA))
    report("bench_cells", rows)


if __name__ == "__main__":
    main()
