"""Where the tokens of a counterexample go, layer by layer, in rational arithmetic, where its inputs name a hardmax dynamics."""

from fractions import Fraction
from typing import Any

from hardmax.exact import Rows, floats, hardmax_step, rationals

LONGEST = 200
"""Layers drawn, at most."""


def _gamma(inputs: dict[str, Any], t: int) -> Fraction | None:
    """The step size of layer t as the inputs give it: a list, a number (times ratio^t), a residual weight, or 2/(t+2)."""
    if "decay" in inputs:
        return Fraction(2, t + 2)
    if "alpha" in inputs:
        alpha = Fraction(inputs["alpha"])
        return alpha / (1 + alpha)
    gamma = inputs.get("gamma")
    if isinstance(gamma, list):
        return Fraction(gamma[t]) if t < len(gamma) else None
    return None if gamma is None else Fraction(gamma) * Fraction(inputs.get("ratio", 1)) ** t


def _matrix(inputs: dict[str, Any], t: int) -> Rows | None:
    """The key-query matrix of layer t: one for all, a list, or a decreasing -B_* between two."""
    value = inputs.get("A", inputs.get("B"))
    if value is None:
        return None
    several = isinstance(value[0][0], list)
    if several and "decay" in inputs:
        first, last = (rationals(matrix) for matrix in (value[0], value[-1]))
        share = rationals([[Fraction(inputs["decay"]) ** t]])[0][0]
        return [[-(v + share * (u - v)) for u, v in zip(p, q, strict=True)] for p, q in zip(first, last, strict=True)]
    return rationals(value[min(t, len(value) - 1)] if several else value)


def path(inputs: dict[str, Any], tokens: list[list[Any]], layers: int) -> list[list[list[float]]]:
    """Tokens before and after each layer, as floats; only the first where the inputs name no hardmax dynamics.

    Args:
        inputs: of the counterexample, as in its file.
        tokens: the tokens among them.
        layers: how many layers.
    """
    x = rationals(tokens)
    found = [floats(x).tolist()]
    if "beta" in inputs or not {"gamma", "alpha", "decay"} & inputs.keys():
        return found
    for t in range(min(layers, LONGEST)):
        try:
            if (gamma := _gamma(inputs, t)) is None:
                break
            x = hardmax_step(x, gamma, _matrix(inputs, t))
        except (TypeError, ValueError, ZeroDivisionError):
            break  # the same names, but of another dynamics: a step size for each coordinate, say
        found.append(floats(x).tolist())
    return found
