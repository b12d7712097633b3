"""Margins of the constructions, and the error of evaluating them in float64 and float32."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style


def draw(networks: pd.DataFrame) -> Figure:
    """Least gap and errors against the number of sequences: compact with each number of targets, then leaders."""
    growing = networks[networks["sweep"] == "sequences"]
    figure, axes = style.subplots(1, 3, height=3.3, sharex=True)
    _quantity(axes[0], growing, "least_gap")
    axes[0].set(ylabel="least gap of positions / scale", title="margin")
    _quantity(axes[1], growing, "float64_error")
    axes[1].set(ylabel="largest error / scale", title="float64")
    _quantity(axes[2], growing, "float32_error")
    axes[2].axhline(1, **style.BOUND)
    axes[2].set(ylabel="largest error / scale", title="float32")
    for axis in axes:
        axis.set(xscale="log", yscale="log", xlabel="sequences $N$")
    axes[2].set_ylim(1e-7, 1e2)
    axes[2].text(0.03, 1.5, "the data's scale", transform=axes[2].get_yaxis_transform(), fontsize=7)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _quantity(axis: Axes, networks: pd.DataFrame, column: str) -> None:
    """Median with the range over data sets."""
    for k, (construction, line) in enumerate((("compact", "-"), ("leaders", "--"))):
        for m, own in networks[networks["construction"] == construction].groupby("targets"):
            share = own[column] / own["scale"]
            found = share.groupby(own["sequences"]).agg(["median", "min", "max"])
            colour = style.PALETTE[int(m) - 1]
            axis.plot(found.index, found["median"], line, marker="os"[k], markersize=3.5, color=colour, label=f"{construction}, m = {m}")
            style.interval(axis, found.index, found["min"], found["max"], colour)
