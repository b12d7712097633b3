"""Which cell each token is in, over the whole life of the clusters: a space-time picture."""

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import AutoLocator, ScalarFormatter

from hardmax.figures import style


def draw(occupation: pd.DataFrame) -> Figure:
    """Rows are tokens, sorted by group; frames follow one another evenly, with the time of each above.

    Args:
        occupation: metastability_occupation.
    """
    groups = occupation.drop_duplicates("token").set_index("token")["group"].sort_values(kind="stable")
    cells = occupation.pivot(index="token", columns="frame", values="cell").loc[groups.index]
    times = occupation.drop_duplicates("frame").sort_values("frame")["time"]
    colours = style.PALETTE[: int(max(occupation["cell"].max(), groups.max())) + 1]
    figure, (top, axes) = style.subplots(2, 1, width="page", height=3.6, sharex=True, gridspec_kw={"height_ratios": [1, 2.2]})
    sns.heatmap(cells, ax=axes, cmap=list(colours), vmin=-0.5, vmax=len(colours) - 0.5, cbar=False, rasterized=True)
    axes.grid(False)
    for border in np.flatnonzero(np.diff(groups)) + 1:
        axes.axhline(border, color="white", linewidth=1.5)
    middles = [np.flatnonzero(groups == group).mean() + 0.5 for group in range(groups.max() + 1)]
    axes.set_yticks(middles, [f"group {group}" for group in range(groups.max() + 1)])
    axes.xaxis.set_major_locator(AutoLocator())
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.tick_params(rotation=0)
    axes.set(xlabel="frame (a pick outside a group that moved a token)", ylabel="tokens")
    figure.legend(
        handles=[Patch(color=colour, label=f"cell of v$_{cell}$") for cell, colour in enumerate(colours)],
        loc="outside lower center", ncol=len(colours), fontsize=7,
    )  # fmt: skip
    top.stairs(np.maximum(times, 1.0), np.arange(len(times) + 1), baseline=None, color="black", linewidth=1.2)
    top.set(yscale="log", ylabel="time (steps)")
    return figure
