"""Cells of random polytopes in the plane: vertices of equal norm."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures.frank_wolfe_cells import panels


def draw(shapes: pd.DataFrame) -> Figure:
    """See the caption; `shapes` is the table frank_wolfe_shapes."""
    return panels(shapes, "equal")
