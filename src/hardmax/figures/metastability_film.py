"""A film of one replica whose frames are events."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style

SECONDS_A_FRAME = 0.35
_LAST = 8
"""How long the final frame stays, in frames."""


def frames(occupation: pd.DataFrame) -> Iterator[Figure]:
    """Tokens in the plane of the first two coordinates, coloured by their first group, with the path since the last frame.

    Args:
        occupation: metastability_occupation.
    """
    groups = occupation.drop_duplicates("token").sort_values("token")["group"].to_numpy()
    states = [rows.sort_values("token") for _, rows in occupation.groupby("frame", sort=True)]
    reach = 1.12 * float(np.abs(occupation[["x", "y"]].to_numpy()).max())
    colours = np.array(style.PALETTE)[groups % len(style.PALETTE)]
    start = states[0]
    last = None
    for number, state in enumerate(states + [states[-1]] * _LAST):
        figure, axes = style.subplots(1, 1, width="column", height=3.6)
        axes.scatter(start["x"], start["y"], s=26, facecolors="none", edgecolors=colours, linewidths=0.7)
        if last is not None:
            for token in range(len(groups)):
                axes.plot(
                    [last["x"].iloc[token], state["x"].iloc[token]],
                    [last["y"].iloc[token], state["y"].iloc[token]],
                    color=colours[token],
                    linewidth=0.8,
                )
        axes.scatter(state["x"], state["y"], s=30, c=colours, alpha=0.85, linewidths=0)
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="x$_1$", ylabel="x$_2$")
        axes.set_title(f"step {state['time'].iloc[0]:,.0f}, frame {min(number, len(states) - 1)} of {len(states) - 1}")
        yield figure
        last = state
