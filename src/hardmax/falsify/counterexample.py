"""Counterexamples as JSON documents: exact rationals as text, and their verification from the document alone."""

import json
from fractions import Fraction
from typing import Any

import numpy as np

from hardmax.errors import InputError
from hardmax.falsify.statement import (
    Inputs,
    Outcome,
    Rate,
    Statement,
    Violation,
    batch_of_one,
)
from hardmax.intervals import clopper_pearson

KEYS = (
    "claim",
    "variant",
    "inputs",
    "step",
    "token",
    "left",
    "right",
    "relation",
    "exact",
    "on_tie",
)


def plain(value: Any) -> Any:
    """Rationals as "p/q", whole numbers as integers, containers as lists and dicts: what JSON can hold."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, np.generic):
        return value.item()
    return float(value)


def parsed(value: Any) -> Any:
    """The inverse of `plain` for inputs: "p/q", whole numbers and decimals become `Fraction`, other text stays text."""
    if isinstance(value, dict):
        return {key: parsed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [parsed(item) for item in value]
    if value is None or isinstance(value, bool):
        return value
    try:
        return Fraction(value)
    except ValueError:
        return value


def dumps(document: dict[str, Any]) -> str:
    """The document on one line."""
    return json.dumps(document, allow_nan=False, separators=(", ", ": "))


def document(statement: Statement, inputs: Inputs, violation: Violation, exact: bool) -> dict[str, Any]:
    """A counterexample to `statement` as a JSON document."""
    return {
        "claim": statement.claim,
        "variant": statement.variant,
        "inputs": plain(inputs),
        "step": violation.step,
        "token": violation.token,
        "left": plain(violation.left),
        "right": plain(violation.right),
        "relation": violation.relation,
        "exact": exact,
        "on_tie": violation.tie,
    }


def violation_at(outcome: Outcome, trial: int) -> Violation:
    """One trial of an outcome."""
    step, token = int(outcome.step[trial]), int(outcome.token[trial])
    return Violation(
        left=float(outcome.left[trial]),
        relation=outcome.relation,
        right=float(outcome.right[trial]),
        step=None if step < 0 else step,
        token=None if token < 0 else token,
        tie=bool(outcome.tie[trial]),
    )


def judge(statement: Statement, inputs: Inputs) -> tuple[Violation, bool] | None:
    """The violation that one configuration makes of `statement`, and whether it is exact; None where it makes none."""
    if statement.exact is not None:
        found = statement.exact(inputs)
        return None if found is None else (found, True)
    instances = batch_of_one(inputs)
    if not statement.meets(instances)[0]:
        return None
    outcome = statement.conclusion(instances)
    if isinstance(outcome, Rate) or not outcome.margin[0] > statement.tolerance:
        return None
    return violation_at(outcome, 0), False


def reverify(statement: Statement, counterexample: dict[str, Any]) -> bool:
    """Whether a counterexample's document, by itself, violates `statement` as it says it does.

    An exact one is recomputed in rationals and must agree in place and in both sides of the relation; one in float64
    must violate again; a rate's must have its confidence interval beyond the bound.

    Raises:
        InputError: the document has other keys, or is about another claim.
    """
    if set(counterexample) != set(KEYS):
        raise InputError(f"counterexample: expected keys {', '.join(KEYS)}; found {', '.join(counterexample)}")
    if counterexample["claim"] != statement.claim:
        raise InputError(f"counterexample: expected claim {statement.claim}, found {counterexample['claim']}")
    chosen = [each for each in statement.variants() if each.variant == counterexample["variant"]]
    if not chosen:
        raise InputError(f"counterexample: {statement.claim} has no variant {counterexample['variant']!r}")
    inputs = parsed(counterexample["inputs"])
    if "successes" in inputs:
        return rate_violated(inputs, counterexample["relation"], float(Fraction(counterexample["right"])))
    judged = judge(chosen[0], inputs)
    if judged is None:
        return False
    violation, exact = judged
    if not counterexample["exact"]:
        return True
    return exact and document(chosen[0], inputs, violation, exact) == counterexample


def rate_violated(inputs: Inputs, relation: str, bound: float) -> bool:
    """Whether the confidence interval of `successes` in `trials` lies wholly beyond `bound`."""
    low, high = clopper_pearson(int(inputs["successes"]), int(inputs["trials"]), float(inputs["confidence"]))
    return {">=": high < bound, ">": high < bound, "<=": low > bound, "<": low > bound}[relation]
