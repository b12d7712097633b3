"""Training loss of the softmax classifier and of its hardmax version at the same weights."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style


def draw(history: pd.DataFrame, accuracy: pd.DataFrame, published: pd.DataFrame) -> Figure:
    """Columns: dimensions; upper row by epochs, lower at equal optimisation steps. Published: diamonds (softmax), squares (hardmax)."""
    dims = sorted(history["dim"].unique())
    figure, grid = style.subplots(2, len(dims), height=5.0, sharey=True, squeeze=False)
    for column, dim in enumerate(dims):
        runs = accuracy[accuracy["dim"] == dim]
        for row, axes in enumerate(grid[:, column]):
            steps = int(runs["steps"].iloc[0])
            _curves(axes, history[history["dim"] == dim], steps if row else 0)
            _published(axes, published[published["dim"] == dim], "steps" if row else "epoch")
            axes.set(xlabel="optimisation steps" if row else "epoch", ylim=(0, None))
            if row:
                axes.set_xlim(0, 1.05 * float(runs["epochs"].max()) * steps)
        grid[0, column].set_title(f"d = {dim}")
    for axes, text in zip(grid[:, 0], ("by epochs", "at equal steps"), strict=True):
        axes.set_ylabel(f"training loss (nats), {text}")
    rate = published.loc[published["epoch"] == 0, "steps"].iloc[0]
    figure.suptitle(f"An epoch has {int(accuracy['steps'].iloc[0])} optimisation steps here, {int(rate)} in the paper", fontsize=9)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=7)
    return figure


def _curves(axes: Axes, history: pd.DataFrame, steps: int) -> None:
    """Our losses by epoch, or by steps where an epoch has `steps` > 0."""
    for seed, run in history.groupby("seed"):
        x = (run["epoch"] + 1) * steps if steps else run["epoch"]
        hard = run["hardmax_train_loss"].notna()
        axes.plot(x, run["train_loss"], color=style.PALETTE[0], label="softmax" if seed == 0 else None)
        look: dict[str, Any] = {"color": style.PALETTE[1], "linestyle": "", "marker": "o", "markersize": 4}
        axes.plot(x[hard], run.loc[hard, "hardmax_train_loss"], label="hardmax" if seed == 0 else None, **look)


def _published(axes: Axes, curves: pd.DataFrame, x: str) -> None:
    for quantity, marker, name in (("train_loss", "D", "softmax, published"), ("hardmax_train_loss", "s", "hardmax, published")):
        curve = curves[curves["quantity"] == quantity]
        if len(curve):
            look = (
                style.PUBLISHED
                | {"marker": marker}
                | ({"linestyle": "", "markersize": 7, "markerfacecolor": "none"} if marker == "s" else {})
            )
            axes.plot(curve[x], curve["value"], label=name, **look)
