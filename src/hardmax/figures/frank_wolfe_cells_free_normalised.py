"""Cells of random polytopes in the plane: points anywhere, compared by the normalised points."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures.frank_wolfe_cells import panels


def draw(shapes: pd.DataFrame) -> Figure:
    """See the caption; `shapes` is the table frank_wolfe_shapes."""
    return panels(shapes, "free, normalised")
