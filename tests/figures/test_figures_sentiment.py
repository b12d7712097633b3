"""Words of leaders that stand close are set apart, and none covers a star."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.text import Annotation

from hardmax.figures import sentiment_leaders, sentiment_tokens


def test_words_of_close_leaders_do_not_overlap():
    rows = [("unforgettable", -2.0, 1.0), ("disappointing", -1.9, 1.02), ("masterpiece", 1.5, -1.0), ("terrible", 1.9, -1.0), ("", 0, 2)]
    tokens = pd.DataFrame(rows, columns=["word", "x", "y"]).assign(label=1, review=3, layer=0, kind="token", count=1, leader=True)
    tokens.loc[4, ["word", "kind", "leader"]] = [None, "mean", False]
    decoder = pd.DataFrame({"parameter": ["weight 1", "weight 2", "bias"], "value": [1.0, 0.5, 0.1]})
    figure = sentiment_tokens.draw(pd.concat([tokens, tokens.assign(label=0)]), decoder)
    figure.canvas.draw()
    for axes in figure.axes:
        notes = [child for child in axes.get_children() if isinstance(child, Annotation)]
        assert {note.get_text() for note in notes} == {word for word, *_ in rows if word}
        boxes = [note.get_window_extent() for note in notes]
        assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))
        stars = axes.transData.transform(tokens.loc[tokens["leader"], ["x", "y"]].to_numpy())
        assert not any(box.contains(*star) for box in boxes for star in stars)
    plt.close(figure)


def test_bars_of_leaders_are_rows_of_the_table():
    """A published word with a row has its count, 0 as well; one without a row has no bar; diamonds stand at the published counts."""
    words = pd.DataFrame({"word": ["thing", "worst", "love"], "rank": [1, 40, 41], "reviews": [9, 4, 0], "positive": [3, 0, 0]})
    published = pd.DataFrame({"word": ["worst", "love", "absent"], "reviews": [60, 50, 40], "test_reviews": 300})
    accuracy = pd.DataFrame({"dim": [2], "reviews": [150]})
    figure = sentiment_leaders.draw(words.assign(dim=2, seed=0), accuracy, published)
    _, theirs, _, upper = figure.axes
    assert [label.get_text() for label in theirs.get_yticklabels()] == ["worst", "love", "absent"]
    widths = {(round(bar.get_y() + bar.get_height() / 2), bar.get_width()) for bar in theirs.patches if np.isfinite(bar.get_width())}
    assert widths == {(0, 4.0), (0, 0.0), (1, 0.0)}
    (diamonds,) = [line for line in upper.lines if line.get_label() == "published"]
    assert list(diamonds.get_xdata()) == [60, 50, 40]
    assert upper.get_xlim()[1] == theirs.get_xlim()[1] * 300 / 150
    plt.close(figure)
