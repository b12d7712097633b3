"""Probability that all vertices own their cells, against the dimension."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style

_MARKERS = ("o", "s", "^", "v")


def draw(ownership: pd.DataFrame) -> Figure:
    """See the caption.

    Args:
        ownership: the table frank_wolfe_ownership.
    """
    conditions = sorted(ownership["condition"].unique())
    figure, grid = style.subplots(1, len(conditions), width="page", height=3.0, squeeze=False, sharey=True)
    for axes, condition in zip(grid.flat, conditions, strict=True):
        for place, (count, rows) in enumerate(ownership[ownership["condition"] == condition].groupby("vertices")):
            hue = style.PALETTE[place]
            style.interval(axes, rows["dim"].astype(float).tolist(), rows["low"].tolist(), rows["high"].tolist(), hue)
            axes.plot(rows["dim"], rows["probability"], color=hue, marker=_MARKERS[place], markersize=4, label=f"k = {count}, measured")
            axes.plot(rows["dim"], rows["bound"], **(style.BOUND | {"color": hue}), label=f"k = {count}, lower bound")
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set(xlabel="dimension d", ylim=(-0.03, 1.03), title=f"condition number of B: {condition:g}")
    grid[0, 0].set_ylabel("probability that every\nvertex owns its cell")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure
