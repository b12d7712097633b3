"""Tikhonov training: loss over epochs with both thresholds, and least loss against the weight decay."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style


def draw(training: pd.DataFrame, tikhonov: pd.DataFrame, published: pd.DataFrame) -> Figure:
    """(a) the smallest weight decay over epochs, with the published values of that one; (b) least losses after each length of training."""
    figure, axes = style.subplots(1, 2, height=4.0)
    decay = training["weight_decay"].min()
    runs, summary, theirs = (table[np.isclose(table["weight_decay"], decay)] for table in (training, tikhonov, published))
    _over_epochs(axes[0], runs, summary.iloc[-1], theirs.set_index("quantity"))
    axes[0].set_title(f"(a) weight decay {decay:g}")
    _against_decay(axes[1], tikhonov, published[published["quantity"] == "least_loss"])
    axes[1].set_title("(b) least loss against weight decay")
    for axis in axes:
        axis.legend(loc="upper center", bbox_to_anchor=(0.45, -0.15), ncols=2, fontsize=7, columnspacing=1.0)
    return figure


def _over_epochs(axis: Axes, runs: pd.DataFrame, summary: pd.Series, published: pd.DataFrame) -> None:
    for repetition, own in runs.groupby("repetition"):
        axis.plot(
            own["epoch"],
            own["loss"],
            color=style.PALETTE[0],
            linewidth=1,
            alpha=0.8,
            label="loss, each repetition" if repetition == 0 else None,
        )
    axis.axhline(summary["threshold"], color=style.PALETTE[1], linestyle="--", label=r"$w\,|\theta_*|^2$")
    axis.axhline(summary["optimiser_threshold"], color=style.PALETTE[2], linestyle="--", label=r"$(w/2)\,|\theta_*|^2$ (Adam)")
    look = {key: style.PUBLISHED[key] for key in ("color", "linewidth")}
    if "threshold" in published.index:
        axis.axhline(published.loc["threshold", "value"], linestyle=(0, (1, 2)), label="published threshold line", **look)
    if "final_loss" in published.index:
        value, epochs = published.loc["final_loss", ["value", "epochs"]]
        axis.axhline(value, linestyle=(0, (4, 2)), label=f"published final loss, {int(epochs):,}", **look)
    axis.set(xscale="log", yscale="log", xlabel="epoch", ylabel="loss (squared distance)")


def _against_decay(axis: Axes, table: pd.DataFrame, published: pd.DataFrame) -> None:
    for k, (epochs, own) in enumerate(table.groupby("epochs")):
        axis.plot(own["weight_decay"], own["least_loss"], marker="o", markersize=4, color=style.PALETTE[k], label=f"{epochs:,} epochs")
        low, high = own["least_loss_low"].tolist(), own["least_loss_high"].tolist()
        style.interval(axis, own["weight_decay"].tolist(), low, high, style.PALETTE[k], band=False)
    lengths = ", ".join(f"{epochs / 1000:g}" for epochs in published["epochs"])
    axis.plot(published["weight_decay"], published["value"], label=f"published: {lengths} thousand", **style.PUBLISHED)
    decays = np.sort(table["weight_decay"].unique())
    axis.plot(decays, decays * table["target_norm"].iloc[0], label=r"$w\,|\theta_*|^2$, slope 1", **style.BOUND)
    axis.set(xscale="log", yscale="log", xlabel="weight decay $w$", ylabel="least loss (squared distance)")
