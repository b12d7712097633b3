"""Energies, Frank-Wolfe gaps and the bounds that FW-3 and FW-13 state."""

import numpy as np
from jaxtyping import Float

from hardmax.frank_wolfe.minimisation import minimise_by_tokens


def energy(B: Float[np.ndarray, "*#batch dim dim"], x: Float[np.ndarray, "*#batch tokens dim"]) -> Float[np.ndarray, "*batch tokens"]:
    """J(x_i) = <B x_i, x_i>/2 for every token."""
    return np.einsum("...nd,...de,...ne->...n", x, B, x) / 2.0


def frank_wolfe_gap(
    gradient: Float[np.ndarray, "*batch tokens dim"], x: Float[np.ndarray, "*batch tokens dim"]
) -> Float[np.ndarray, "*batch tokens"]:
    """max over y in the hull of <gradient at x_i, x_i - y> for every token; zero exactly at stationary points."""
    own = np.einsum("...nd,...nd->...n", gradient, x)
    return own - minimise_by_tokens(gradient, x[..., None, :, :])


def descent_bound(steps: int, largest_eigenvalue: float, diameter: float) -> Float[np.ndarray, " steps"]:
    """2/(t+1) * lambda_max(B_*^0) * diam(K^0)^2 at t = 0, ..., steps - 1, for the energy of x^{t+1} (FW-3)."""
    return 2.0 / np.arange(1, steps + 1) * largest_eigenvalue * diameter**2
