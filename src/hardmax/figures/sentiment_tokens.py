"""Tokens of a positive and a negative review before the first and after the last hardmax layer, d = 2."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from hardmax.figures import style

NAMES = {1: "positive review", 0: "negative review"}
WORDS = 9


def draw(tokens: pd.DataFrame, decoder: pd.DataFrame) -> Figure:
    """Rows: the two reviews; columns: layer 0 and the last."""
    last = int(tokens["layer"].max())
    figure, grid = style.subplots(2, 2, height=6.4)
    for axes, label in zip(grid, NAMES, strict=True):
        for panel, layer in zip(axes, (0, last), strict=True):
            draw_layer(panel, tokens, decoder, label, layer)
            panel.set_title(f"{NAMES[label]}, K = {layer}")
    legend(figure, grid[0, 0])
    return figure


def legend(figure: Figure, axes: Axes) -> None:
    """What a panel's marks mean, below all panels."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=7)


def draw_layer(axes: Axes, tokens: pd.DataFrame, decoder: pd.DataFrame, label: int, layer: int) -> None:
    """One review at one layer: tokens sized by multiplicity, leaders with their words, mean token, decision line."""
    review = tokens[tokens["label"] == label]
    state = review[(review["layer"] == layer) & (review["kind"] == "token")]
    mean = review[(review["layer"] == layer) & (review["kind"] == "mean")]
    everywhere = review.loc[review["kind"] == "token", ["x", "y"]]
    middle, half = (everywhere.max() + everywhere.min()) / 2, 0.62 * (everywhere.max() - everywhere.min()).max()
    low, high = (middle - half).to_numpy(float), (middle + half).to_numpy(float)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="first coordinate", ylabel="second coordinate")
    axes.set_aspect("equal")
    values = decoder.set_index("parameter")["value"]
    weight, bias = np.array([values["weight 1"], values["weight 2"]]), values["bias"]
    foot, along = -bias * weight / (weight @ weight), np.array([-weight[1], weight[0]])
    axes.axline(foot, foot + along, color="#000000", linewidth=1.1, label="decision line")
    side = style.PALETTE[0] if label else style.PALETTE[1]
    others, leaders = state[~state["leader"]], state[state["leader"]]
    padding = state[state["word"].isna()]
    axes.scatter(others["x"], others["y"], s=10, color="#888888", linewidth=0, alpha=0.7, label="token")
    axes.scatter(padding["x"], padding["y"], s=30, marker="s", facecolor="none", edgecolor="#555555", label="padding")
    axes.scatter(leaders["x"], leaders["y"], s=60, marker="*", color=side, zorder=3)
    axes.scatter([], [], s=60, marker="*", color="#555555", label="leader (last layer)")
    axes.scatter(
        mean["x"], mean["y"], s=45, marker="X", color=style.PALETTE[2], edgecolor="black", linewidth=0.5, zorder=4, label="mean token"
    )
    for row in leaders.dropna(subset=["word"]).assign(size=lambda t: t["x"] ** 2 + t["y"] ** 2).nlargest(WORDS, "size").itertuples():
        right = row.x > (low[0] + high[0]) / 2
        axes.annotate(
            style.plain(str(row.word)), (row.x, row.y), xytext=(-5 if right else 5, 3), textcoords="offset points", fontsize=7,
            ha="right" if right else "left", zorder=5, path_effects=[withStroke(linewidth=2, foreground="white")],
        )  # fmt: skip
