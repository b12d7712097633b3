"""The two reviews of `sentiment_tokens`, layer after layer."""

from collections.abc import Iterator

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style
from hardmax.figures.sentiment_tokens import NAMES, draw_layer, legend

SECONDS_A_FRAME = 0.7


def frames(tokens: pd.DataFrame, decoder: pd.DataFrame) -> Iterator[Figure]:
    """One frame a layer; the positive review left, the negative right."""
    for layer in sorted(tokens["layer"].unique()):
        figure, grid = style.subplots(1, 2, height=3.6)
        for axes, label in zip(grid, NAMES, strict=True):
            draw_layer(axes, tokens, decoder, label, int(layer))
            axes.set_title(f"{NAMES[label]}, layer {layer}")
        legend(figure, grid[0])
        yield figure
