"""Training and test accuracy for each dimension, by epochs and at equal optimisation steps, beside the published curves."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style

CURVES = (("train_accuracy", "train", 0), ("test_accuracy", "test", 1))


def draw(history: pd.DataFrame, accuracy: pd.DataFrame, baseline: pd.DataFrame, published: pd.DataFrame) -> Figure:
    """Columns: dimensions; upper row by epochs, lower by steps: an epoch of ours has other steps than a published one."""
    dims = sorted(history["dim"].unique())
    figure, grid = style.subplots(2, len(dims), height=5.2, sharey=True, squeeze=False)
    for column, dim in enumerate(dims):
        runs = accuracy[accuracy["dim"] == dim]
        steps = int(runs["steps"].iloc[0])
        for row, axes in enumerate(grid[:, column]):
            for quantity, name, color in CURVES:
                for seed, run in history[history["dim"] == dim].groupby("seed"):
                    x = run["epoch"] if row == 0 else (run["epoch"] + 1) * steps
                    axes.plot(x, run[quantity], color=style.PALETTE[color], label=name if seed == 0 else None)
                curve = published[(published["dim"] == dim) & (published["quantity"] == quantity)]
                look = style.PUBLISHED | {"color": style.PALETTE[color], "linewidth": 0.8}
                axes.plot(curve["epoch"] if row == 0 else curve["steps"], curve["value"], label=f"{name}, published", **look)
            best = baseline["test_accuracy"].max()
            axes.axhline(best, color="#000000", linestyle=":", linewidth=1.0, label="bag of words, test")
            end = runs["epochs"] - 1 if row == 0 else runs["epochs"] * steps
            style.interval(axes, end.astype(float).tolist(), list(runs["last_low"]), list(runs["last_high"]), style.PALETTE[1], band=False)
            axes.set_xlabel("epoch" if row == 0 else "optimisation steps")
            if row:
                axes.set_xlim(0, 1.05 * float(runs["epochs"].max()) * steps)
        grid[0, column].set_title(f"d = {dim}")
    for axes, text in zip(grid[:, 0], ("by epochs", "at equal optimisation steps"), strict=True):
        axes.set_ylabel(f"accuracy, {text}")
    rate = published.loc[published["epoch"] == 0, "steps"].iloc[0]
    figure.suptitle(f"An epoch has {int(accuracy['steps'].iloc[0])} optimisation steps here, {int(rate)} in the paper", fontsize=9)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=7)
    return figure
