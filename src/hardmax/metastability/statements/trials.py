"""What the claims share: trials of a batch one by one, and the hypotheses of the setting."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hardmax.falsify import Instances, Outcome, compare
from hardmax.metastability.exit_times import ChainInputs, chain_inputs
from hardmax.metastability.setup import Setup, check_setup

PAPER = "2508.09628v1"

Trial = dict[str, Any]
Check = Callable[[Instances], np.ndarray]
Conclusion = Callable[[Instances], Outcome]


def trials(instances: Instances) -> Iterator[Trial]:
    """Each trial of a batch as keyword arguments: x, groups (whole numbers), and plain numbers."""
    for trial in range(len(instances["x"])):
        values = {name: column[trial] for name, column in instances.items()}
        yield {
            name: np.asarray(value, float) if name == "x" else np.asarray(value).astype(int) if name == "groups" else float(value)
            for name, value in values.items()
        }


def chain_of(t: Trial) -> ChainInputs:
    """The trial as a chain; without epsilon nobody leaves."""
    return chain_inputs(t["x"], t["groups"], t["beta"], t["gamma"], None, t.get("epsilon", math.inf))


def setup_of(t: Trial) -> Setup:
    """The theorems' constants for the trial, and which hypotheses it fails."""
    return check_setup(t["x"], t["groups"], beta=t["beta"], gamma=t["gamma"], epsilon=t.get("epsilon"))


def fails_none(names: tuple[str, ...]) -> Check:
    """The check that a trial fails none of these hypotheses of `check_setup`."""
    return lambda instances: np.array([not setup_of(t).failing(names) for t in trials(instances)])


def each_trial(
    instances: Instances, sides: Callable[[Trial], tuple[float, float]], relation: str, scale: Callable[[Trial], float] | None = None
) -> Outcome:
    """Outcome from `sides(trial) -> (left, right)`, one pair a trial."""
    found = list(trials(instances))
    pairs = np.array([sides(t) for t in found])
    units = np.array([scale(t) for t in found]) if scale else 1.0
    return compare(pairs[:, 0], relation, pairs[:, 1], scale=units)
