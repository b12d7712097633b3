"""Words of leaders that stand close are set apart, and none covers a star."""

from itertools import combinations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.text import Annotation

from hardmax.figures import sentiment_tokens


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
