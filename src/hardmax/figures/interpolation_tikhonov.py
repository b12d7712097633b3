"""Tikhonov training: loss over epochs with both thresholds, and least loss against the weight decay."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style

PUBLISHED_THRESHOLD, PUBLISHED_FINAL = 6.2e-3, 4e-4
PUBLISHED_LEAST = ((1e-1, 3.3e-2), (1e-2, 1.3e-2), (1e-3, 5e-4))


def draw(training: pd.DataFrame, tikhonov: pd.DataFrame) -> Figure:
    """(a) the smallest weight decay over epochs; (b) least losses after each length of training."""
    figure, axes = style.subplots(1, 2, height=4.0)
    decay = training["weight_decay"].min()
    _over_epochs(axes[0], training[training["weight_decay"] == decay], tikhonov[tikhonov["weight_decay"] == decay].iloc[-1])
    axes[0].set_title(f"(a) weight decay {decay:g}")
    _against_decay(axes[1], tikhonov)
    axes[1].set_title("(b) least loss against weight decay")
    for axis in axes:
        axis.legend(loc="upper center", bbox_to_anchor=(0.45, -0.15), ncols=2, fontsize=7, columnspacing=1.0)
    return figure


def _over_epochs(axis: Axes, runs: pd.DataFrame, summary: pd.Series) -> None:
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
    axis.axhline(PUBLISHED_THRESHOLD, linestyle=(0, (1, 2)), label="published threshold line", **look)
    axis.axhline(PUBLISHED_FINAL, linestyle=(0, (4, 2)), label="published final loss, 50,000", **look)
    axis.set(xscale="log", yscale="log", xlabel="epoch", ylabel="loss (squared distance)")


def _against_decay(axis: Axes, table: pd.DataFrame) -> None:
    for k, (epochs, own) in enumerate(table.groupby("epochs")):
        axis.plot(own["weight_decay"], own["least_loss"], marker="o", markersize=4, color=style.PALETTE[k], label=f"{epochs:,} epochs")
        low, high = own["least_loss_low"].tolist(), own["least_loss_high"].tolist()
        style.interval(axis, own["weight_decay"].tolist(), low, high, style.PALETTE[k], band=False)
    axis.plot(*zip(*PUBLISHED_LEAST, strict=True), label="published: 5, 10, 50 thousand", **style.PUBLISHED)
    decays = np.sort(table["weight_decay"].unique())
    axis.plot(decays, decays * table["target_norm"].iloc[0], label=r"$w\,|\theta_*|^2$, slope 1", **style.BOUND)
    axis.set(xscale="log", yscale="log", xlabel="weight decay $w$", ylabel="least loss (squared distance)")
