"""The published values of the Tikhonov experiment as a table, for the figure that draws them beside ours."""

from pathlib import Path

import pandas as pd

from hardmax.configuration import load_yaml

FILE = Path(__file__).parents[1] / "published.yaml"


def published_losses() -> pd.DataFrame:
    """Columns quantity (a column of `least_losses`), weight_decay, epochs (trained), value (a squared distance)."""
    return pd.DataFrame(load_yaml(FILE)["interpolation"], columns=["quantity", "weight_decay", "epochs", "value"])
