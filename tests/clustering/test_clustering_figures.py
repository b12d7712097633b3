"""Figures draw what their tables say."""

import numpy as np
import pandas as pd

from hardmax.clustering.configurations import panels
from hardmax.clustering.ensembles import generic, mirrored
from hardmax.clustering.followed_geometry import PANELS, TOKENS, A, followed_sets_picture
from hardmax.clustering.summary import summary
from hardmax.figures import clustering_ensembles, clustering_followed_sets, clustering_panels


def test_panels_have_a_star_for_each_leader():
    table = panels(np.random.default_rng(0), alpha=0.5, layers=[0, 5])
    figure = clustering_panels.draw(table)
    names = list(dict.fromkeys(table["configuration"]))
    assert len(figure.axes) == 2 * len(names)
    for place, axes in enumerate(figure.axes):
        rows = table[(table["configuration"] == names[place // 2]) & (table["layer"] == [0, 5][place % 2])]
        stars = [line for line in axes.lines if line.get_marker() == "*"]
        assert len(stars) == rows["leader"].sum()


def test_followed_sets_are_the_faces_of_largest_score():
    table = followed_sets_picture()
    for panel, token in PANELS:
        rows = table[table["panel"] == panel]
        scores = TOKENS @ A @ TOKENS[token]
        followed = rows[(rows["kind"] == "token") & rows["followed"]]["index"].tolist()
        assert followed == np.flatnonzero(scores >= scores.max() - 1e-12).tolist()
        line = rows[rows["kind"] == "hyperplane"][["x", "y"]].to_numpy()
        np.testing.assert_allclose(line @ A @ TOKENS[token], scores.max())
    assert len(clustering_followed_sets.draw(table).axes) == len(PANELS)


def test_ensembles_are_drawn_from_one_dimension_too():
    rng = np.random.default_rng(0)
    clouds = pd.concat(
        [
            generic(rng, clouds=4, dims=[2], tokens=[4], alphas=[0.5], conditions=[1.0], layers=100),
            mirrored(rng, clouds=4, dims=[2], orbits=[1], axis=1, alphas=["1/2"], conditions=[1], layers=40),
        ]
    )
    reviews = pd.DataFrame(
        {
            "dim": 2, "review": range(3), "words": 9, "tokens": [5, 6, 30], "first_leaders": 1, "leaders": 2, "clusters": 2,
            "final_layer": 0, "settled_layer": 1,
        }
    )  # fmt: skip
    assert len(clustering_ensembles.draw(summary(clouds, reviews, 0.5)).axes) == 6
