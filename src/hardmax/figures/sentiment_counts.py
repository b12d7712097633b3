"""Leaders a review by five definitions, and clusters a review against its tokens."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style

DEFINITIONS = ("paper", "one layer more", "other epoch", "padding counted", "script")


def draw(leaders: pd.DataFrame, clusters: pd.DataFrame) -> Figure:
    """Left: mean leaders with intervals; right: tokens, and clusters with their 5 to 95 % range. First seed of each dimension."""
    leaders, clusters = leaders[leaders["seed"] == 0], clusters[clusters["seed"] == 0]
    dims = sorted(leaders["dim"].unique())
    figure, (left, right) = style.subplots(1, 2, height=3.8)
    place = np.arange(len(dims), dtype=float)
    for number, definition in enumerate(DEFINITIONS):
        table = leaders[leaders["definition"] == definition].set_index("dim").loc[dims]
        x = place + 0.13 * (number - 2)
        left.plot(x, table["mean"], linestyle="", marker="os^Dv"[number], markersize=5, color=style.PALETTE[number], label=definition)
        style.interval(left, list(x), list(table["mean_low"]), list(table["mean_high"]), style.PALETTE[number], band=False)
    left.set(title="leaders, by definition", ylabel="leaders a review (mean, 95 % interval)", ylim=(0, None))
    tolerances = sorted(clusters["tolerance"].unique())
    table = clusters[clusters["tolerance"] == tolerances[0]].set_index("dim").loc[dims]
    right.plot(place - 0.2, table["tokens"], linestyle="", marker="s", color="#555555", label="distinct tokens (mean)")
    for number, tolerance in enumerate(tolerances):
        table = clusters[clusters["tolerance"] == tolerance].set_index("dim").loc[dims]
        x, color = place + 0.15 * number, style.PALETTE[number]
        right.plot(x, table["clusters"], linestyle="", marker="o", color=color, label=f"clusters within {tolerance:g} of the extent")
        style.interval(right, list(x), list(table["quantile_5"]), list(table["quantile_95"]), color, band=False)
    right.set(title="tokens and clusters", ylabel="number a review (mean, 5 to 95 % of reviews)", ylim=(0, None))
    for axes in (left, right):
        axes.set_xticks(place, [f"d = {dim}" for dim in dims])
        axes.set_xlim(-0.5, len(dims) - 0.5)
        axes.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=3 if axes is left else 1)
    return figure
