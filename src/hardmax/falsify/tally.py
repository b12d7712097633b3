"""What the trials of one family came to, and its row in the table of a search."""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool

from hardmax.falsify.counterexample import document, dumps, plain
from hardmax.falsify.statement import Inputs, Instances, Outcome, Statement, Violation, every, size

COLUMNS = (
    "claim", "paper", "variant", "statement", "hypotheses", "family", "trials", "accepted", "met", "violations", "on_tie",
    "worst_margin", "measured", "bound", "relation", "interval_low", "interval_high", "confidence", "counterexample",
)  # fmt: skip


class Found(NamedTuple):
    """A counterexample and whether exact arithmetic confirmed it."""

    inputs: Inputs
    violation: Violation
    exact: bool

    @property
    def order(self) -> tuple[bool, bool, int]:
        """Best first: no tie, exact, short to write down."""
        return self.violation.tie, not self.exact, len(dumps(plain(self.inputs)))


@dataclass
class Tally:
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
    found: list[Found] = field(default_factory=list)

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

    def row(self, statement: Statement, smallest: bool) -> dict[str, Any]:
        """The row of the family in the table; the smallest counterexample of the variant stands on one of them."""
        return {
            "claim": statement.claim,
            "paper": statement.paper,
            "variant": statement.variant,
            "statement": statement.text,
            "hypotheses": "; ".join(statement.hypotheses) or "none",
            "family": self.family,
            "trials": self.trials,
            "accepted": dumps(self.accepted),
            "met": self.met,
            "violations": self.violations,
            "on_tie": self.on_tie,
            "worst_margin": self.worst_margin if math.isfinite(self.worst_margin) else math.nan,
            "measured": self.measured,
            "bound": self.bound,
            "relation": self.relation,
            "interval_low": self.interval[0],
            "interval_high": self.interval[1],
            "confidence": self.confidence,
            "counterexample": dumps(document(statement, *self.found[0])) if smallest else None,
        }
