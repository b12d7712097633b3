"""The followed set as the face of the hull where the hyperplane orthogonal to the query touches."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from hardmax.figures import style

_TOKEN, _FOLLOWED, _CHOSEN = style.PALETTE[5], style.PALETTE[1], style.PALETTE[0]
_SHADE = "#BBBBBB"


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    kind = dict(tuple(rows.groupby("kind")))
    tokens, feet = kind["token"].set_index("index"), kind["foot"].set_index("index")
    axes.fill(kind["hull"]["x"], kind["hull"]["y"], color=_SHADE, alpha=0.35, linewidth=0, zorder=0)
    axes.plot(kind["hyperplane"]["x"], kind["hyperplane"]["y"], color="black", linestyle=(0, (4, 2)), linewidth=1.2, zorder=1)
    chosen = tokens[tokens["chosen"]].iloc[0]
    query = kind["query"].iloc[0]
    for index, token in tokens.iterrows():
        foot = feet.loc[index]
        colour = _FOLLOWED if token["followed"] else "#888888"
        axes.plot([token["x"], foot["x"]], [token["y"], foot["y"]], color=colour, linestyle=":", linewidth=0.9, zorder=1)
        axes.plot(foot["x"], foot["y"], marker="|", color=colour, markersize=4, zorder=2)
        face = _CHOSEN if token["chosen"] else _FOLLOWED if token["followed"] else _TOKEN
        edge = _FOLLOWED if token["followed"] else "black"
        axes.plot(
            token["x"],
            token["y"],
            marker="o",
            markersize=6,
            color=face,
            markeredgecolor=edge,
            markeredgewidth=1.6 if token["followed"] else 0.5,
            zorder=4,
        )
    arrow = {"arrowstyle": "-|>", "color": _CHOSEN, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", xy=(query["x"], query["y"]), xytext=(0, 0), arrowprops=arrow, zorder=3)
    axes.annotate("$Az_i$", (query["x"], query["y"]), textcoords="offset points", xytext=(3, 4), color=_CHOSEN, ha="center")
    axes.annotate("$z_i$", (chosen["x"], chosen["y"]), textcoords="offset points", xytext=(-1, -15), color=_CHOSEN, ha="center")
    axes.plot(0, 0, marker="+", color="black", markersize=7, zorder=2)


def draw(picture: pd.DataFrame) -> Figure:
    """One panel a case: a vertex followed, an edge followed, a leader.

    Args:
        picture: the table clustering_followed_sets.
    """
    names = list(dict.fromkeys(picture["panel"]))
    figure, grid = style.subplots(1, len(names), width="page", height=3.2, sharex=True, sharey=True)
    for axes, name in zip(grid, names, strict=True):
        _panel(axes, picture[picture["panel"] == name])
        axes.set(title=name, xlabel="first coordinate", aspect="equal", xlim=(-2.8, 3.0), ylim=(-2.6, 3.1))
    grid[0].set_ylabel("second coordinate")
    marks = [
        Line2D([], [], marker="o", color=_CHOSEN, markeredgecolor="black", linestyle="none", label="token $z_i$"),
        Line2D([], [], marker="o", color=_FOLLOWED, linestyle="none", label="followed by $z_i$"),
        Line2D([], [], marker="o", color=_TOKEN, markeredgecolor="black", linestyle="none", label="other token"),
        Line2D([], [], color="black", linestyle=(0, (4, 2)), label="hyperplane of largest score"),
        Patch(facecolor=_SHADE, alpha=0.5, label="hull of the tokens"),
        Line2D([], [], marker="+", color="black", linestyle="none", label="origin"),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=3)
    return figure
