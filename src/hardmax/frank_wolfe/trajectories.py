"""Trajectories of (SA_inf) for batches of clouds, and the straight lines of FW-7."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from hardmax.errors import InputError


class Trajectories(NamedTuple):
    """Clouds of tokens over the steps.

    Attributes:
        tokens: at steps 0 to `steps`, shape (clouds, steps + 1, tokens, dim).
        followed: lowest index of a token that each one follows at a step, shape (clouds, steps, tokens).
        tied: whether any token of the cloud met a tie between distinct tokens at a step, shape (clouds, steps).
    """

    tokens: Float[np.ndarray, "clouds layers tokens dim"]
    followed: Int[np.ndarray, "clouds steps tokens"]
    tied: Bool[np.ndarray, "clouds steps"]


def trajectories(
    tokens: Float[np.ndarray, "clouds tokens dim"],
    B: Float[np.ndarray, "clouds matrices dim dim"],
    gamma: Float[np.ndarray, "clouds steps"],
) -> Trajectories:
    """x_i <- x_i + gamma^t (mean of the tokens of largest <B^t x_i, y> - x_i), (SA_inf), for many clouds of one shape.

    Ties are decided exactly for the numbers given, as in `hardmax.attention`.

    Args:
        tokens: initial clouds.
        B: key-query matrices, one for each step; the last one serves all later steps.
        gamma: step sizes in [0, 1].

    Raises:
        InputError: shapes that do not fit, numbers that are not finite, a step size out of range.
    """
    from hardmax.frank_wolfe.kernels import run

    clouds, _, dim = tokens.shape
    if B.ndim != 4 or len(B) != clouds or B.shape[2:] != (dim, dim) or B.shape[1] == 0:
        raise InputError(f"B: expected shape ({clouds}, matrices, {dim}, {dim}), found {B.shape}")
    if gamma.ndim != 2 or len(gamma) != clouds:
        raise InputError(f"gamma: expected shape ({clouds}, steps), found {gamma.shape}")
    for name, values in (("tokens", tokens), ("B", B)):
        if not np.isfinite(values).all():
            raise InputError(f"{name}: expected finite numbers, found {values[~np.isfinite(values)][0]}")
    if not ((gamma >= 0) & (gamma <= 1)).all():
        raise InputError(f"gamma: expected step sizes in [0, 1], found {gamma[~((gamma >= 0) & (gamma <= 1))][0]}")
    return Trajectories(*run(*(np.ascontiguousarray(each, dtype=np.float64) for each in (tokens, B, gamma))))


def remaining(gamma: Float[np.ndarray, "*batch steps"]) -> Float[np.ndarray, "*batch layers"]:
    """P_t = prod_{s<t} (1 - gamma^s) for t = 0 to `steps`: the share of the way to the vertex that is left (FW-7)."""
    ones = np.ones((*gamma.shape[:-1], 1))
    return np.concatenate([ones, np.cumprod(1.0 - gamma, axis=-1)], axis=-1)


def straight_lines(
    tokens: Float[np.ndarray, "*batch tokens dim"],
    targets: Float[np.ndarray, "*batch tokens dim"],
    shares: Float[np.ndarray, "*batch layers"],
) -> Float[np.ndarray, "*batch layers tokens dim"]:
    """P_t x_i^0 + (1 - P_t) v_sigma(i): the closed form of FW-7, and with P_t = exp(-t) that of FW-12."""
    left = shares[..., :, None, None]
    return left * tokens[..., None, :, :] + (1.0 - left) * targets[..., None, :, :]
