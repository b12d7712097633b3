"""The search for counterexamples: broad over random families, then shrinking over small rationals.

The result is a table with a row for each variant of a statement and each of its families, and one for the shrinking
search. The smallest counterexample of a variant stands on the row of the family that found it.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from hardmax.errors import InputError
from hardmax.falsify.counterexample import confidence, judge, rate_violated, violation_at
from hardmax.falsify.shrinking import EXAMPLES, shrink
from hardmax.falsify.statement import Rate, Statement, Violation, inputs_of, select, size
from hardmax.falsify.tally import COLUMNS, Found, Tally
from hardmax.intervals import clopper_pearson

SHAPES = 8
"""A family is asked for at least so many chunks, so that few trials still see several shapes."""

CANDIDATES = 3
"""Violations of a family that are kept for confirmation in exact arithmetic."""


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
        tallies.append(shrink(statement, int(streams[-1].integers(2**63)), min(trials, EXAMPLES)))
    found = [(each.order, index) for index, tally in enumerate(tallies) for each in tally.found]
    smallest = min(found)[1] if found else None
    return [tally.row(statement, index == smallest) for index, tally in enumerate(tallies)]


def _chunks(trials: int, chunk: int) -> Iterator[int]:
    step = max(1, min(chunk, math.ceil(trials / SHAPES)))
    for start in range(0, trials, step):
        yield min(step, trials - start)


def _broad(statement: Statement, family: str, rng: np.random.Generator, trials: int) -> Tally:
    """Random trials of one family, in chunks."""
    tally = Tally(family, trials=trials)
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
            tally.found.append(Found(inputs_of(instances, first), violation_at(outcome, first), False))
            tally.found = sorted(tally.found, key=lambda each: each.order)[:CANDIDATES]
    if events:
        _rate(statement, tally, np.concatenate(events), np.concatenate(bounds))
    elif statement.exact is not None:
        _confirm(statement, tally)
    return tally


def _confirm(statement: Statement, tally: Tally) -> None:
    """Put the smallest candidate that exact arithmetic confirms in front."""
    for each in tally.found:
        judged = judge(statement, each.inputs)
        if judged is not None:
            tally.found = [Found(each.inputs, *judged)]
            return


def _rate(statement: Statement, tally: Tally, event: np.ndarray, bounds: np.ndarray) -> None:
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
        tally.found = [Found(inputs, Violation(tally.measured, str(tally.relation), tally.bound), False)]
