"""MS-1: (SA_beta) collapses to one point."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from hardmax.falsify import Inputs, Instances, Outcome, Statement, Violation
from hardmax.metastability.collapse import Path, collapse
from hardmax.metastability.exit_times import chain_inputs
from hardmax.metastability.families import SMALL_CLOUD, clouds
from hardmax.metastability.statements.trials import PAPER, Trial, each_trial, trials


def _collapse(t: Trial) -> Path:
    return _cached_collapse(t["x"].tobytes(), len(t["x"]), t["beta"], t["gamma"])


@lru_cache(maxsize=128)
def _cached_collapse(x: bytes, tokens: int, beta: float, gamma: float) -> Path:
    return collapse(chain_inputs(np.frombuffer(x).reshape(tokens, -1), np.arange(tokens), beta, gamma))


def _one_point(instances: Instances) -> Outcome:
    def sides(t: Trial) -> tuple[float, float]:
        return _collapse(t).extent, 0.0

    return each_trial(instances, sides, "==")


def _at_origin(instances: Instances) -> Outcome:
    def sides(t: Trial) -> tuple[float, float]:
        return float(np.linalg.norm(_collapse(t).x[-1].mean(axis=0))), 0.0

    return each_trial(instances, sides, "==", lambda t: np.abs(t["x"]).max() + 1e-300)


def _hull_misses_origin(inputs: Inputs) -> Violation | None:
    """The limit lies in the hull, which a coordinate that is positive for all tokens keeps away from the origin."""
    if not (inputs["beta"] > 0 and 0 < inputs["gamma"] <= Fraction(1, 5)):
        return None
    least = max(min(column) for column in zip(*inputs["x"], strict=True))
    return Violation(least, "==", 0) if least > 0 else None


_COLLAPSES = {
    "beta > 0": lambda i: np.asarray(i["beta"], float) > 0,
    "followed to its end": lambda i: np.array([_collapse(t).settled for t in trials(i)]),
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
