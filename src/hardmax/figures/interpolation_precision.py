"""Margins of the constructions, and the error of evaluating them in float64 and float32."""

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style

MARKERS = {"compact": "o", "leaders": "s"}
DASHES = {"compact": "", "leaders": (3, 1.5)}


def draw(summary: pd.DataFrame) -> Figure:
    """Least gap and errors against the number of sequences: compact with each number of targets, then leaders.

    Args:
        summary: the table interpolation_summary.
    """
    growing = summary[summary["sweep"] == "sequences"].sort_values(["construction", "targets"])
    growing = growing.assign(series=growing["construction"] + ", m = " + growing["targets"].astype(str))
    figure, axes = style.subplots(1, 3, height=3.3, sharex=True)
    _quantity(axes[0], growing, "least_gap")
    axes[0].set(ylabel="least gap of positions / scale", title="margin")
    _quantity(axes[1], growing, "float64_error")
    axes[1].set(ylabel="largest error / scale", title="float64")
    _quantity(axes[2], growing, "float32_error")
    axes[2].axhline(1, label="the data's scale", **style.BOUND)
    axes[2].set(ylabel="largest error / scale", title="float32")
    axes[2].set_ylim(1e-7, 1e2)
    figure.legend(*axes[2].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    for axis in axes:
        axis.set(xscale="log", yscale="log", xlabel="sequences $N$")
        axis.get_legend().remove()
    return figure


def _quantity(axis: Axes, summary: pd.DataFrame, quantity: str) -> None:
    """Medians over data sets with their range."""
    rows = summary[summary["quantity"] == quantity]
    looks = rows.drop_duplicates("series").set_index("series")
    colours = looks["targets"].map(lambda m: style.PALETTE[m - 1]).to_dict()
    sns.lineplot(
        rows, x="sequences", y="median", ax=axis, estimator=None, hue="series", style="series", palette=colours, markeredgewidth=0,
        markersize=5, markers=looks["construction"].map(MARKERS).to_dict(), dashes=looks["construction"].map(DASHES).to_dict(),
    )  # fmt: skip
    for series, own in rows.groupby("series"):
        style.interval(axis, own["sequences"], own["low"], own["high"], colours[series])
