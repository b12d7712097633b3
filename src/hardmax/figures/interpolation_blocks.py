"""A block as a diagram, the piecewise-linear map of its feed-forward layer, and a bump that moves one token."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hardmax.figures import style

BOXES = (
    ("tokens $x_i$", "#f2f2f2"),
    ("feed-forward, $p \\leq 4$ neurons\n$x_i \\leftarrow \\eta\\,x_i + W\\,\\mathrm{relu}(U x_i + b)$", "#d7e8f5"),
    ("attention, one head\n$x_i \\leftarrow \\rho\\,x_i + V\\,\\mathrm{mean}_{j \\in C_i}\\,x_j$", "#fbe3d2"),
    ("next block", "#f2f2f2"),
)


def draw(blocks: pd.DataFrame) -> Figure:
    """The diagram above, the two maps below."""
    figure = style.figure(height=4.4)
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 2.4))
    above, left, right = (figure.add_subplot(place) for place in (grid[0, :], grid[1, 0], grid[1, 1]))
    _diagram(above)
    for axis, curve in ((left, "groups sent home"), (right, "bump")):
        _map(axis, blocks[blocks["curve"] == curve])
        axis.set_xlabel(r"position $z = \langle w, x\rangle$ before the block")
    left.set_title("groups sent home: zero, then a slope a kink")
    right.set_title("a bump of three kinks moves one token")
    left.set_ylabel("coordinate after the block")
    left.legend(loc="best")
    return figure


def _diagram(axis: Axes) -> None:
    axis.set_axis_off()
    axis.set_xlim(0, 10)
    axis.set_ylim(0, 1)
    centres = (0.9, 3.6, 6.9, 9.3)
    for centre, (text, colour) in zip(centres, BOXES, strict=True):
        axis.text(
            centre,
            0.55,
            text,
            ha="center",
            va="center",
            fontsize=8.5,
            bbox={"boxstyle": "round,pad=0.5", "facecolor": colour, "edgecolor": "#555555"},
        )
    for start, stop in ((1.42, 2.15), (5.05, 5.55), (8.27, 8.78)):
        axis.annotate("", xy=(stop, 0.55), xytext=(start, 0.55), arrowprops={"arrowstyle": "->", "color": "#333333"})
    axis.text(
        6.9, -0.05, "$C_i$: maximisers of $\\langle Bx_i, x_j\\rangle$; all tokens where $B = 0$", ha="center", va="bottom", fontsize=8
    )


def _map(axis: Axes, table: pd.DataFrame) -> None:
    curve, tokens, kinks = (table[table["kind"] == kind] for kind in ("curve", "token", "kink"))
    for column, colour, label in (
        ("along", style.PALETTE[0], r"along $w$: $\langle w, x\rangle$"),
        ("across", style.PALETTE[1], r"across: $\langle v, x\rangle$"),
    ):
        axis.plot(curve["z"], curve[column], color=colour, label=label)
        axis.scatter(tokens["z"], tokens[column], s=18, color=colour, zorder=3)
    axis.plot(curve["z"], curve["z"], color="#999999", linewidth=0.8, linestyle="--", label="unchanged")
    for k, z in enumerate(kinks["z"]):
        axis.axvline(z, color="#bbbbbb", linewidth=0.8, linestyle=":", label="kinks" if k == 0 else None)
    axis.scatter([], [], s=18, color="#555555", label="tokens")
