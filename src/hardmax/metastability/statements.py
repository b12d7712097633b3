"""The claims MS-1 to MS-5 of the paper's section on finite inverse temperature, their generators, checks and amendments."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from hardmax.falsify import Inputs, Instances, Outcome, Rate, Statement, Violation, compare
from hardmax.metastability.approximation import chain_deviation, mean_deviation
from hardmax.metastability.bounds import exit_log_bound, jumps_to_exit, log_outside_weight, paper_log_bound, paper_rate, score_margin
from hardmax.metastability.clustering import clustering_factor, clustering_time, factor_needed
from hardmax.metastability.collapse import Path, collapse
from hardmax.metastability.exit_times import LAST_TIME, ChainInputs, chain_inputs
from hardmax.metastability.families import (
    DEEP_ON_A_LINE,
    LARGE,
    NEAR,
    PAIRS_ON_A_LINE,
    SMALL_CLOUD,
    VERTICES_ON_A_LINE,
    both_processes,
    clouds,
    deep_in_region,
)
from hardmax.metastability.paths import exit_path, hardmax_picks
from hardmax.metastability.setup import CLUSTERING, METASTABILITY, Setup, check_setup

Trial = dict[str, Any]
Check = Callable[[Instances], np.ndarray]
Conclusion = Callable[[Instances], Outcome]

PAPER = "arXiv 2508.09628v1"
UNIVERSAL = 10.0
"""A number that stands for MS-2's universal constant; any other is exceeded in the same way at larger beta."""


def _trials(instances: Instances) -> Iterator[Trial]:
    """Each trial of a batch as keyword arguments: x, groups (whole numbers), and plain numbers."""
    for trial in range(len(instances["x"])):
        values = {name: column[trial] for name, column in instances.items()}
        yield {
            name: np.asarray(value, float) if name == "x" else np.asarray(value).astype(int) if name == "groups" else float(value)
            for name, value in values.items()
        }


def _chain(t: Trial) -> ChainInputs:
    return chain_inputs(t["x"], t["groups"], t["beta"], t["gamma"], None, t.get("epsilon", math.inf))


def _setup(t: Trial) -> Setup:
    return check_setup(t["x"], t["groups"], beta=t["beta"], gamma=t["gamma"], epsilon=t.get("epsilon"))


def _collapse(t: Trial) -> Path:
    return _cached_collapse(t["x"].tobytes(), len(t["x"]), t["beta"], t["gamma"])


@lru_cache(maxsize=128)
def _cached_collapse(x: bytes, tokens: int, beta: float, gamma: float) -> Path:
    return collapse(chain_inputs(np.frombuffer(x).reshape(tokens, -1), np.arange(tokens), beta, gamma))


def _fails_none(names: tuple[str, ...]) -> Check:
    return lambda instances: np.array([not _setup(t).failing(names) for t in _trials(instances)])


def _each(
    instances: Instances, sides: Callable[[Trial], tuple[float, float]], relation: str, scale: Callable[[Trial], float] | None = None
) -> Outcome:
    """Outcome from `sides(trial) -> (left, right)`, one pair a trial."""
    found = list(_trials(instances))
    pairs = np.array([sides(t) for t in found])
    units = np.array([scale(t) for t in found]) if scale else 1.0
    return compare(pairs[:, 0], relation, pairs[:, 1], scale=units)


# MS-1: (SA_beta) collapses to one point.


def _one_point(instances: Instances) -> Outcome:
    def sides(t: Trial) -> tuple[float, float]:
        return _collapse(t).extent, 0.0

    return _each(instances, sides, "==")


def _at_origin(instances: Instances) -> Outcome:
    def sides(t: Trial) -> tuple[float, float]:
        return float(np.linalg.norm(_collapse(t).x[-1].mean(axis=0))), 0.0

    return _each(instances, sides, "==", lambda t: np.abs(t["x"]).max() + 1e-300)


def _hull_misses_origin(inputs: Inputs) -> Violation | None:
    """The limit lies in the hull, which a coordinate that is positive for all tokens keeps away from the origin."""
    if not (inputs["beta"] > 0 and 0 < inputs["gamma"] <= Fraction(1, 5)):
        return None
    least = max(min(column) for column in zip(*inputs["x"], strict=True))
    return Violation(least, "==", 0) if least > 0 else None


_COLLAPSES = {
    "beta > 0": lambda i: np.asarray(i["beta"], float) > 0,
    "followed to its end": lambda i: np.array([_collapse(t).settled for t in _trials(i)]),
}

