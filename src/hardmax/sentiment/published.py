"""The published training curves and words as tables, for figures that draw them beside ours."""

from math import ceil
from pathlib import Path
from typing import Any

import pandas as pd

from hardmax.configuration import load_yaml

FILE = Path(__file__).parents[1] / "published.yaml"


def _published() -> dict[str, Any]:
    section: dict[str, Any] = load_yaml(FILE)["sentiment"]
    return section


def published_curves() -> pd.DataFrame:
    """Columns dim, epoch, steps (optimisation steps at the end of the epoch), quantity (a column of the history), value."""
    published = _published()
    steps = ceil(published["training_reviews"] / published["batch"])
    rows = [
        {"dim": curve["dim"], "epoch": epoch, "steps": steps * (epoch + 1), "quantity": quantity, "value": value}
        for curve in [*published["curves"], *published["hardmax_train_loss"]]
        for quantity in sorted(set(curve) - {"dim", "epoch"})
        for epoch, value in zip(curve["epoch"], curve[quantity], strict=True)
    ]
    return pd.DataFrame(rows)


def published_words() -> pd.DataFrame:
    """Columns word, reviews (how many confident test reviews the word leads, in the paper's figure for d = 2), test_reviews (of how many)."""
    published = _published()
    table = pd.DataFrame(sorted(published["words"].items(), key=lambda item: -item[1]), columns=["word", "reviews"])
    return table.assign(test_reviews=published["test_reviews"])
