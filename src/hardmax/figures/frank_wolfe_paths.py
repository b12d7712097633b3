"""Straight trajectories inside fixed cells."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from hardmax.figures import style
from hardmax.figures.frank_wolfe_cells import colour, plane


def draw(paths: pd.DataFrame) -> Figure:
    """See the caption.

    Args:
        paths: the table frank_wolfe_paths.
    """
    counts = sorted(paths["vertices"].unique())
    figure, grid = style.subplots(1, len(counts), width="page", height=3.9, squeeze=False)
    for axes, count in zip(grid.flat, counts, strict=True):
        rows = paths[paths["vertices"] == count]
        vertices = rows[rows["vertex"] & (rows["step"] == 0)].sort_values("token")
        axes.add_patch(Polygon(vertices[["x", "y"]].to_numpy(), fill=False, edgecolor="black", linewidth=0.9))
        for _, path in rows[~rows["vertex"]].groupby("token"):
            path = path.sort_values("step")
            hue = colour(int(path["cell"].iloc[0]))
            axes.plot(path["x"], path["y"], color=hue, linewidth=0.7, marker=".", markersize=2.5)
            axes.plot(
                path["x"].iloc[0], path["y"].iloc[0], marker="o", markersize=4, color=hue, markeredgecolor="black", markeredgewidth=0.4
            )
        for _, vertex in vertices.iterrows():
            axes.plot(
                vertex["x"],
                vertex["y"],
                marker="*",
                markersize=11,
                color=colour(int(vertex["token"])),
                markeredgecolor="black",
                markeredgewidth=0.5,
            )
        axes.plot(0, 0, marker="+", color="black", markersize=6, markeredgewidth=1.2)
        plane(axes, 1.1)
        axes.set_title(f"k = {count}")
    marks = [
        Line2D([], [], marker="*", markersize=9, color="white", markeredgecolor="black", linestyle="none", label="vertex"),
        Line2D([], [], marker="o", markersize=4, color="white", markeredgecolor="black", linestyle="none", label="token at t = 0"),
        Line2D([], [], marker=".", markersize=4, color="black", linewidth=0.7, label="token at later steps"),
        Line2D([], [], marker="+", markersize=6, color="black", linestyle="none", label="origin"),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=4)
    return figure