MS1 = Statement(
    claim="MS-1",
    paper=PAPER,
    text="Under (SA_beta) with any beta > 0 and small gamma all tokens converge to one point of the hull of the initial tokens.",
    families=clouds(0.2),
    hypotheses=_COLLAPSES | {"gamma at most 1/5": lambda i: np.asarray(i["gamma"], float) <= 0.2},
    conclusion=_one_point,
    strategy=SMALL_CLOUD,
)
MS1 = replace(
    MS1,
    amendments=(
        MS1.amended(
            "amendment-1",
            "All tokens converge to one point of the hull for any beta > 0 and any gamma in (0, 1]: weights are at least "
            "exp(-2 beta R^2)/n, so the diameter falls by a factor below one at every step.",
            families=clouds(1.0),
            hypotheses=_COLLAPSES,
            strategy=None,
        ),
        MS1.amended(
            "amendment-2",
            "All tokens converge to the origin (the abstract's words).",
            families={name: family for name, family in clouds(0.2).items() if name != "symmetric clouds"},
            conclusion=_at_origin,
            exact=_hull_misses_origin,
            tolerance=1e-3,
        ),
    ),
)


# MS-2: the clustering phase.


def _clustered(factor: Callable[[Setup, float], float]) -> Conclusion:
    """P(clustered at T1) >= 1 - beta^(-1/8). The path of hardmax picks bounds the probability: from below where it ends clustered,
    from above where it does not. It needs no sampling."""

    def sides(t: Trial) -> tuple[float, float]:
        setup = _setup(t)
        probability, end = hardmax_picks(t["x"], t["groups"], t["beta"], t["gamma"], clustering_time(setup, t["gamma"]))
        clustered = factor_needed(end, t["groups"], setup) <= factor(setup, t["gamma"]) * (1 + 1e-9)
        return probability if clustered else 1 - probability, 1 - t["beta"] ** (-1 / 8)

    return lambda instances: _each(instances, sides, ">=")


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
        "equal norms, acute cones, c0 > 0, other tokens deep in the admissible region": _fails_none(CLUSTERING),
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


# MS-3 and MS-4: metastability.


_METASTABLE = {
    "equal norms, acute cones, c0 > 0, tokens within tau of their vertices, epsilon/gamma at least 2 diam(K)": _fails_none(METASTABILITY),
    "epsilon small: at most tau/2": lambda i: np.array([t["epsilon"] <= 0.5 * _setup(t).reach for t in _trials(i)]),
    f"beta large: beta c0 at least {LARGE:g}": lambda i: np.array([t["beta"] * _setup(t).c0 >= LARGE for t in _trials(i)]),
}


def _exit_probability(bound: Callable[[Trial, Setup, int], float]) -> Conclusion:
    """Log P(T2 < t) <= bound at t = 1 + the steps of one path that leaves, whose probability bounds P(T2 < t) from below."""

    def sides(t: Trial) -> tuple[float, float]:
        setup = _setup(t)
        most = 3 * int(jumps_to_exit(t["epsilon"], t["gamma"], setup.diameter)) + 3
        log_probability, steps = exit_path(_chain(t), t["epsilon"], most)
        return log_probability, min(0.0, bound(t, setup, steps))

    return lambda instances: _each(instances, sides, "<=", lambda t: t["beta"] * _setup(t).c0)


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
        return float(log_outside_weight(t["x"], t["groups"], t["beta"]).max()), bound(t, _setup(t))

    return lambda instances: _each(instances, sides, "<=", lambda t: t["beta"] * _setup(t).c0)


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


# MS-5: how long hardmax stands for finite inverse temperature.


def _stay_together(instances: Instances) -> Rate:
    events, bounds = [], []
    for t in _trials(instances):
        setup, chain = _setup(t), _chain(t)
        if t["process"]:
            log_time = mean_deviation(collapse(chain), setup.vertices, t["gamma"], t["epsilon"])
        else:
            rng = np.random.default_rng(int(t["seed"]))
            log_time = math.log(chain_deviation(chain, setup.vertices, t["epsilon"], LAST_TIME, rng))
        events.append(log_time >= t["beta"] * paper_rate(setup.c0, t["epsilon"] / t["gamma"]))
        bounds.append(1 - t["beta"] ** (-1 / 8))
    return Rate(np.array(events), ">=", np.array(bounds))


MS5 = Statement(
    claim="MS-5",
    paper=PAPER,
    text="Hardmax dynamics approximate the finite-beta process over times exponential in beta: within epsilon up to "
    "exp(beta (c0/2) r/(1 + r)) with probability at least 1 - beta^(-1/8).",
    families={"(SA_P)": both_processes(0.0), "(SA_beta)": both_processes(1.0)},
    hypotheses={"equal norms, acute cones, c0 > 0, other tokens deep in the admissible region": _fails_none(CLUSTERING)},
    conclusion=_stay_together,
    chunk=25,
)

STATEMENTS = {statement.claim: statement for statement in (MS1, MS2, MS3, MS4, MS5)}
