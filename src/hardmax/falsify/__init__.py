"""The search for counterexamples: an engine that knows no topic.

A topic writes each claim as a `Statement`; `falsify` searches for violations of it and of its amendments; a
counterexample is a JSON document that `reverify` checks by itself.
"""

from hardmax.falsify import strategies
from hardmax.falsify.counterexample import (
    document,
    dumps,
    judge,
    reverify,
)
from hardmax.falsify.search import falsify
from hardmax.falsify.shrinking import SHRINKING
from hardmax.falsify.statement import (
    AS_WRITTEN,
    Family,
    Inputs,
    Instances,
    Outcome,
    Rate,
    Statement,
    Violation,
    batch_of_one,
    compare,
    inputs_of,
    rational,
    same,
    select,
    size,
)
from hardmax.falsify.tally import COLUMNS

__all__ = [
    "AS_WRITTEN",
    "COLUMNS",
    "SHRINKING",
    "Family",
    "Inputs",
    "Instances",
    "Outcome",
    "Rate",
    "Statement",
    "Violation",
    "batch_of_one",
    "compare",
    "document",
    "dumps",
    "falsify",
    "inputs_of",
    "judge",
    "rational",
    "reverify",
    "same",
    "select",
    "size",
    "strategies",
]
