"""One cell's part where its vertex dominates by a margin, and the erosion of that part by a ball."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Polygon

from hardmax.figures import style
from hardmax.figures.frank_wolfe_cells import cells, corners, plane

_DOMINANCE, _ERODED = "white", "#666666"


def draw(shapes: pd.DataFrame) -> Figure:
    """See the caption.

    Args:
        shapes: the table frank_wolfe_shapes.
    """
    rows = shapes[shapes["panel"].str.startswith("eta = ")]
    counts, etas = sorted(rows["vertices"].unique()), list(dict.fromkeys(rows["panel"]))
    figure, grid = style.subplots(len(counts), len(etas), width="page", height=3.1 * len(counts), squeeze=False)
    for line, count in zip(grid, counts, strict=True):
        for axes, eta in zip(line, etas, strict=True):
            shown = rows[(rows["vertices"] == count) & (rows["panel"] == eta)]
            cells(axes, shown)
            for element, fill in (("dominance", _DOMINANCE), ("eroded", _ERODED)):
                part = shown[shown["element"] == element]
                if len(part):
                    axes.add_patch(Polygon(corners(part), facecolor=fill, edgecolor="black", linewidth=0.9, zorder=2))
            plane(axes, 1.1)
            axes.set_title(f"k = {count}, {eta.replace('eta', 'η')}")
    marks = [
        Patch(facecolor=_DOMINANCE, edgecolor="black", label=r"$\langle v_1 - v_j, x\rangle \geq \eta$ for all $j \neq 1$"),
        Patch(facecolor=_ERODED, edgecolor="black", label="its erosion by the ball"),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=2)
    return figure
