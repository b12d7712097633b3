"""The quadratic form over polytopes whose vertices lie on one of its ellipses."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style
from hardmax.figures.frank_wolfe_cells import cells, corners, plane


def draw(shapes: pd.DataFrame) -> Figure:
    """See the caption.

    Args:
        shapes: the table frank_wolfe_shapes.
    """
    rows = shapes[shapes["panel"] == "ellipse"]
    counts = sorted(rows["vertices"].unique())
    figure, grid = style.subplots(1, len(counts), width="page", height=2.7, squeeze=False)
    for axes, count in zip(grid.flat, counts, strict=True):
        shown = rows[rows["vertices"] == count]
        cells(axes, shown)
        for _, line in shown[shown["element"] == "level"].groupby("index"):
            axes.plot(*corners(line).T, color="black", linewidth=0.7, linestyle=(0, (3, 1.5)))
        plane(axes, 1.5)
        axes.set_title(f"k = {count}")
    return figure
