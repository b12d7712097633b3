"""MS-3 and MS-4: how long clusters last, and the weight that tokens give to other groups."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hardmax.falsify import Statement
from hardmax.metastability.bounds import exit_log_bound, jumps_to_exit, log_outside_weight, paper_log_bound, score_margin
from hardmax.metastability.families import LARGE, NEAR, PAIRS_ON_A_LINE, VERTICES_ON_A_LINE
from hardmax.metastability.paths import exit_path
from hardmax.metastability.setup import METASTABILITY, Setup
from hardmax.metastability.statements.trials import PAPER, Conclusion, Trial, chain_of, each_trial, fails_none, setup_of, trials

_METASTABLE = {
    "equal norms, acute cones, c0 > 0, tokens within tau of their vertices, epsilon/gamma at least 2 diam(K)": fails_none(METASTABILITY),
    "epsilon small: at most tau/2": lambda i: np.array([t["epsilon"] <= 0.5 * setup_of(t).reach for t in trials(i)]),
    f"beta large: beta c0 at least {LARGE:g}": lambda i: np.array([t["beta"] * setup_of(t).c0 >= LARGE for t in trials(i)]),
}


def _exit_probability(bound: Callable[[Trial, Setup, int], float]) -> Conclusion:
    """Log P(T2 < t) <= bound at t = 1 + the steps of one path that leaves, whose probability bounds P(T2 < t) from below."""

    def sides(t: Trial) -> tuple[float, float]:
        setup = setup_of(t)
        most = 3 * int(jumps_to_exit(t["epsilon"], t["gamma"], setup.diameter)) + 3
        log_probability, steps = exit_path(chain_of(t), t["epsilon"], most)
        return log_probability, min(0.0, bound(t, setup, steps))

    return lambda instances: each_trial(instances, sides, "<=", lambda t: t["beta"] * setup_of(t).c0)


def _papers(t: Trial, setup: Setup, steps: int) -> float:
    return float(paper_log_bound(steps + 1, tokens=len(t["x"]), beta=t["beta"], c0=setup.c0, ratio=t["epsilon"] / t["gamma"]))


def _elementary(t: Trial, setup: Setup, steps: int) -> float:
    start = 0.0 if math.isnan(setup.farthest) else setup.farthest
    return float(
        exit_log_bound(
            steps, sizes=np.bincount(t["groups"]), beta=t["beta"], gamma=t["gamma"], epsilon=t["epsilon"],
            c0=setup.c0, diameter=setup.diameter, radius=setup.radius, start=start,
        )
    )  # fmt: skip


MS3 = Statement(
    claim="MS-3",
    paper=PAPER,
    text="From tokens within C tau of their vertices, epsilon small, epsilon/gamma = r at least 2 diam(K), beta large, t > 1: "
    "P(T2 >= t) >= 1 - exp((1 + r) log(t/r) + (1 + r) log n - beta c0 r/2).",
    families=NEAR,
    hypotheses=_METASTABLE,
    conclusion=_exit_probability(_papers),
    strategy=VERTICES_ON_A_LINE,
    chunk=50,
)
MS3 = replace(
    MS3,
    amendments=(
        MS3.amended(
            "amendment-1",
            "P(T2 <= s) <= sum_a C(s, k) (n_a (n - n_a) exp(-beta g))^k for every beta, with k the least number with "
            "diam(K) (1 - (1 - gamma)^k) > epsilon, g = c0 - delta (diam(K) + 2 R) - delta^2/4, delta = epsilon + the largest initial "
            "distance from a vertex, R the vertices' norm.",
            hypotheses={name: check for name, check in _METASTABLE.items() if not name.startswith("beta large")},
            conclusion=_exit_probability(_elementary),
            strategy=None,
        ),
    ),
)


def _outside_weight(bound: Callable[[Trial, Setup], float]) -> Conclusion:
    def sides(t: Trial) -> tuple[float, float]:
        return float(log_outside_weight(t["x"], t["groups"], t["beta"]).max()), bound(t, setup_of(t))

    return lambda instances: each_trial(instances, sides, "<=", lambda t: t["beta"] * setup_of(t).c0)


def _margin(t: Trial, setup: Setup) -> float:
    distance = 0.0 if math.isnan(setup.farthest) else setup.farthest
    return math.log(len(t["x"])) - t["beta"] * score_margin(setup.c0, setup.diameter, setup.radius, distance)


MS4 = Statement(
    claim="MS-4",
    paper=PAPER,
    text="While every token is near its vertex (within C tau), the weight a token gives to other groups is at most n exp(-beta c0/2).",
    families=NEAR,
    hypotheses=_METASTABLE,
    conclusion=_outside_weight(lambda t, setup: math.log(len(t["x"])) - t["beta"] * setup.c0 / 2),
    strategy=PAIRS_ON_A_LINE,
    chunk=50,
)
MS4 = replace(
    MS4,
    amendments=(
        MS4.amended(
            "amendment-1",
            "While every token is within delta of its vertex, that weight is at most n exp(-beta (c0 - delta (diam(K) + 2 R) - delta^2/4)), "
            "which is n exp(-beta c0/2) once delta (diam(K) + 2 R) + delta^2/4 <= c0/2.",
            conclusion=_outside_weight(_margin),
            strategy=None,
        ),
    ),
)
