"""Median exit times against inverse temperature, along each axis of the sweep."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style

_CURVE = ["shape", "tokens", "gamma", "ratio"]
_MARKERS = "osD^vP*X"
_MOST = 8
"""Curves a panel."""


def draw(medians: pd.DataFrame) -> Figure:
    """One panel for simplices by number of vertices, one for the other parameters of the triangle, one for polygons.

    Args:
        medians: metastability_medians.
    """
    first = medians.iloc[0]
    base = (medians[_CURVE[1:]] == first[_CURVE[1:]]).all(axis=1)
    simplex = medians["shape"].str.startswith("simplex")
    panels = {
        f"regular simplices\n(tokens a group: {first['tokens']}, γ = {first['gamma']:g}, r = {first['ratio']:g})": (
            medians[simplex & base],
            "{shape}",
        ),
        f"{first['shape']}, other parameters": (
            medians[(medians["shape"] == first["shape"]) & ~base],
            "tokens: {tokens}, γ={gamma:g}, r={ratio:g}",
        ),
        "polygons, outside\nthe hypotheses": (medians[~simplex], "{shape}, tokens: {tokens}, r={ratio:g}"),
    }
    shown = {title: panel for title, panel in panels.items() if len(panel[0])}
    figure, axes = style.subplots(1, len(shown), width="page", height=3.4, sharey=True, squeeze=False)
    for place, (title, (rows, label)) in zip(axes[0], shown.items(), strict=True):
        _panel(place, rows, label)
        place.set_title(title)
    axes[0][0].set_ylabel("median exit time T$_2$ (steps)")
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, label: str) -> None:
    for place, (values, line) in enumerate(rows.groupby(_CURVE, sort=False)):
        if place == _MOST:
            break
        line = line.sort_values("beta")
        names = dict(zip(_CURVE, values, strict=True))
        axes.errorbar(
            line["beta"], line["median"], [line["median"] - line["low"], line["high"] - line["median"]],
            color=style.PALETTE[place], marker=_MARKERS[place], markersize=4, linewidth=1.1, capsize=2, label=label.format(**names),
        )  # fmt: skip
    axes.set(yscale="log", xlabel="inverse temperature β")
    axes.legend(fontsize=7, loc="upper left")
