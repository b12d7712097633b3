"""Distance to the vertex against the step for four schedules of step sizes."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style

_MARKERS = ("o", "s", "^", "v")


def draw(distances: pd.DataFrame) -> Figure:
    """See the caption.

    Args:
        distances: the table frank_wolfe_distances.
    """
    figure, (whole, near) = style.subplots(1, 2, width="page", height=3.2)
    for place, (schedule, rows) in enumerate(distances.groupby("schedule", sort=False)):
        for axes in (whole, near):
            axes.semilogy(rows["step"], rows["product"], color=style.PALETTE[place], linewidth=1.0)
            axes.semilogy(
                rows["step"], rows["share"], linestyle="none", marker=_MARKERS[place], markersize=3.5, color=style.PALETTE[place],
                label=rf"$\gamma^t$ = {schedule}", markevery=2,
            )  # fmt: skip
    whole.set(xlabel="step t", ylabel=r"$|x^t - v_\sigma| \,/\, |x^0 - v_\sigma|$", title="all values")
    whole.set_yticks([10.0**-power for power in range(0, 100, 15)])
    near.set(xlabel="step t", ylim=(1e-5, 1.5), title="enlarged")
    figure.legend(*near.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure
