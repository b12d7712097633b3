"""Training loss of the softmax classifier and of its hardmax version at the same weights."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style
from hardmax.figures.sentiment_training import panels, place

PUBLISHED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("train_loss", "softmax, published", {}),
    ("hardmax_train_loss", "hardmax, published", {"marker": "s", "markersize": 7, "markerfacecolor": "none", "linestyle": ""}),
)


def draw(history: pd.DataFrame, accuracy: pd.DataFrame, published: pd.DataFrame) -> Figure:
    """Columns: dimensions; upper row by epochs, lower at equal optimisation steps. Published: diamonds (softmax), squares (hardmax)."""

    def panel(axes: Axes, dim: int, steps: int) -> None:
        dots: dict[str, Any] = {"color": style.PALETTE[1], "linestyle": "", "marker": "o", "markersize": 4}
        for seed, run in history[history["dim"] == dim].groupby("seed"):
            x, hard = place(run["epoch"], steps), run["hardmax_train_loss"].notna()
            axes.plot(x, run["train_loss"], color=style.PALETTE[0], label="softmax" if seed == 0 else None)
            axes.plot(x[hard], run.loc[hard, "hardmax_train_loss"], label="hardmax" if seed == 0 else None, **dots)
        for quantity, name, look in PUBLISHED:
            curve = published[(published["dim"] == dim) & (published["quantity"] == quantity)]
            if len(curve):
                axes.plot(curve["steps" if steps else "epoch"], curve["value"], label=name, **style.PUBLISHED | look)
        axes.set_ylim(bottom=-0.02)

    return panels(accuracy, published, "training loss (nats)", panel)
