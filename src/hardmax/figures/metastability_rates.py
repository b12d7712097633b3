"""Measured growth rates of exit times beside the bound's rate and the score gap."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style

_MOST = 30
"""Curves shown, the first ones of the table."""


def draw(rates: pd.DataFrame) -> Figure:
    """One row a curve of the sweep: rate with its interval, MS-3's rate, c0, and measured rate over MS-3's.

    Args:
        rates: metastability_rates.
    """
    rows = rates.head(_MOST)
    place = np.arange(len(rows))[::-1]
    figure, axes = style.subplots(1, 1, width="page", height=1.3 + 0.24 * len(rows))
    outside = ~rows["shape"].str.startswith("simplex").to_numpy()
    for hidden, label, colour in (
        (False, "measured, within MS-3's hypotheses on K", style.PALETTE[0]),
        (True, "measured, outside", style.PALETTE[1]),
    ):
        chosen = outside == hidden
        if chosen.any():
            line = rows[chosen]
            axes.errorbar(
                line["slope"], place[chosen], xerr=[line["slope"] - line["low"], line["high"] - line["slope"]],
                linestyle="none", marker="o", markersize=4, capsize=2, color=colour, label=label,
            )  # fmt: skip
    axes.scatter(
        rows["paper_rate"],
        place,
        marker="D",
        s=22,
        facecolor="white",
        edgecolor=style.PUBLISHED["color"],
        label="MS-3's bound, (c$_0$/2) r/(1+r)",
        zorder=3,
    )
    axes.scatter(rows["score_gap"], place, marker="|", s=90, color="black", label="score gap c$_0$", zorder=3)
    right = float(rows[["high", "score_gap"]].max().max())
    for at, ratio in zip(place, rows["slope_over_paper_rate"], strict=True):
        axes.annotate(f"× {ratio:.2f}", (right * 1.06, at), fontsize=7, va="center")
    axes.set_yticks(place, [f"{r.shape}, {r.tokens} tok., γ={r.gamma:g}, r={r.ratio:g}" for r in rows.itertuples()], fontsize=7)
    axes.set_xlim(0, right * 1.17)
    axes.set_xlabel("growth rate of log median exit time in β; right: measured / bound")
    axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1.0), ncol=2, fontsize=7)
    return figure
