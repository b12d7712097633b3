"""MS-2: the clustering phase."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hardmax.falsify import Statement
from hardmax.metastability.clustering import clustering_factor, clustering_time, factor_needed
from hardmax.metastability.families import DEEP_ON_A_LINE, deep_in_region
from hardmax.metastability.paths import hardmax_picks
from hardmax.metastability.setup import CLUSTERING, Setup
from hardmax.metastability.statements.trials import PAPER, Conclusion, Trial, each_trial, fails_none, setup_of

UNIVERSAL = 10.0
"""A number that stands for MS-2's universal constant; any other is exceeded in the same way at larger beta."""


def _clustered(factor: Callable[[Setup, float], float]) -> Conclusion:
    """P(clustered at T1) >= 1 - beta^(-1/8). The path of hardmax picks bounds the probability: from below where it ends clustered,
    from above where it does not. It needs no sampling."""

    def sides(t: Trial) -> tuple[float, float]:
        setup = setup_of(t)
        probability, end = hardmax_picks(t["x"], t["groups"], t["beta"], t["gamma"], clustering_time(setup, t["gamma"]))
        clustered = factor_needed(end, t["groups"], setup) <= factor(setup, t["gamma"]) * (1 + 1e-9)
        return probability if clustered else 1 - probability, 1 - t["beta"] ** (-1 / 8)

    return lambda instances: each_trial(instances, sides, ">=")


MS2 = Statement(
    claim="MS-2",
    paper=PAPER,
    text="At T1, for beta large, with probability at least 1 - beta^(-1/8) the vertex tokens are within beta^(-1/4) of their vertices and "
    f"the others within C tau of theirs, C > 1 universal (tried: C = {UNIVERSAL:g}).",
    families={
        "anywhere in the admissible region": deep_in_region(False, 3.0, 12.0),
        "one token of each group as near its vertex as is allowed": deep_in_region(True, 6.0, 15.0),
    },
    hypotheses={
        "equal norms, acute cones, c0 > 0, other tokens deep in the admissible region": fails_none(CLUSTERING),
        "beta at least 1000": lambda i: np.asarray(i["beta"], float) >= 1e3,
    },
    conclusion=_clustered(lambda setup, gamma: UNIVERSAL),
    strategy=DEEP_ON_A_LINE,
    chunk=25,
)
MS2 = replace(
    MS2,
    amendments=(
        MS2.amended(
            "amendment-1",
            "The same with C = (max |x_i - v|/min |x_i - v|)/(1 - gamma), which depends on the configuration and on gamma.",
            conclusion=_clustered(clustering_factor),
            strategy=None,
        ),
    ),
)
