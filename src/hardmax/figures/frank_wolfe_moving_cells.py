"""Animation: a cloud under hardmax attention and the cells of its hull."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from hardmax.figures import style
from hardmax.figures.frank_wolfe_cells import colour, corners, plane

SECONDS_A_FRAME = 0.12


def frames(moving: pd.DataFrame) -> Iterator[Figure]:
    """One frame a step; see the caption.

    Args:
        moving: the table frank_wolfe_moving.
    """
    low, high = moving[["x", "y"]].min().clip(upper=0), moving[["x", "y"]].max().clip(lower=0)
    middle, reach = (low + high) / 2, 0.54 * float((high - low).max())
    led = sorted(moving["cell"].unique())
    hue = {cell: colour(place, len(led)) for place, cell in enumerate(led)}
    for step, rows in moving.groupby("step"):
        figure, axes = style.subplots(1, 1, width="column", height=3.7)
        for index, part in rows[rows["element"] == "cell"].groupby("index"):
            axes.add_patch(Polygon(corners(part), facecolor=hue[index], edgecolor="black", linewidth=0.5, alpha=0.4))
        tokens = rows[rows["element"] == "token"].sort_values("index")
        leads = (tokens["cell"] == tokens["index"]).to_numpy()
        hues = np.array([hue[cell] for cell in tokens["cell"]])
        axes.scatter(tokens["x"][~leads], tokens["y"][~leads], s=22, c=hues[~leads], edgecolor="black", linewidth=0.5, zorder=3)
        axes.scatter(tokens["x"][leads], tokens["y"][leads], s=90, c=hues[leads], marker="*", edgecolor="black", linewidth=0.5, zorder=4)
        axes.plot(0, 0, marker="+", color="black", markersize=7, markeredgewidth=1.2, zorder=5)
        plane(axes, reach)
        axes.set(xlim=(middle["x"] - reach, middle["x"] + reach), ylim=(middle["y"] - reach, middle["y"] + reach))
        axes.set_title(f"t = {step}")
        yield figure
