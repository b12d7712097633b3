"""The search for counterexamples: broad over random families, then shrinking over small rationals.

The result is a table with a row for each variant of a statement and each of its families, and one for the shrinking
search. The smallest counterexample of a variant stands on the row of the family that found it.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool

from hardmax.errors import InputError
from hardmax.falsify.counterexample import (
    confidence,
    document,
    dumps,
    judge,
    plain,
    rate_violated,
    violation_at,
)
from hardmax.falsify.statement import (
    Inputs,
    Instances,
    Outcome,
    Rate,
    Statement,
    Violation,
    batch_of_one,
    every,
    inputs_of,
    select,
    size,
)
from hardmax.intervals import clopper_pearson

COLUMNS = (
    "claim", "paper", "variant", "statement", "hypotheses", "family", "trials", "accepted", "met", "violations", "on_tie",
    "worst_margin", "measured", "bound", "relation", "interval_low", "interval_high", "confidence", "counterexample",
)  # fmt: skip
SHRINKING = "shrinking search"
SHAPES = 8
"""A family is asked for at least so many chunks, so that few trials still see several shapes."""
EXAMPLES = 500
"""Most configurations the shrinking search generates, those it shrinks not counted."""

CANDIDATES = 3
"""Violations of a family that are kept for confirmation in exact arithmetic."""


class _Found(NamedTuple):
    """A counterexample and whether exact arithmetic confirmed it."""

    inputs: Inputs
    violation: Violation
    exact: bool

    @property
    def order(self) -> tuple[bool, bool, int]:
        """Best first: no tie, exact, short to write down."""
        return self.violation.tie, not self.exact, len(dumps(plain(self.inputs)))


@dataclass
class _Tally:
    """What the trials of one family came to."""

    family: str
    trials: int = 0
    accepted: dict[str, int] = field(default_factory=dict)
    met: int = 0
    violations: int = 0
    on_tie: int = 0
    worst_margin: float = -math.inf
    measured: float = math.nan
    bound: float = math.nan
    relation: str | None = None
    interval: tuple[float, float] = (math.nan, math.nan)
    confidence: float = math.nan
    found: list[_Found] = field(default_factory=list)

    def check(self, statement: Statement, instances: Instances) -> Bool[np.ndarray, " trials"]:
        """Which trials of a batch meet every hypothesis; counts those that meet each."""
        checks = statement.checks(instances)
        for words, found in checks.items():
            self.accepted[words] = self.accepted.get(words, 0) + int(found.sum())
        return every(checks, size(instances))

    def add(self, outcome: Outcome, tolerance: float) -> None:
        """Count the trials of one batch that met the hypotheses."""
        violated = outcome.margin > tolerance
        self.met += len(violated)
        self.violations += int(violated.sum())
        self.on_tie += int((violated & outcome.tie).sum())
        self.relation = outcome.relation
        worst = int(outcome.margin.argmax())
        if outcome.margin[worst] > self.worst_margin:
            self.worst_margin = float(outcome.margin[worst])
            self.measured, self.bound = (
                float(outcome.left[worst]),
                float(outcome.right[worst]),
            )


def falsify(statement: Statement, rng: np.random.Generator, trials: int) -> pd.DataFrame:
    """Search for counterexamples to a statement and to its amendments.

    Args:
        statement: the claim as written; its amendments are searched too.
        rng: all randomness of the search comes from it.
        trials: random trials for each variant, shared equally among its families. The shrinking search starts from
            as many small rational configurations, but at most `EXAMPLES`.

    Returns:
        One row a variant and family, with `COLUMNS`. `measured` and `bound` are the two sides of the relation at the
        worst margin, or, for a claim about a probability, the rate of the event and what it must meet, with the
        Clopper-Pearson interval at `confidence` (1 % shared among the variant's families).

    Raises:
        InputError: a number of trials that is not positive.
    """
    if trials < 1:
        raise InputError(f"trials: expected at least 1, found {trials}")
    rows: list[dict[str, Any]] = []
    for variant in statement.variants():
        rows += _search(variant, rng, trials)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _search(statement: Statement, rng: np.random.Generator, trials: int) -> list[dict[str, Any]]:
    """Rows of one variant."""
    count = len(statement.families)
    streams = rng.spawn(count + 1)
    shares = [trials // count + (index < trials % count) for index in range(count)]
    tallies = [
        _broad(statement, name, stream, max(share, 1)) for name, stream, share in zip(statement.families, streams[:-1], shares, strict=True)
    ]
    if statement.strategy is not None:
        tallies.append(_shrinking(statement, int(streams[-1].integers(2**63)), min(trials, EXAMPLES)))
    found = [(each.order, index) for index, tally in enumerate(tallies) for each in tally.found]
    smallest = min(found)[1] if found else None
    return [_row(statement, tally, index == smallest) for index, tally in enumerate(tallies)]


def _chunks(trials: int, chunk: int) -> Iterator[int]:
    step = max(1, min(chunk, math.ceil(trials / SHAPES)))
    for start in range(0, trials, step):
        yield min(step, trials - start)


def _broad(statement: Statement, family: str, rng: np.random.Generator, trials: int) -> _Tally:
    """Random trials of one family, in chunks."""
    tally = _Tally(family, trials=trials)
    events: list[np.ndarray] = []
    bounds: list[np.ndarray] = []
    for number in _chunks(trials, statement.chunk):
        instances = statement.families[family](rng, number)
        instances = select(instances, tally.check(statement, instances))
        if not size(instances):
            continue
        outcome = statement.conclusion(instances)
        if isinstance(outcome, Rate):
            events.append(np.asarray(outcome.event, dtype=bool))
            bounds.append(np.broadcast_to(np.asarray(outcome.bound, dtype=float), events[-1].shape))
            tally.relation = outcome.relation
            continue
        tally.add(outcome, statement.tolerance)
        violated = np.flatnonzero(outcome.margin > statement.tolerance)
        if violated.size:
            first = int(min(violated, key=lambda trial: (outcome.tie[trial], trial)))
            tally.found.append(_Found(inputs_of(instances, first), violation_at(outcome, first), False))
            tally.found = sorted(tally.found, key=lambda each: each.order)[:CANDIDATES]
    if events:
        _rate(statement, tally, np.concatenate(events), np.concatenate(bounds))
    elif statement.exact is not None:
        _confirm(statement, tally)
    return tally


def _confirm(statement: Statement, tally: _Tally) -> None:
    """Put the smallest candidate that exact arithmetic confirms in front."""
    for each in tally.found:
        judged = judge(statement, each.inputs)
        if judged is not None:
            tally.found = [_Found(each.inputs, *judged)]
            return


def _rate(statement: Statement, tally: _Tally, event: np.ndarray, bounds: np.ndarray) -> None:
    """Judge a family's rate of an event by its confidence interval."""
    tally.met, tally.bound = event.size, float(bounds.mean())
    tally.confidence = confidence(statement)
    successes = int(event.sum())
    tally.measured = successes / event.size
    low, high = tally.interval = clopper_pearson(successes, event.size, tally.confidence)
    tally.worst_margin = tally.bound - high if str(tally.relation).startswith(">") else low - tally.bound
    inputs = {
        "family": tally.family,
        "successes": successes,
        "trials": event.size,
        "confidence": tally.confidence,
    }
    if rate_violated(inputs, str(tally.relation), tally.bound):
        tally.violations = 1
        tally.found = [_Found(inputs, Violation(tally.measured, str(tally.relation), tally.bound), False)]


def _shrinking(statement: Statement, seed: int, examples: int) -> _Tally:
    """Small rational configurations, shrunk to the simplest violation; one that rests on no tie is preferred."""
    import hypothesis

    assert statement.strategy is not None
    tally = _Tally(SHRINKING)
    on_tie = False

    def violates(inputs: Inputs) -> bool:
        nonlocal on_tie
        tally.trials += 1
        tally.met += bool(tally.check(statement, batch_of_one(inputs))[0])
        judged = judge(statement, inputs)
        on_tie |= judged is not None and judged[0].tie
        return judged is not None and not judged[0].tie

    def violates_on_tie(inputs: Inputs) -> bool:
        return judge(statement, inputs) is not None

    settings = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )
    for condition in (violates, violates_on_tie):
        try:
            inputs = hypothesis.find(
                statement.strategy,
                condition,
                settings=settings,
                random=random.Random(seed),
            )
        except hypothesis.errors.NoSuchExample:
            if on_tie:
                continue
            break
        judged = judge(statement, inputs)
        assert judged is not None
        tally.found = [_Found(inputs, *judged)]
        tally.violations, tally.on_tie, tally.relation = (
            1,
            int(judged[0].tie),
            judged[0].relation,
        )
        break
    return tally


def _row(statement: Statement, tally: _Tally, smallest: bool) -> dict[str, Any]:
    return {
        "claim": statement.claim,
        "paper": statement.paper,
        "variant": statement.variant,
        "statement": statement.text,
        "hypotheses": "; ".join(statement.hypotheses) or "none",
        "family": tally.family,
        "trials": tally.trials,
        "accepted": dumps(tally.accepted),
        "met": tally.met,
        "violations": tally.violations,
        "on_tie": tally.on_tie,
        "worst_margin": tally.worst_margin if math.isfinite(tally.worst_margin) else math.nan,
        "measured": tally.measured,
        "bound": tally.bound,
        "relation": tally.relation,
        "interval_low": tally.interval[0],
        "interval_high": tally.interval[1],
        "confidence": tally.confidence,
        "counterexample": dumps(document(statement, *tally.found[0])) if smallest else None,
    }
