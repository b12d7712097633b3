"""Stages of both constructions on one overlapping data set."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hardmax.figures import style

CLOSE_UP = ("on a line", "sequences apart", "on a line, apart")
MARKERS = ("o", "s", "^", "D")


def draw(stages: pd.DataFrame) -> Figure:
    """A row a construction, a panel a stage: tokens of each sequence in its colour, targets as crosses."""
    constructions = list(dict.fromkeys(stages["construction"]))
    figure, axes = style.subplots(len(constructions), 5, height=4.3)
    for row, construction in zip(axes, constructions, strict=True):
        chosen = stages[stages["construction"] == construction]
        for panel, (axis, (_, points)) in enumerate(zip(row, chosen.groupby("panel"), strict=True)):
            _panel(axis, points)
            blocks = int(points["blocks"].iloc[0])
            axis.set_title(f"{points['stage'].iloc[0]}\n{'no block' if not blocks else f'after block {blocks}'}")
            if points["stage"].iloc[0] in CLOSE_UP:
                _close_up(axis, points)
            if panel == 0:
                axis.set_ylabel(f"{construction} construction\n$x_2$")
            if construction == constructions[-1]:
                axis.set_xlabel("$x_1$")
    numbers = sorted(stages["sequence"].unique())
    handles = [
        Line2D([], [], linestyle="", marker=MARKERS[j], color=style.PALETTE[j], markersize=5, label=f"sequence {j + 1}") for j in numbers
    ]
    handles.append(Line2D([], [], linestyle="", marker="x", color="#444444", markersize=6, label="targets, in their sequence's colour"))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _close_up(axis: Axes, points: pd.DataFrame) -> None:
    """Positions of the tokens along the line, a row a sequence, in an inset above the panel."""
    low, high = axis.get_ylim()
    axis.set_ylim(low, high + 0.75 * (high - low))
    inset = axis.inset_axes((0.08, 0.6, 0.9, 0.32))
    for j, own in points[points["kind"] == "token"].groupby("sequence"):
        inset.scatter(own["along"], [-j] * len(own), s=9, marker=MARKERS[j], color=style.PALETTE[j], linewidths=0)
    inset.set(xticks=[], yticks=[], facecolor="#fafafa")
    inset.margins(0.08, 0.25)
    inset.set_title("along the line", fontsize=6, pad=2)


def _panel(axis: Axes, points: pd.DataFrame) -> None:
    for (kind, j), own in points.groupby(["kind", "sequence"]):
        if kind == "token":
            size = 46 - 8 * j
            axis.scatter(
                own["x"], own["y"], s=size, marker=MARKERS[j], facecolors="none", edgecolors=style.PALETTE[j], linewidths=1.2, zorder=3
            )
        else:
            axis.scatter(own["x"], own["y"], s=34, marker="x", color=style.PALETTE[j], linewidths=1.1, zorder=2)
    axis.margins(0.12)
