"""The published training curves and words as tables, for figures that draw them beside ours."""

from math import ceil
from pathlib import Path

import pandas as pd

from hardmax.configuration import load_yaml

FILE = Path(__file__).with_name("published.yaml")


def published_curves() -> pd.DataFrame:
    """Columns dim, epoch, steps (optimisation steps at the end of the epoch), quantity (a column of the history), value."""
    published = load_yaml(FILE)
    steps = ceil(published["training_reviews"] / published["batch"])
    rows = [
        {"dim": curve["dim"], "epoch": epoch, "steps": steps * (epoch + 1), "quantity": quantity, "value": value}
        for curve in [*published["curves"], *published["hardmax_train_loss"]]
        for quantity in sorted(set(curve) - {"dim", "epoch"})
        for epoch, value in zip(curve["epoch"], curve[quantity], strict=True)
    ]
    return pd.DataFrame(rows)


def published_words() -> pd.DataFrame:
    """Columns word, reviews: how many confident reviews the word leads, in the paper's figure for d = 2."""
    return pd.DataFrame(sorted(load_yaml(FILE)["words"].items(), key=lambda item: -item[1]), columns=["word", "reviews"])
