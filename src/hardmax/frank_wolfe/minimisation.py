"""The linear minimisation of a Frank-Wolfe step over the hull of the tokens: by the tokens, and by linear programming."""

import numpy as np
from jaxtyping import Float
from scipy.optimize import linprog

from hardmax.errors import InputError


def minimise_by_tokens(
    gradient: Float[np.ndarray, "*#batch dim"], tokens: Float[np.ndarray, "*#batch tokens dim"]
) -> Float[np.ndarray, "*batch"]:
    """min over the hull of <gradient, y>, which a token attains (FW-1)."""
    return np.asarray(np.einsum("...d,...nd->...n", gradient, tokens).min(axis=-1))


def minimise_by_program(gradient: Float[np.ndarray, " dim"], tokens: Float[np.ndarray, "tokens dim"]) -> float:
    """The same minimum by a linear program over convex weights: w >= 0, sum w = 1, y = w tokens a variable of its own (HiGHS).

    Raises:
        InputError: shapes that do not fit, or a program that HiGHS does not solve.
    """
    count, dim = tokens.shape
    if gradient.shape != (dim,):
        raise InputError(f"gradient: expected shape {(dim,)}, found {gradient.shape}")
    objective = np.concatenate([np.zeros(count), gradient])
    equations = np.block([[tokens.T, -np.eye(dim)], [np.ones((1, count)), np.zeros((1, dim))]])
    values = np.concatenate([np.zeros(dim), [1.0]])
    bounds = [(0, None)] * count + [(None, None)] * dim
    found = linprog(objective, A_eq=equations, b_eq=values, bounds=bounds, method="highs")
    if not found.success:
        raise InputError(f"linear program over {count} tokens: {found.message}")
    return float(found.fun)
