"""Which cell each token is in, over the whole life of the clusters: a space-time picture."""

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from hardmax.figures import style


def draw(occupation: pd.DataFrame) -> Figure:
    """Rows are tokens, sorted by group; frames follow one another evenly, with the time of each above.

    Args:
        occupation: metastability_occupation.
    """
    cells = occupation.pivot(index="token", columns="frame", values="cell")
    groups = occupation.drop_duplicates("token").set_index("token")["group"]
    order = groups.sort_values(kind="stable").index
    times = occupation.drop_duplicates("frame").set_index("frame")["time"]
    count = int(max(occupation["cell"].max(), groups.max())) + 1
    figure, (top, axes) = style.subplots(2, 1, width="page", height=3.6, sharex=True, gridspec_kw={"height_ratios": [1, 2.2]})
    frames = np.arange(len(times) + 1) - 0.5
    axes.pcolormesh(
        frames,
        np.arange(len(order) + 1) - 0.5,
        cells.loc[order].to_numpy(),
        cmap=ListedColormap(style.PALETTE[:count]),
        vmin=-0.5,
        vmax=count - 0.5,
        rasterized=True,
    )
    axes.grid(False)
    for border in np.flatnonzero(np.diff(groups[order].to_numpy())) + 0.5:
        axes.axhline(border, color="white", linewidth=1.5)
    middles = [np.flatnonzero(groups[order].to_numpy() == group).mean() for group in range(groups.max() + 1)]
    axes.set_yticks(middles, [f"group {group}" for group in range(groups.max() + 1)])
    axes.set(xlabel="frame (a pick outside a group that moved a token)", ylabel="tokens")
    axes.legend(
        handles=[Patch(color=style.PALETTE[cell], label=f"cell of v$_{cell}$") for cell in range(count)],
        loc="lower center", bbox_to_anchor=(0.5, -0.42), ncol=count, fontsize=7,
    )  # fmt: skip
    top.step(np.arange(len(times)), np.maximum(times, 1.0), where="post", color="black", linewidth=1.2)
    top.set(yscale="log", ylabel="time (steps)")
    return figure
