"""What the figures of training share: a column a dimension, by epochs above and at equal optimisation steps below."""

from collections.abc import Callable

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style


def panels(accuracy: pd.DataFrame, published: pd.DataFrame, name: str, panel: Callable[[Axes, int, int], None]) -> Figure:
    """A grid of panels, each drawn by `panel(axes, dim, steps)`: by epochs where `steps` is 0, else by steps, so many an epoch.

    Args:
        accuracy: `sentiment_accuracy`, with the steps of our epochs.
        published: `sentiment_published`, with the paper's.
        name: of the vertical axis, with its unit.
    """
    dims = sorted(accuracy["dim"].unique())
    figure, grid = style.subplots(2, len(dims), height=5.2, sharey=True, squeeze=False)
    ours, theirs = int(accuracy["steps"].iloc[0]), int(published.loc[published["epoch"] == 0, "steps"].iloc[0])
    for column, dim in enumerate(dims):
        for axes, steps, label in zip(grid[:, column], (0, ours), ("epoch", "optimisation steps"), strict=True):
            panel(axes, int(dim), steps)
            axes.set_xlabel(label)
        grid[0, column].set_title(f"d = {dim}")
        grid[1, column].set_xlim(0, 1.08 * float(accuracy["epochs"].max()) * ours)
    for axes, text in zip(grid[:, 0], ("by epochs", "at equal steps"), strict=True):
        axes.set_ylabel(f"{name}, {text}")
    figure.suptitle(f"An epoch has {ours} optimisation steps here, {theirs} in the paper", fontsize=9)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=7)
    return figure


def place(epochs: pd.Series, steps: int) -> pd.Series:
    """Where the ends of epochs stand on the horizontal axis of a panel."""
    return (epochs + 1) * steps if steps else epochs
