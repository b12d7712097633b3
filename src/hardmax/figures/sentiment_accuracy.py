"""Training and test accuracy for each dimension, by epochs and at equal optimisation steps, beside the published curves."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style
from hardmax.figures.sentiment_training import panels, place

CURVES = (("train_accuracy", "train", 0), ("test_accuracy", "test", 1))


def draw(history: pd.DataFrame, accuracy: pd.DataFrame, baseline: pd.DataFrame, published: pd.DataFrame) -> Figure:
    """Columns: dimensions; upper row by epochs, lower by steps: an epoch of ours has other steps than a published one."""
    words = baseline.loc[baseline["test_accuracy"].idxmax()]

    def panel(axes: Axes, dim: int, steps: int) -> None:
        for quantity, name, color in CURVES:
            for seed, run in history[history["dim"] == dim].groupby("seed"):
                axes.plot(place(run["epoch"], steps), run[quantity], color=style.PALETTE[color], label=name if seed == 0 else None)
            curve = published[(published["dim"] == dim) & (published["quantity"] == quantity)]
            look = style.PUBLISHED | {"color": style.PALETTE[color], "linewidth": 0.8}
            axes.plot(curve["steps" if steps else "epoch"], curve["value"], label=f"{name}, published", **look)
        axes.axhline(words["test_accuracy"], color="#000000", linestyle=":", linewidth=1.0, label="bag of words, test")
        axes.axhspan(words["accuracy_low"], words["accuracy_high"], color="#000000", alpha=0.12, linewidth=0)
        runs = accuracy[accuracy["dim"] == dim]
        end = place(runs["epochs"] - 1, steps).astype(float).tolist()
        style.interval(axes, end, runs["last_low"].tolist(), runs["last_high"].tolist(), style.PALETTE[1], band=False)

    return panels(accuracy, published, "accuracy", panel)
