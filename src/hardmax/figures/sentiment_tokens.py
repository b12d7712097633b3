"""Tokens of a positive and a negative review before the first and after the last hardmax layer, d = 2."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from hardmax.figures import style

NAMES = {1: "positive review", 0: "negative review"}
WORDS = 9
POINTS = 175
"""About the width of a panel, in points: words are placed by it."""


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
    words = leaders.dropna(subset=["word"])
    _words(
        axes,
        words.loc[(words["x"] ** 2 + words["y"] ** 2).nlargest(WORDS).index],
        pd.concat([leaders, mean])[["x", "y"]].to_numpy(),
        2 * half / POINTS,
    )


def _words(axes: Axes, words: pd.DataFrame, stars: np.ndarray, point: float) -> None:
    """Each word at the first corner of its star, inner ones first, where it meets no other word or mark, else at the first.

    Args:
        stars: places of all stars and of the mean token, (marks, 2); point: a typographic point in the axes' unit.
    """
    taken: list[np.ndarray] = []
    centre = sum(axes.get_xlim()) / 2
    for row in words.itertuples():
        star, inner = np.array([row.x, row.y]), 1 if row.x < centre else -1
        others = stars[(stars != star).any(axis=1)]
        size = point * np.array([4.4 * len(str(row.word)), 8.0])
        corners: list[tuple[bool, int, int, int, np.ndarray]] = []
        for right, up in ((inner, 1), (inner, -1), (-inner, 1), (-inner, -1)):
            low = star + point * np.array([5 * right, 3 if up > 0 else -11]) - [size[0] * (right < 0), 0]
            box = np.array([low, low + size])
            free = all((box[0] >= other[1]).any() or (box[1] <= other[0]).any() for other in taken)
            free = free and not ((box[0] - 4 * point < others) & (others < box[1] + 4 * point)).all(axis=1).any()
            corners.append((not free, len(corners), right, up, box))
        _, _, right, up, box = min(corners, key=lambda corner: corner[:2])
        taken.append(box)
        axes.annotate(
            style.plain(str(row.word)), (row.x, row.y), xytext=(5 * right, 3 if up > 0 else -9), textcoords="offset points", fontsize=7,
            ha="left" if right > 0 else "right", zorder=5, path_effects=[withStroke(linewidth=2, foreground="white")],
        )  # fmt: skip
