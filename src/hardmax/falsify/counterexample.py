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

DRAWS = 20
"""Trials that are drawn, one by one, to learn what a statement compares a family's rate with."""


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
    must violate again; a rate's must have its confidence interval beyond the bound. Whether the claim is about a rate, and
    which relation, level and bound it has, is the statement's to say.

    Raises:
        InputError: the document has other keys, is about another claim, or its inputs are no configuration of the claim.
    """
    if set(counterexample) != set(KEYS):
        raise InputError(f"counterexample: expected keys {', '.join(KEYS)}; found {', '.join(counterexample)}")
    if counterexample["claim"] != statement.claim:
        raise InputError(f"counterexample: expected claim {statement.claim}, found {counterexample['claim']}")
    chosen = [each for each in statement.variants() if each.variant == counterexample["variant"]]
    if not chosen:
        raise InputError(f"counterexample: {statement.claim} has no variant {counterexample['variant']!r}")
    try:
        return _violates(chosen[0], counterexample)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        reason = " ".join(f"{type(error).__name__} {error}".split())[:200]
        raise InputError(f"counterexample: expected a configuration of {statement.claim}, found one that fails with {reason}") from None


def _violates(statement: Statement, counterexample: dict[str, Any]) -> bool:
    inputs = parsed(counterexample["inputs"])
    if not isinstance(inputs, dict):
        raise InputError(f"counterexample: expected inputs by name, found {type(inputs).__name__}")
    if "successes" in inputs:
        return _rate_breaks(statement, inputs, counterexample["relation"], float(Fraction(counterexample["right"])))
    judged = judge(statement, inputs)
    if judged is None:
        return False
    violation, exact = judged
    if not counterexample["exact"]:
        return True
    return exact and document(statement, inputs, violation, exact) == counterexample


def _rate_breaks(statement: Statement, inputs: Inputs, relation: str, bound: float) -> bool:
    """Whether counts of an event break the statement. The bound may differ from trial to trial: the file's must be one that the family's
    trials can have on average."""
    if set(inputs) != {"family", "successes", "trials", "confidence"} or inputs["family"] not in statement.families:
        raise InputError(
            f"counterexample: expected inputs family (of {', '.join(statement.families)}), successes, trials, confidence; "
            f"found {', '.join(f'{key} {value}' for key, value in inputs.items())}"
        )
    beyond = rate_violated(inputs | {"confidence": confidence(statement)}, relation, bound)
    stated = _bounds(statement, inputs["family"], relation)
    if stated is None:
        return False
    slack = 1e-9 * max(1.0, float(np.abs(stated).max()))
    return beyond and bool(stated.min() - slack <= bound <= stated.max() + slack)


def _bounds(statement: Statement, family: str, relation: str) -> np.ndarray | None:
    """What a few trials of a family that meet the hypotheses have the rate compared with; None where by another relation."""
    rng = np.random.default_rng(0)
    bounds: list[float] = []
    for _ in range(DRAWS):
        instances = statement.families[family](rng, 1)
        if not statement.meets(instances)[0]:
            continue
        rate = statement.conclusion(instances)
        if not isinstance(rate, Rate):
            raise InputError(f"counterexample: {statement.claim} is no claim about a rate; expected a configuration, found counts")
        if rate.relation != relation:
            return None
        bounds.append(float(np.mean(rate.bound)))
    if not bounds:
        raise InputError(f"counterexample: no trial of the family {family!r} meets the hypotheses of {statement.claim}")
    return np.array(bounds)


def confidence(statement: Statement) -> float:
    """Level of a family's interval: 1 % shared among the families."""
    return 1 - 0.01 / len(statement.families)


def rate_violated(inputs: Inputs, relation: str, bound: float) -> bool:
    """Whether the confidence interval of `successes` in `trials` lies wholly beyond `bound`."""
    low, high = clopper_pearson(int(inputs["successes"]), int(inputs["trials"]), float(inputs["confidence"]))
    return {">=": high < bound, ">": high < bound, "<=": low > bound, "<": low > bound}[relation]
