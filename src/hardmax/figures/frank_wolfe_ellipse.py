"""The quadratic form over polytopes whose vertices lie on one of its ellipses."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hardmax.figures import style
from hardmax.figures.frank_wolfe_cells import cells, corners, plane

_LEVEL: dict[str, Any] = {"color": "black", "linewidth": 0.7, "linestyle": (0, (3, 1.5))}


def draw(shapes: pd.DataFrame) -> Figure:
    """See the caption.

    Args:
        shapes: the table frank_wolfe_shapes.
    """
    rows = shapes[shapes["panel"] == "ellipse"]
    counts = sorted(rows["vertices"].unique())
    figure, grid = style.subplots(1, len(counts), width="page", height=2.8, squeeze=False)
    for axes, count in zip(grid.flat, counts, strict=True):
        shown = rows[rows["vertices"] == count]
        cells(axes, shown)
        for _, line in shown[shown["element"] == "level"].groupby("index"):
            axes.plot(*corners(line).T, **_LEVEL)
        plane(axes, 1.42)
        axes.set_ylim(-1.25, 1.25)
        axes.set_title(f"k = {count}")
    marks = [
        Line2D([], [], label="level lines J = 0.1, 0.3, ..., 0.9", **_LEVEL),
        Line2D([], [], marker="+", color="black", linestyle="none", label="origin"),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=2)
    return figure
