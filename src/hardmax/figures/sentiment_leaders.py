"""The most frequent leaders of confident reviews, d = 2, beside the published ones."""

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from hardmax.figures import style

SHOWN = 15


def draw(words: pd.DataFrame, accuracy: pd.DataFrame, published: pd.DataFrame) -> Figure:
    """Left: our words, stacked by label, with published counts of the same words; right: the published words with our counts.

    The published counts have an axis of their own, scaled by the numbers of test reviews. A word without a row in `words` (the vocabulary lacks it) has no bar.
    """
    ours = words[(words["dim"] == 2) & (words["seed"] == 0)]
    top = ours[(ours["rank"] <= SHOWN) & (ours["reviews"] > 0)]
    theirs = published.set_index("word")["reviews"]
    mine = ours.set_index("word")
    scale = int(published["test_reviews"].iloc[0]) / int(accuracy.loc[accuracy["dim"] == 2, "reviews"].iloc[0])
    figure, grid = style.subplots(1, 2, height=4.0)
    columns = (("our most frequent leaders", list(top["word"])), ("the paper's most frequent leaders", list(published["word"])))
    most = max(int(top["reviews"].max()), float(theirs.max()) / scale)
    for axes, (title, names) in zip(grid, columns, strict=True):
        counts = mine.reindex(names)[["reviews", "positive"]]
        place = range(len(names))
        for column, color, label in (("reviews", style.PALETTE[1], "negative reviews"), ("positive", style.PALETTE[0], "positive reviews")):
            sns.barplot(x=counts[column], y=list(names), orient="y", color=color, saturation=1, label=label, legend=False, ax=axes)
        axes.set_yticks(place, [style.plain(str(name)) for name in names])
        axes.set(xlim=(0, 1.06 * most), xlabel="confident test reviews led (ours)", title=title)
        axes.grid(axis="y", visible=False)
        upper = axes.twiny()
        upper.set_xlim(0, 1.06 * most * scale)
        upper.grid(visible=False)
        upper.spines["top"].set_visible(True)
        upper.set_xlabel("confident test reviews led (published)")
        shown = [(y, theirs[name]) for y, name in zip(place, names, strict=True) if name in theirs.index]
        look = style.PUBLISHED | {"linestyle": ""}
        upper.plot([x for _, x in shown], [y for y, _ in shown], label="published", **look)
    handles, labels = axes.get_legend_handles_labels()
    more = upper.get_legend_handles_labels()
    figure.legend(handles + more[0], labels + more[1], loc="outside lower center", ncols=3)
    return figure
