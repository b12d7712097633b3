"""Survival curves of clusters: both ways to simulate them, and both bounds."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from hardmax.figures import style

_CURVE = ["shape", "tokens", "gamma", "ratio"]
_MOST = 3
"""Inverse temperatures in a panel with bounds: the largest ones."""

_AMENDED: dict[str, Any] = {"color": "#000000", "linestyle": "-", "linewidth": 0.9}


def draw(survival: pd.DataFrame, curves: pd.DataFrame, comparison: pd.DataFrame) -> Figure:
    """Left: events against steps. Right: the two curves of the sweep at which both bounds say most, at every beta.

    Args:
        survival: metastability_survival; curves: metastability_comparison_curves; comparison: metastability_comparison.
    """
    chosen = _chosen(survival)
    figure, axes = style.subplots(1, 1 + len(chosen), width="page", height=3.3, sharey=True)
    _methods(axes[0], curves, comparison)
    for place, (values, rows) in zip(axes[1:], chosen, strict=True):
        _bounds(place, dict(zip(_CURVE, values, strict=True)), rows)
    axes[0].set_ylabel("share still within ε, P(T$_2$ > t)")
    looks = {"Kaplan-Meier": {"color": "black"}, "MS-3's bound": style.BOUND, "amended bound": _AMENDED}
    figure.legend(
        handles=[Line2D([], [], label=label, **look) for label, look in looks.items()],
        loc="outside lower right",
        ncol=3,
        fontsize=7,
    )
    return figure


def _chosen(survival: pd.DataFrame) -> list[tuple[tuple, pd.DataFrame]]:
    """The first curve of the sweep, and the one with the smallest gamma, where the amended bound says most."""
    groups = list(survival.groupby(_CURVE, sort=False))
    least = min(range(len(groups)), key=lambda place: groups[place][0][2])
    return [groups[0]] if least == 0 else [groups[0], groups[least]]


def _methods(axes: Axes, curves: pd.DataFrame, comparison: pd.DataFrame) -> None:
    tested = comparison[comparison["quantity"] == "exit_time"].set_index("beta")["p_holm"]
    for colour, (beta, rows) in zip(style.PALETTE, curves.groupby("beta", sort=True), strict=False):
        for method, line in rows.groupby("method"):
            axes.step(line["time"], line["survival"], where="post", color=colour, linestyle="-" if method == "events" else (0, (2, 1.5)))
            if method == "events":
                axes.fill_between(line["time"], line["low"], line["high"], step="post", color=colour, alpha=0.2, linewidth=0)
        axes.plot([], [], color=colour, label=f"{beta:g}  ({tested[beta]:.2f})")
    axes.set(xscale="log", xlabel="t (steps)", title="solid: from event to event,\ndashed: step by step")
    axes.set_xlim(left=0.004)
    axes.set_xticks([1, 10, 100, 1000])
    axes.minorticks_off()
    axes.legend(title="β  (Holm's p)", fontsize=7, title_fontsize=7, loc="lower left")


def _bounds(axes: Axes, point: dict, rows: pd.DataFrame) -> None:
    lines = list(rows.groupby("beta", sort=True))[-_MOST:]
    for colour, height, (beta, line) in zip(style.PALETTE, (0.75, 0.5, 0.25), lines, strict=False):
        axes.step(line["time"], line["survival"], where="post", color=colour)
        axes.fill_between(line["time"], line["low"], line["high"], step="post", color=colour, alpha=0.2, linewidth=0)
        axes.plot(line["time"], line["bound"], **style.BOUND | {"color": colour})
        if (line["amended_bound"] > 0).any():
            axes.plot(line["time"], line["amended_bound"], **_AMENDED | {"color": colour})
        middle = line.iloc[(line["survival"] - height).abs().argmin()]
        axes.annotate(
            f"β={beta:g}",
            (middle["time"], height),
            fontsize=7,
            color=colour,
            ha="right",
            xytext=(-3, 0),
            textcoords="offset points",
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
        )
    decades = np.log10(lines[-1][1]["time"].max())
    axes.set_xscale("log")
    axes.set_xticks(10.0 ** np.arange(0, decades + 1, 3 if decades < 14 else 5))
    axes.set_xticks([], minor=True)
    axes.set(
        xlabel="t (steps)", title=f"{point['shape']}, {point['tokens']} tokens a group,\nγ = {point['gamma']:g}, r = {point['ratio']:g}"
    )
