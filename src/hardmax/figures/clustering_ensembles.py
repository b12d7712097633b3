"""Random ensembles of leader averaging summed up: clusters, layers, emerging leaders, limits on faces, reviews."""

from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullFormatter, NullLocator

from hardmax.figures import style

_MARKERS = "osD^vPX"


def _curves(axes: Axes, rows: pd.DataFrame, along: str, dims: list[int], apart: float = 1.0) -> None:
    """One curve with intervals for each dimension, by the factor `apart` beside the one before, lest intervals hide one another."""
    for dim, group in rows.groupby("dim"):
        place = dims.index(dim)
        colour = style.PALETTE[place % len(style.PALETTE)]
        group = group.sort_values(along)
        x = group[along] * apart ** (place - (len(dims) - 1) / 2)
        axes.plot(x, group["estimate"], marker=_MARKERS[place % len(_MARKERS)], markersize=4, color=colour, label=f"d = {dim}")
        style.interval(axes, list(x), group["low"].tolist(), group["high"].tolist(), colour, band=False)


def _plain_ticks(axes: Axes, values: Iterable[float], logarithmic_y: bool = False) -> None:
    """Ticks at these values of a logarithmic axis, as plain numbers."""
    axes.set_xticks(sorted(values))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_locator(NullLocator())
    if logarithmic_y:
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())


def _identity(axes: Axes, tokens: pd.Series) -> None:
    least, largest = tokens.min(), tokens.max()
    axes.plot([least, largest], [least, largest], **style.BOUND)
    axes.annotate(
        "no two tokens merge", (largest, largest), textcoords="offset points", xytext=(-4, -2), ha="right", va="bottom", fontsize=7
    )


def draw(summary: pd.DataFrame) -> Figure:
    """Five panels; see the caption.

    Args:
        summary: the table clustering_summary.
    """
    dims = sorted(summary["dim"].unique().tolist())
    generic, mirrored, reviews = (summary[summary["experiment"] == name] for name in ("generic", "mirrored", "reviews"))
    plain = generic[(generic["condition"] == generic["condition"].min())]
    alpha = min(plain["alpha"].unique(), key=lambda value: abs(value - 0.5))
    base = plain[plain["alpha"] == alpha]
    most = base["tokens"].max()
    figure, grid = style.subplots(2, 3, width="page", height=5.0)
    (a, b, c), (d, e, legend) = grid

    _curves(a, base[base["quantity"] == "clusters"], "tokens", dims)
    _identity(a, base["tokens"])
    a.set(title=f"(a) α = {alpha:g}", xscale="log", yscale="log", xlabel="tokens", ylabel="clusters (mean)")

    settled = plain[(plain["quantity"] == "settled layer") & (plain["tokens"] == most)]
    _curves(b, settled, "alpha", dims, apart=1.06)
    b.set(title=f"(b) {most:g} tokens", xscale="log", xlabel="α", ylabel="layers until 95 % settled")
    b.yaxis.set_major_locator(MaxNLocator(integer=True))

    _curves(c, base[base["quantity"] == "emerging leader"], "tokens", dims, apart=1.06)
    c.set(title="(c) a leader emerges later", xscale="log", xlabel="tokens", ylabel="share of clouds")

    faces = pd.concat([plain, mirrored])
    faces = faces[(faces["quantity"] == "limit on a face") & (faces["alpha"] == alpha) & faces["dim"].isin(mirrored["dim"])]
    _faces(d, faces[(faces["experiment"] == "mirrored") | (faces["tokens"] == most)], dims)

    _curves(e, reviews[reviews["quantity"] == "clusters"], "tokens", dims)
    _identity(e, reviews["tokens"])
    e.set(title="(e) reviews, random embeddings", xscale="log", yscale="log", xlabel="different words", ylabel="clusters (mean)")

    _plain_ticks(a, base["tokens"].unique().tolist(), True)
    _plain_ticks(b, settled["alpha"].unique().tolist())
    _plain_ticks(c, base["tokens"].unique().tolist())
    _plain_ticks(e, (20.0, 50.0, 100.0), True)

    handles = {label: handle for axes in (a, e) for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    legend.axis("off")
    names = sorted(handles, key=lambda label: int(label.split()[-1]))
    legend.legend([handles[name] for name in names], names, loc="center", title="dimension", ncols=2)
    return figure


def _faces(axes: Axes, rows: pd.DataFrame, dims: list[int]) -> None:
    """Shares of clouds with a limit on a face, one column a family of clouds."""
    families = list(dict.fromkeys(zip(rows["experiment"], rows["condition"], strict=True)))
    names = {("generic", 1.0): "normal", ("mirrored", 1.0): "mirrored,\nA = I"}
    for dim, group in rows.groupby("dim"):
        place = dims.index(dim)
        colour = style.PALETTE[place % len(style.PALETTE)]
        keys = zip(group["experiment"], group["condition"], strict=True)
        x = [families.index(key) + 0.15 * (place - 0.5) for key in keys]
        axes.plot(x, group["estimate"], linestyle="none", marker=_MARKERS[place % len(_MARKERS)], markersize=5, color=colour)
        style.interval(axes, list(x), group["low"].tolist(), group["high"].tolist(), colour, band=False)
    labels = [names.get(family, f"mirrored,\nA to {family[1]:g}") for family in families]
    axes.set(title="(d) limits on faces", ylabel="share of clouds", ylim=(-0.03, 1), xlim=(-0.5, len(families) - 0.5))
    axes.set_xticks(range(len(families)), labels)
