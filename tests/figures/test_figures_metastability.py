"""The figures draw what their tables hold, from the smallest tables the experiments can give."""

from itertools import islice

import numpy as np
import pandas as pd
import pytest

from hardmax.figures import (
    metastability_clustering,
    metastability_film,
    metastability_lifetimes,
    metastability_medians,
    metastability_occupation,
    metastability_rates,
    metastability_survival,
)
from hardmax.figures.animation import gif
from hardmax.metastability.clustering import clustering_success, clustering_trials
from hardmax.metastability.comparison import both_methods, comparison, comparison_curves
from hardmax.metastability.lifetimes import lifetimes
from hardmax.metastability.occupation import occupation
from hardmax.metastability.sweep import exits_at, medians, rates, survival_curves, sweep_points


@pytest.fixture(scope="module")
def exits():
    grid = {"shape": ["simplex3", "polygon4"], "tokens": [2], "gamma": [0.1], "ratio": [4.0], "beta": [5.0, 8.0]}
    return pd.concat(
        [exits_at(1, point=point, spread=0.1, width=1.0, pilot=40, most=40, max_time=1e300) for point in sweep_points([grid]).values()],
        ignore_index=True,
    )


def test_medians_one_line_a_curve(exits):
    figure = metastability_medians.draw(medians=medians(exits, 0.1))
    simplices, polygons = figure.axes
    assert [len(axes.get_legend().get_texts()) for axes in (simplices, polygons)] == [1, 1]
    line = simplices.containers[0].lines[0]
    expected = exits[exits["shape"] == "simplex3"].groupby("beta")["exit_time"].median()
    assert np.array_equal(line.get_xdata(), expected.index) and np.array_equal(line.get_ydata(), expected)


def test_rates_one_row_a_curve(exits):
    table = rates(exits, np.random.default_rng(0), fit_from=0.0, resamples=200)
    axes = metastability_rates.draw(rates=table).axes[0]
    assert len(axes.get_yticks()) == 2 and f"× {table['slope_over_paper_rate'][0]:.2f}" in {text.get_text() for text in axes.texts}


def test_survival_has_both_methods_and_the_bounds(exits):
    runs = both_methods(
        {"events": 1, "steps": 2}, shape="simplex3", tokens=2, spread=0.1, gamma=0.1, ratio=3.5, beta=[2.0, 3.0], replicas=40
    )
    figure = metastability_survival.draw(
        survival=survival_curves(exits, 0.1, 20), curves=comparison_curves(runs, 20), comparison=comparison(runs, 0.01)
    )
    methods, curve = figure.axes
    assert len([line for line in methods.lines if len(line.get_xdata())]) == 4
    assert {text.get_text() for text in curve.texts} == {"β=5", "β=8"}


def test_clustering_without_an_admissible_region():
    trials = clustering_trials(np.random.default_rng(0), shapes=["simplex3"], beta=[8.0, 16.0], gamma=[0.1], tokens=1, trials=10)
    figure = metastability_clustering.draw(success=clustering_success(trials), trials=trials)
    assert len(figure.axes) == 3


def test_lifetimes_by_process():
    table = lifetimes(
        np.random.default_rng(0), shapes=["simplex3"], tokens=2, spread=0.3, gamma=0.2, ratio=2.0, beta=[2.0, 4.0], replicas=10
    )
    figure = metastability_lifetimes.draw(lifetimes=table)
    assert [len(axes.containers) for axes in figure.axes] == [2, 2]


def test_occupation_and_film():
    table = occupation(np.random.default_rng(1), shape="simplex3", tokens=2, spread=0.3, beta=5.0, gamma=0.3, apart=0.3, frames=500)
    assert len(metastability_occupation.draw(occupation=table).axes) == 2
    film = gif(islice(metastability_film.frames(occupation=table), 3), 0.1)
    assert film[:6] == b"GIF89a"
