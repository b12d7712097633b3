"""The four published initial configurations under leader averaging, layer by layer."""

from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon

from hardmax.figures import style

_COLOURS = (*style.PALETTE[:6], style.PALETTE[7])
_SHADE = "#BBBBBB"


def _colours(rows: pd.DataFrame) -> dict[str, str]:
    """A colour for each token that is followed at some layer shown, in order of their indices."""
    followed = sorted({token for text in rows["follows"].astype(str) for token in text.split()}, key=int)
    return {token: _COLOURS[place % len(_COLOURS)] for place, token in enumerate(followed)}


def _token(axes: Axes, row: pd.Series, colours: dict[str, str]) -> None:
    followed = str(row["follows"]).split()
    look: dict[str, Any] = (
        {"marker": "*", "markersize": 11, "zorder": 4} if row["leader"] else {"marker": "o", "markersize": 5, "zorder": 3}
    )
    axes.plot(
        row["x"],
        row["y"],
        linestyle="none",
        fillstyle="full" if len(followed) == 1 else "left",
        markerfacecolor=colours[followed[0]],
        markerfacecoloralt=colours[followed[-1]],
        markeredgecolor="black",
        markeredgewidth=0.5,
        **look,
    )


def _hull(axes: Axes, rows: pd.DataFrame) -> None:
    """The polygon whose vertices the final leaders are; they are in convex position, so their angle about the mean orders them."""
    points = rows.loc[rows["final_leader"], ["x", "y"]].drop_duplicates().to_numpy()
    around = points - points.mean(axis=0)
    order = np.argsort(np.arctan2(around[:, 1], around[:, 0]))
    axes.add_patch(Polygon(points[order], closed=True, facecolor=_SHADE, edgecolor=_SHADE, alpha=0.35, linewidth=1, zorder=1))


def draw(panels: pd.DataFrame) -> Figure:
    """Rows are configurations, columns layers; see the caption.

    Args:
        panels: the table clustering_panels.
    """
    names = list(dict.fromkeys(panels["configuration"]))
    layers = sorted(panels["layer"].unique())
    figure, grid = style.subplots(
        len(names), len(layers), width="page", height=1.22 * len(names) + 0.7, sharex=True, sharey=True, squeeze=False
    )
    for row, name in enumerate(names):
        of_row = panels[panels["configuration"] == name]
        colours = _colours(of_row)
        for column, layer in enumerate(layers):
            axes: Axes = grid[row, column]
            tokens = of_row[of_row["layer"] == layer]
            _hull(axes, tokens)
            axes.plot(0, 0, marker="+", color="black", markersize=5, markeredgewidth=0.7, zorder=2)
            for _, token in tokens.iterrows():
                _token(axes, token, colours)
            axes.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal", xticks=(-1, 0, 1), yticks=(-1, 0, 1))
            if row == 0:
                axes.set_title(f"k = {layer}")
        grid[row, 0].set_ylabel("\n".join(wrap(name, 14)))
        handles = [Patch(facecolor=colour, edgecolor="black", linewidth=0.5, label=f"token {token}") for token, colour in colours.items()]
        grid[row, -1].legend(
            handles=handles, title="follows", loc="center left", bbox_to_anchor=(1.02, 0.5), handlelength=0.9, borderaxespad=0
        )
    marks = [
        Line2D([], [], marker="*", markersize=11, color="white", markeredgecolor="black", linestyle="none", label="leader"),
        Line2D([], [], marker="o", markersize=5, color="white", markeredgecolor="black", linestyle="none", label="other token"),
        Line2D(
            [], [], marker="o", markersize=5, fillstyle="left", color=_COLOURS[0], markerfacecoloralt=_COLOURS[1], markeredgecolor="black",
            linestyle="none", label="follows two tokens",
        ),
        Line2D([], [], marker="+", markersize=6, color="black", linestyle="none", label="origin"),
        Patch(facecolor=_SHADE, alpha=0.5, label=f"hull of the leaders at k = {layers[-1]}"),
    ]  # fmt: skip
    grid[-1, len(layers) // 2].set_xlabel("first coordinate")
    figure.supylabel("second coordinate", fontsize=9)
    figure.legend(handles=marks, loc="outside lower center", ncols=len(marks), handletextpad=0.4, columnspacing=1.2)
    return figure
