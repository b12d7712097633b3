"""How long clusters last and how long hardmax describes them, against inverse temperature."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style

_TITLES = {"collapse": "until all tokens are at one place", "deviation": "until a token is ε from hardmax"}
_LOOKS = {"chain": ("o", "-", "(SA$_P$), median"), "mean": ("s", (0, (4, 2)), "(SA$_β$)")}


def draw(lifetimes: pd.DataFrame) -> Figure:
    """One panel a quantity; colours are polytopes, markers processes.

    Args:
        lifetimes: metastability_lifetimes.
    """
    figure, axes = style.subplots(1, 2, width="page", height=3.3, sharey=True)
    for place, (quantity, title) in zip(axes, _TITLES.items(), strict=True):
        rows = lifetimes[lifetimes["quantity"] == quantity]
        for colour, (shape, lines) in zip(style.PALETTE, rows.groupby("shape", sort=False), strict=False):
            for process, line in lines.groupby("process"):
                marker, dash, label = _LOOKS[str(process)]
                place.errorbar(
                    line["beta"], line["log10_time"], [line["log10_time"] - line["low"], line["high"] - line["log10_time"]],
                    color=colour, marker=marker, markerfacecolor="white" if process == "mean" else colour, markersize=4,
                    linestyle=dash, linewidth=1.1, capsize=2, label=f"{shape}, {label}",
                )  # fmt: skip
        epsilon = rows["epsilon"].iloc[0]
        place.set(xlabel="inverse temperature β", title=title + (f", ε = {epsilon:.3g}" if quantity == "deviation" else ""))
    axes[0].set_ylabel("log$_{10}$ of the number of steps")
    axes[0].legend(fontsize=7, loc="upper left")
    return figure
