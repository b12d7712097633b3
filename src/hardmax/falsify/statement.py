"""What a claim is, for the search for counterexamples: generators, hypotheses, a conclusion and its amendments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy
from jaxtyping import Bool, Float, Int

Instances = dict[str, np.ndarray]
"""A batch of configurations: arrays whose leading axis is the trial (dtype object for ragged data)."""

Inputs = dict[str, Any]
"""One configuration as nested lists of `Fraction` (or int, str): what a counterexample file holds."""

Family = Callable[[np.random.Generator, int], Instances]
"""`family(rng, trials)` draws a batch of `trials` configurations of one shape."""

AS_WRITTEN = "as written"


@dataclass(frozen=True)
class Outcome:
    """Where each trial comes closest to violating the conclusion `left relation right`.

    `margin` is positive where the conclusion fails, in units of the trial's own scale; `step` and `token` say where
    (-1: does not apply); `tie` marks trials whose outcome rests on a tie. All have shape `(trials,)`.
    """

    left: Float[np.ndarray, " trials"]
    relation: str
    right: Float[np.ndarray, " trials"]
    margin: Float[np.ndarray, " trials"]
    step: Int[np.ndarray, " trials"]
    token: Int[np.ndarray, " trials"]
    tie: Bool[np.ndarray, " trials"]


@dataclass(frozen=True)
class Rate:
    """The conclusion of a claim about a probability: P(event) `relation` bound, estimated over the trials of a family.

    `event` has shape `(trials,)`; `bound` is a number, or one for each trial (their mean is what the rate must meet).
    """

    event: Bool[np.ndarray, " trials"]
    relation: str
    bound: Float[np.ndarray, " trials"] | float


@dataclass(frozen=True)
class Violation:
    """A violation found in exact arithmetic: `left relation right` is false there. Step and token are None where they do not apply."""

    left: Any
    relation: str
    right: Any
    step: int | None = None
    token: int | None = None
    tie: bool = False


@dataclass(frozen=True)
class Statement:
    """A claim as its source makes it, and all that a search for counterexamples needs.

    A trial counts only if every check in `hypotheses` accepts it. A violation counts when its margin exceeds
    `tolerance`, or when `exact` confirms it.

    Attributes:
        claim: the claim's id, as FW-3.
        paper: arXiv number, with the version where the claim is of one version.
        text: the statement in one sentence.
        hypotheses: words -> check of a batch, `(trials,)` booleans. Empty when the claim has none.
        families: name -> generator of batches. The engine asks for chunks, so a family draws one shape a call and
            other calls bring other shapes.
        conclusion: batch -> `Outcome` (or `Rate`); it sees only trials that met the hypotheses.
        exact: one configuration in rationals -> the violation, or None where a hypothesis or the violation fails.
            It must check the hypotheses too: counterexample files are verified by it alone.
        strategy: hypothesis strategy of `Inputs`, small rationals, for the shrinking search. Without `exact` the
            batch checks judge it, as floats.
        amendments: the same claim amended, to be tested beside it.
        tolerance: least margin that counts as a violation in float64.
        chunk: trials a batch, at most: what bounds the memory.
    """

    claim: str
    paper: str
    text: str
    families: Mapping[str, Family]
    conclusion: Callable[[Instances], Outcome | Rate]
    hypotheses: Mapping[str, Callable[[Instances], Any]] = field(default_factory=dict)
    exact: Callable[[Inputs], Violation | None] | None = None
    strategy: SearchStrategy[Inputs] | None = None
    amendments: tuple["Statement", ...] = ()
    variant: str = AS_WRITTEN
    tolerance: float = 1e-9
    chunk: int = 250

    def amended(self, variant: str, text: str, **changes: Any) -> "Statement":
        """The statement with other words and `changes` to its fields. `exact` is dropped unless it is changed too,
        since it checks the hypotheses as they were."""
        return replace(
            self,
            **({"exact": None, "amendments": ()} | changes),
            variant=variant,
            text=text,
        )

    def variants(self) -> tuple["Statement", ...]:
        """The statement as written, then its amendments."""
        return (self, *self.amendments)

    def checks(self, instances: Instances) -> dict[str, Bool[np.ndarray, " trials"]]:
        """Which trials meet each hypothesis, by its words."""
        accepted = {}
        for words, check in self.hypotheses.items():
            found = np.asarray(check(instances))
            if found.shape != (size(instances),) or found.dtype != bool:
                raise TypeError(
                    f"{self.claim}, hypothesis {words!r}: expected {size(instances)} booleans, found {found.dtype} {found.shape}"
                )
            accepted[words] = found
        return accepted

    def meets(self, instances: Instances) -> Bool[np.ndarray, " trials"]:
        """Which trials meet every hypothesis."""
        return every(self.checks(instances), size(instances))


def every(checks: Mapping[str, Bool[np.ndarray, " trials"]], trials: int) -> Bool[np.ndarray, " trials"]:
    """Which of so many trials pass all checks; without a check, all do."""
    return np.logical_and.reduce([np.ones(trials, dtype=bool), *checks.values()])


_MARGINS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": lambda left, right: left - right,
    "<": lambda left, right: left - right,
    ">=": lambda left, right: right - left,
    ">": lambda left, right: right - left,
    "==": lambda left, right: abs(left - right),
}


def compare(
    left: np.ndarray,
    relation: str,
    right: Any,
    scale: Any = 1.0,
    tie: Any = False,
    first_step: int = 0,
) -> Outcome:
    """Outcome of a comparison at each trial, (trial, step) or (trial, step, token): the worst place of each trial.

    Args:
        left: shape `(trials,)`, `(trials, steps)` or `(trials, steps, tokens)`; `right` broadcasts against it.
            Infinite margins are allowed (-inf: nothing to check there), NaN is an error.
        relation: `<=`, `<`, `>=`, `>` or `==`; a strict relation that fails by equality is for `exact` to find.
        scale: what a margin is measured in, broadcast likewise: the size of the terms whose difference is taken.
        tie: which trials rest on a tie, shape `(trials,)`, or which steps, shape of `left`: then the worst place's.
        first_step: the step that index 0 of the steps' axis stands for; -1 for a steps' axis of length one that is no step.
    """
    left = np.asarray(left, dtype=float)
    with np.errstate(invalid="ignore"):
        margin = _MARGINS[relation](left, right) / scale
    return _worst(left, relation, right, margin, tie, first_step)


def same(left: Bool[np.ndarray, "trials ..."], right: Bool[np.ndarray, "trials ..."], certainty: Any, tie: Any = False) -> Outcome:
    """Outcome of "left if and only if right", at each trial, (trial, step) or (trial, step, token) as in `compare`.

    `certainty` (at least 0) is how far the nearer of the two sides is from its own border.
    """
    margin = np.where(left == right, -np.asarray(certainty, dtype=float), certainty)
    return _worst(np.asarray(left, dtype=float), "==", right, margin, tie, 0)


def _worst(left: np.ndarray, relation: str, right: Any, margin: np.ndarray, tie: Any, first_step: int) -> Outcome:
    """The place of largest margin of each trial."""
    margin = np.broadcast_to(margin, left.shape)
    if np.isnan(margin).any():
        raise ValueError(f"a comparison {relation} has NaN in {int(np.isnan(margin).sum())} places")
    trials = len(left)
    rows = np.arange(trials)
    flat = margin.reshape(trials, -1)
    worst = flat.argmax(axis=1) if trials else np.zeros(0, dtype=int)
    places = np.unravel_index(worst, left.shape[1:]) if left.ndim > 1 else ()

    def at_worst(values: Any) -> np.ndarray:
        return np.broadcast_to(values, left.shape).reshape(trials, -1)[rows, worst]

    nowhere = np.full(trials, -1)
    ties = np.asarray(tie)
    return Outcome(
        left=at_worst(left),
        relation=relation,
        right=at_worst(np.asarray(right, dtype=float)),
        margin=flat[rows, worst],
        step=places[0] + first_step if len(places) > 0 else nowhere,
        token=places[1] if len(places) > 1 else nowhere,
        tie=np.broadcast_to(ties, trials).copy() if ties.ndim < 2 else at_worst(ties),
    )


def size(instances: Instances) -> int:
    """How many trials a batch holds."""
    return len(next(iter(instances.values())))


def select(instances: Instances, where: Any) -> Instances:
    """The trials `where` (mask, indices or slice) of a batch."""
    return {name: values[where] for name, values in instances.items()}


def rational(value: Any) -> Any:
    """Nested lists of exact rationals from arrays, sequences and numbers; a float is taken at its exact binary value."""
    if isinstance(value, dict):
        return {key: rational(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return rational(value.tolist())
    if isinstance(value, list | tuple):
        return [rational(item) for item in value]
    if value is None or isinstance(value, str | bool):
        return value
    return Fraction(value)


def inputs_of(instances: Instances, trial: int) -> Inputs:
    """One trial of a batch as exact rationals."""
    return {name: rational(values[trial]) for name, values in instances.items()}


def batch_of_one(inputs: Inputs) -> Instances:
    """A configuration as a batch with one trial, in float64 (ragged lists and text as objects)."""

    def floats(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: floats(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [floats(item) for item in value]
        return value if value is None or isinstance(value, str | bool) else float(value)

    batch = {}
    for name, value in inputs.items():
        plain = floats(value)
        try:
            batch[name] = np.asarray(plain)[None]
        except ValueError:
            batch[name] = np.empty(1, dtype=object)
            batch[name][0] = plain
    return batch
