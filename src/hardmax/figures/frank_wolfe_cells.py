"""Panels of cells of random polytopes, which the figures of each kind of polytope share."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon

from hardmax.figures import style

_FILLS = (*style.PALETTE[:6], style.PALETTE[7])
_LABELLED = 5


def colour(index: int, count: int = 0) -> str:
    """The colour of a vertex's cell among `count`, so that cells next to each other differ, the last and the first too."""
    return _FILLS[index % (len(_FILLS) - (count % len(_FILLS) == 1))]


def corners(rows: pd.DataFrame) -> np.ndarray:
    """Corners in order."""
    return rows.sort_values("corner")[["x", "y"]].to_numpy()


def _owners(rows: pd.DataFrame) -> set[int]:
    """The points that have a cell."""
    return set(rows.loc[rows["element"] == "cell", "index"])


def cells(axes: Axes, rows: pd.DataFrame) -> None:
    """One polytope with its cells, its points and the origin; a point without a cell is white."""
    count = int(rows["vertices"].iloc[0])
    for index, part in rows[rows["element"] == "cell"].groupby("index"):
        axes.add_patch(Polygon(corners(part), facecolor=colour(int(index), count), edgecolor="black", linewidth=0.4, alpha=0.45))
    axes.add_patch(Polygon(corners(rows[rows["element"] == "hull"]), fill=False, edgecolor="black", linewidth=0.9))
    points = rows[rows["element"] == "point"].sort_values("index")
    owners = _owners(rows)
    hues = [colour(int(index), count) if index in owners else "white" for index in points["index"]]
    axes.scatter(points["x"], points["y"], s=14, c=hues, edgecolor="black", linewidth=0.5, zorder=3)
    axes.plot(0, 0, marker="+", color="black", markersize=6, markeredgewidth=1.2, zorder=4)


def labels(axes: Axes, rows: pd.DataFrame) -> None:
    """C_i(v) outside each point that has a cell, where there is room for it."""
    for _, point in rows[(rows["element"] == "point") & rows["index"].isin(_owners(rows))].iterrows():
        place = np.array([point["x"], point["y"]])
        x, y = place + 0.3 * place / np.linalg.norm(place)
        axes.text(x, y, f"$C_{{{int(point['index']) + 1}}}(v)$", ha="center", va="center", fontsize=7)


def plane(axes: Axes, reach: float) -> None:
    """Axes of a square panel without ticks: coordinates have no unit."""
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=(), yticks=())
    axes.grid(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def panels(shapes: pd.DataFrame, panel: str) -> Figure:
    """All numbers of vertices of one kind of polytope.

    Args:
        shapes: the table frank_wolfe_shapes.
        panel: the kind, as the table's column says it.
    """
    rows = shapes[shapes["panel"] == panel]
    counts = sorted(rows["vertices"].unique())
    columns = 4
    lines = -(-(len(counts) + 1) // columns)
    figure, grid = style.subplots(lines, columns, width="page", height=1.85 * lines, squeeze=False)
    for axes in grid.flat[len(counts) :]:
        axes.set_axis_off()
    for axes, count in zip(grid.flat, counts, strict=False):
        shown = rows[rows["vertices"] == count]
        cells(axes, shown)
        if count <= _LABELLED:
            labels(axes, shown)
        plane(axes, 1.5 if count <= _LABELLED else 1.08)
        axes.set_title(f"k = {count}")
    marks = [
        Line2D([], [], marker="o", markersize=4.5, color=_FILLS[0], markeredgecolor="black", linestyle="none", label="point"),
        Patch(facecolor=_FILLS[0], alpha=0.45, edgecolor="black", linewidth=0.4, label="cell of the point\nof its colour"),
        Line2D([], [], color="black", linewidth=0.9, label="polytope K"),
        Line2D([], [], marker="+", color="black", markersize=6, linestyle="none", label="origin"),
    ]
    if any(set(shown.loc[shown["element"] == "point", "index"]) - _owners(shown) for _, shown in rows.groupby("vertices")):
        marks.insert(
            1,
            Line2D(
                [], [], marker="o", markersize=4.5, color="white", markeredgecolor="black", linestyle="none", label="point without a cell"
            ),
        )
    grid.flat[len(counts)].legend(handles=marks, loc="center")
    return figure
