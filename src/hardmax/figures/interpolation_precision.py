"""Margins of the constructions, and the error of evaluating them in float64 and float32."""

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style

MARKERS = {"compact": "o", "leaders": "s"}
DASHES = {"compact": "", "leaders": (3, 1.5)}


def draw(networks: pd.DataFrame) -> Figure:
    """Least gap and errors against the number of sequences: compact with each number of targets, then leaders."""
    growing = networks[networks["sweep"] == "sequences"].sort_values(["construction", "targets"])
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


def _quantity(axis: Axes, networks: pd.DataFrame, column: str) -> None:
    """Median with the range over data sets."""
    looks = networks.drop_duplicates("series").set_index("series")
    sns.lineplot(
        networks.assign(share=networks[column] / networks["scale"]), x="sequences", y="share", ax=axis, estimator="median",
        errorbar=("pi", 100), err_kws={"linewidth": 0}, hue="series", style="series", markeredgewidth=0, markersize=5,
        palette=looks["targets"].map(lambda m: style.PALETTE[m - 1]).to_dict(), markers=looks["construction"].map(MARKERS).to_dict(),
        dashes=looks["construction"].map(DASHES).to_dict(),
    )  # fmt: skip
