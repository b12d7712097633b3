"""Blocks and parameters of the networks beside the paper's formulas and the counting lower bound."""

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style

MARKERS = {1: "o", 2: "s", 3: "^"}
COLOURS = {"compact": style.PALETTE[0], "leaders": style.PALETTE[1]}


def draw(summary: pd.DataFrame, reviews: pd.DataFrame) -> Figure:
    """Four panels: blocks against the targets, parameters against them, parameters against the dimension, blocks against the length.

    Args:
        summary: the table interpolation_summary.
        reviews: the table interpolation_reviews.
    """
    figure, axes = style.subplots(2, 2, height=5.6)
    growing = summary[summary["sweep"] == "sequences"]
    _depth(axes[0, 0], growing, reviews)
    _parameters(axes[0, 1], growing, reviews)
    _swept(axes[1, 0], summary[summary["sweep"] == "dimension"], "dimension", ("parameters", "nonzero_entries", "lower_bound"))
    axes[1, 0].set(xlabel="dimension $d$", ylabel="number", yscale="log", title="parameters against dimension")
    _swept(axes[1, 1], summary[summary["sweep"] == "length"], "tokens", ("depth", "depth_bound", "paper_depth"))
    axes[1, 1].set(xlabel="tokens of a sequence $n$", ylabel="blocks", ylim=(0, None), title="blocks against length")
    axes[1, 0].set_xscale("log", base=2)
    axes[1, 0].xaxis.set_major_formatter("{x:g}")
    axes[0, 0].get_legend().remove()
    axes[0, 1].legend(handles=axes[0, 1].get_lines()[-1:], loc="lower right")
    for axis in axes[1]:
        axis.legend()
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


NAMES = {
    "parameters": "free parameters",
    "nonzero_entries": "nonzero entries",
    "lower_bound": r"lower bound $d\,\sum m_j$",
    "depth": "blocks, compact",
    "depth_bound": "our bound",
    "paper_depth": r"paper: $2\sum m_j + 2N + 1$",
}
LOOKS = {"lower_bound": style.BOUND, "depth_bound": style.BOUND, "paper_depth": style.PUBLISHED}


def _depth(axis: Axes, summary: pd.DataFrame, reviews: pd.DataFrame) -> None:
    _grown(axis, summary, "depth")
    formulas = summary[(summary["quantity"] == "paper_depth") & (summary["construction"] == "compact")]
    for m, own in formulas.groupby("targets"):
        look = style.PUBLISHED | {"marker": MARKERS[m], "linewidth": 0.9}
        axis.plot(own["target_points"], own["mean"], label=NAMES["paper_depth"] if m == formulas["targets"].min() else None, **look)
    axis.plot(reviews["reviews"], reviews["depth"], "*", color=style.PALETTE[2], markersize=8, label="movie reviews, two labels")
    axis.set(xlabel=r"targets $\sum m_j$", ylabel="blocks", xscale="log", yscale="log", title="blocks against targets")


def _parameters(axis: Axes, summary: pd.DataFrame, reviews: pd.DataFrame) -> None:
    _grown(axis, summary, "parameters")
    axis.plot(reviews["reviews"], reviews["parameters"], "*", color=style.PALETTE[2], markersize=8)
    bound = summary[summary["quantity"] == "lower_bound"].drop_duplicates("target_points").sort_values("target_points")
    axis.plot(bound["target_points"], bound["mean"], label=NAMES["lower_bound"], **style.BOUND)
    d = int(summary["dimension"].iloc[0])
    axis.set(
        xlabel=r"targets $\sum m_j$", ylabel="free parameters", xscale="log", yscale="log", title=f"parameters against targets, $d = {d}$"
    )


def _grown(axis: Axes, summary: pd.DataFrame, quantity: str) -> None:
    """Means over data sets with their range, a line for each construction and number of targets."""
    rows = summary[summary["quantity"] == quantity].sort_values(["construction", "targets"])
    rows = rows.assign(series=rows["construction"] + ", m = " + rows["targets"].astype(str))
    looks = rows.drop_duplicates("series").set_index("series")
    colours = looks["construction"].map(COLOURS).to_dict()
    sns.lineplot(
        rows, x="target_points", y="mean", ax=axis, estimator=None, hue="series", style="series", palette=colours,
        markers=looks["targets"].map(MARKERS).to_dict(), dashes=False, markeredgewidth=0, markersize=5, linewidth=0.9,
    )  # fmt: skip
    for series, own in rows.groupby("series"):
        style.interval(axis, own["target_points"], own["low"], own["high"], colours[series])


def _swept(axis: Axes, summary: pd.DataFrame, column: str, shown: tuple[str, ...]) -> None:
    """Means over data sets of several quantities, measured ones with their range."""
    for k, quantity in enumerate(shown):
        rows = summary[summary["quantity"] == quantity]
        look = LOOKS.get(quantity, {"color": style.PALETTE[k], "marker": "o", "markersize": 4})
        axis.plot(rows[column], rows["mean"], label=NAMES[quantity], **look)
        if quantity not in LOOKS:
            style.interval(axis, rows[column], rows["low"], rows["high"], look["color"])
