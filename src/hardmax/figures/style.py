"""One look for all figures: sizes that fit a page, a colour-blind safe palette, how intervals and published values are drawn."""

from typing import Any, Literal

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
import pandas as pd
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure

matplotlib.use("Agg")

PALETTE: tuple[str, ...] = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31")
"""Okabe and Ito's colours, safe for colour-blind readers; the yellow, too pale on white, gives way to a brown."""

WIDTHS = {"column": 3.5, "page": 7.2}
"""Widths in inches: one column, and a whole page."""

PUBLISHED: dict[str, Any] = {
    "color": "#444444",
    "linestyle": (0, (4, 2)),
    "linewidth": 1.2,
    "marker": "D",
    "markersize": 4,
    "markerfacecolor": "white",
}
"""How published values look everywhere: dark grey, dashed, open diamonds."""

BOUND: dict[str, Any] = {"color": "#000000", "linestyle": ":", "linewidth": 1.3}
"""How a theorem's bound looks everywhere."""

_RC: Any = {
    "figure.dpi": 110,
    "savefig.dpi": 200,
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "legend.fontsize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    "pdf.fonttype": 42,
    "svg.hashsalt": "hardmax",
    "font.family": "DejaVu Sans",
}


def figure(width: Literal["column", "page"] = "page", height: float = 3.0, **kwargs: Any) -> Figure:
    """An empty figure of the house's look; `height` in inches, other arguments go to `matplotlib.pyplot.figure`."""
    matplotlib.rcParams.update(_RC)
    return plt.figure(figsize=(WIDTHS[width], height), **kwargs)


def subplots(
    rows: int = 1, columns: int = 1, width: Literal["column", "page"] = "page", height: float = 3.0, **kwargs: Any
) -> tuple[Figure, Any]:
    """A figure with a grid of axes, as `matplotlib.pyplot.subplots`; `height` in inches."""
    matplotlib.rcParams.update(_RC)
    return plt.subplots(rows, columns, figsize=(WIDTHS[width], height), **kwargs)


def interval(
    axes: Axes, x: npt.ArrayLike | pd.Series, low: npt.ArrayLike | pd.Series, high: npt.ArrayLike | pd.Series, color: str, band: bool = True
) -> None:
    """Draw intervals: a band along a curve, or bars where the points stand alone."""
    if band:
        axes.fill_between(np.asarray(x, float), np.asarray(low, float), np.asarray(high, float), color=color, alpha=0.2, linewidth=0)
    else:
        axes.vlines(np.asarray(x, float), np.asarray(low, float), np.asarray(high, float), color=color, linewidth=1.2)


def plain(text: str) -> str:
    """Text as it is: a dollar sign of a word is no formula."""
    return text.replace("\\", r"\\").replace("$", r"\$")
