"""Training loss of the softmax classifier and of its hardmax version at the same weights."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style


def draw(history: pd.DataFrame, published: pd.DataFrame) -> Figure:
    """One panel a dimension; published values as diamonds (softmax) and squares (hardmax)."""
    dims = sorted(history["dim"].unique())
    figure, grid = style.subplots(1, len(dims), height=2.9, sharey=True, squeeze=False)
    for axes, dim in zip(grid[0], dims, strict=True):
        for seed, run in history[history["dim"] == dim].groupby("seed"):
            hard = run[run["hardmax_train_loss"].notna()]
            axes.plot(run["epoch"], run["train_loss"], color=style.PALETTE[0], label="softmax" if seed == 0 else None)
            axes.plot(
                hard["epoch"], hard["hardmax_train_loss"], color=style.PALETTE[1], linestyle="", marker="o", markersize=4,
                label="hardmax" if seed == 0 else None,
            )  # fmt: skip
        curves = published[published["dim"] == dim]
        for quantity, marker, name in (("train_loss", "D", "softmax, published"), ("hardmax_train_loss", "s", "hardmax, published")):
            curve = curves[curves["quantity"] == quantity]
            if len(curve):
                look = style.PUBLISHED | {"marker": marker, "linestyle": style.PUBLISHED["linestyle"] if marker == "D" else ""}
                axes.plot(curve["epoch"], curve["value"], label=name, **look)
        axes.set(title=f"d = {dim}", xlabel="epoch", ylim=(0, None))
    grid[0, 0].set_ylabel("training loss (nats)")
    grid[0, 0].legend(fontsize=7, loc="lower left")
    return figure
