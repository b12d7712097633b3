"""The published values of the Tikhonov experiment as a table, for the figure that draws them beside ours."""

import pandas as pd

from hardmax.published import published


def published_losses() -> pd.DataFrame:
    """Columns quantity (a column of `least_losses`), weight_decay, epochs (trained), value (a squared distance)."""
    return pd.DataFrame(published("interpolation"), columns=["quantity", "weight_decay", "epochs", "value"])
