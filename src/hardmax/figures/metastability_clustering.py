"""The clustering phase: success at T1 against beta, and the constant it takes."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style

_MARKERS = {"C = 2": "o", "C = spread/(1 - gamma)": "s"}


def draw(success: pd.DataFrame, trials: pd.DataFrame) -> Figure:
    """Left: share of runs clustered at T1, from deep starts. Middle: T1 and when clusters formed. Right: the C each run needs.

    Args:
        success: metastability_clustering; trials: metastability_clustering_trials.
    """
    figure, (left, middle, right) = style.subplots(1, 3, width="page", height=4.0)
    shape, gamma = success["shape"].iloc[0], success["gamma"].iloc[0]
    deep = success[(success["shape"] == shape) & (success["gamma"] == gamma) & (success["placement"] == "deep")]
    for colour, (criterion, line) in zip(style.PALETTE, deep.groupby("criterion", sort=False), strict=False):
        left.errorbar(
            line["beta"], line["share"], [line["share"] - line["low"], line["high"] - line["share"]],
            color=colour, marker=_MARKERS[str(criterion)], markersize=4, capsize=2, label=str(criterion).replace("gamma", "γ").replace(" - ", " − "),
        )  # fmt: skip
    grid = np.geomspace(success["beta"].min(), success["beta"].max(), 100)
    left.plot(grid, 1 - grid ** (-1 / 8), **style.BOUND, label="MS-2: 1 − β$^{-1/8}$")
    left.set(xscale="log", xlabel="inverse temperature β", ylabel="share of runs clustered at T$_1$", ylim=(-0.03, 1.03))
    left.set_title(f"{shape}, γ = {gamma:g}, deep starts")
    halfway = success[(success["placement"] == "halfway") & (success["criterion"] == "C = 2")]
    for place, ((name, step), line) in enumerate(halfway.groupby(["shape", "gamma"], sort=False)):
        colour, look = style.PALETTE[place], {"marker": "osD^vP*X"[place % 8], "markersize": 7 - 1.5 * (place % 4)}
        middle.plot(line["beta"], line["measured_t1"], color=colour, label=f"{name}, γ={step:g}", **look)
        middle.plot(line["beta"], line["t1"], color=colour, linestyle=":", linewidth=1.3)
    middle.set(xscale="log", yscale="log", xlabel="inverse temperature β", ylabel="steps until clustered, median")
    middle.yaxis.set_major_formatter("{x:g}")
    middle.set_title("same start at every β; dotted: T$_1$")
    met = trials[trials["met"]]
    for colour, (step, points) in zip(style.PALETTE, met.groupby("gamma"), strict=False):
        right.scatter(points["spread"], points["needed"], s=7, color=colour, label=f"γ = {step:g}", linewidths=0)
    ends = np.array([1.0, max(2.0, met["spread"].max() if len(met) else 2.0)])
    right.plot(ends, ends, color="black", linewidth=0.8, label="equal")
    right.set(xscale="log", yscale="log", xlabel="max / min |x$_i$ − v| at first", ylabel="smallest C at T$_1$")
    right.set_title("within MS-2's hypotheses")
    right.xaxis.set_major_formatter("{x:g}")
    right.yaxis.set_major_formatter("{x:g}")
    for axes in (left, middle, right):
        axes.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.19))
    return figure
