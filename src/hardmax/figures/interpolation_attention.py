"""One attention layer on small clouds: leaders by projection, hardmax beside softmax, and three collapse lemmas."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style

LEMMAS = {
    "rank one": "rank one: at most two images",
    "dominant corner": "dominant corner: one image",
    "equal norms": "equal norms: nothing moves",
}


def draw(attention: pd.DataFrame) -> Figure:
    """Above: the leader of one token by projection, then hardmax and softmax; below: the collapse lemmas."""
    compared = attention[attention["panel"] == "temperature"]
    settings = list(dict.fromkeys(compared["setting"]))
    columns = max(1 + len(settings), len(LEMMAS))
    figure, axes = style.subplots(2, columns, height=4.3)
    _projections(axes[0, 0], attention[attention["panel"] == "projections"])
    for axis, setting in zip(axes[0, 1:], settings, strict=False):
        _moves(axis, compared[compared["setting"] == setting], setting)
    for axis, (lemma, title) in zip(axes[1], LEMMAS.items(), strict=False):
        _moves(axis, attention[(attention["panel"] == "collapse") & (attention["setting"] == lemma)], title)
    for axis in (*axes[0, 1 + len(settings) :], *axes[1, len(LEMMAS) :]):
        axis.set_axis_off()
    handles = axes[0, 1].get_legend_handles_labels()
    axes[1, -1].legend(*handles, loc="center") if columns > len(LEMMAS) else figure.legend(*handles, loc="outside lower center", ncols=2)
    return figure


def _projections(axis: Axes, cloud: pd.DataFrame) -> None:
    """Feet of the tokens on the line of the query B x; the leader is the farthest."""
    query = cloud[["query_x", "query_y"]].iloc[0].to_numpy()
    unit = query / np.linalg.norm(query)
    points = cloud[["x", "y"]].to_numpy()
    shares = (cloud["score"] / np.linalg.norm(query)).to_numpy()
    feet = shares[:, None] * unit
    reach = np.array([shares.min() - 0.2, shares.max() + 0.2])[:, None] * unit
    axis.plot(*reach.T, color="#888888", linewidth=0.9, zorder=1)
    for point, foot in zip(points, feet, strict=True):
        axis.plot(*np.stack([point, foot]).T, color="#bbbbbb", linewidth=0.7, zorder=1)
    axis.scatter(points[:, 0], points[:, 1], s=20, color=style.PALETTE[0], zorder=3)
    axis.scatter(points[0, 0], points[0, 1], s=60, facecolors="none", edgecolors=style.PALETTE[1], zorder=4)
    leader = int(shares.argmax())
    axis.scatter(points[leader, 0], points[leader, 1], s=70, marker="*", color=style.PALETTE[2], zorder=4)
    arrow = {"arrowstyle": "-|>", "color": style.PALETTE[1], "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", xy=unit * shares.max(), xytext=(0, 0), arrowprops=arrow, zorder=2)
    axis.set_title("leader (star) of the ringed token:\nfarthest along $Bx$ (arrow, scaled)", fontsize=8)
    _square(axis)


def _moves(axis: Axes, cloud: pd.DataFrame, title: str) -> None:
    for _, token in cloud.iterrows():
        axis.plot([token["x"], token["image_x"]], [token["y"], token["image_y"]], color="#bbbbbb", linewidth=0.7, zorder=1)
    axis.scatter(cloud["x"], cloud["y"], s=20, color=style.PALETTE[0], label="tokens", zorder=2)
    axis.scatter(
        cloud["image_x"], cloud["image_y"], s=48, facecolors="none", edgecolors=style.PALETTE[1], linewidths=1.3, label="images", zorder=3
    )
    axis.set_title(title, fontsize=8)
    _square(axis)


def _square(axis: Axes) -> None:
    """A square around the data, of one scale."""
    box = axis.dataLim
    x, y, half = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, 0.62 * max(box.width, box.height)
    axis.set(aspect="equal", xlim=(x - half, x + half), ylim=(y - half, y + half))
    axis.set_xlabel("$x_1$")
    axis.set_ylabel("$x_2$")
