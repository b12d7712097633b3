"""The published training curves and words as tables, for figures that draw them beside ours."""

from math import ceil

import pandas as pd

from hardmax.published import published


def published_curves() -> pd.DataFrame:
    """Columns dim, epoch, steps (optimisation steps at the end of the epoch), quantity (a column of the history), value."""
    values = published("sentiment")
    steps = ceil(values["training_reviews"] / values["batch"])
    rows = [
        {"dim": curve["dim"], "epoch": epoch, "steps": steps * (epoch + 1), "quantity": quantity, "value": value}
        for curve in [*values["curves"], *values["hardmax_train_loss"]]
        for quantity in sorted(set(curve) - {"dim", "epoch"})
        for epoch, value in zip(curve["epoch"], curve[quantity], strict=True)
    ]
    return pd.DataFrame(rows)


def published_words() -> pd.DataFrame:
    """Columns word, reviews (how many confident test reviews the word leads, in the paper's figure for d = 2), test_reviews (of how many)."""
    values = published("sentiment")
    table = pd.DataFrame(sorted(values["words"].items(), key=lambda item: -item[1]), columns=["word", "reviews"])
    return table.assign(test_reviews=values["test_reviews"])
