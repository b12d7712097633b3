"""Trajectories of leader averaging for trials with their own A and alpha, in float64 and in rationals."""

from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float

from hardmax.attention import follow
from hardmax.definiteness import positive_definite
from hardmax.exact import Rows, followed_sets, hardmax_step, leaders, rational, rationals
from hardmax.falsify import Inputs, Instances


class Trajectory(NamedTuple):
    """A batch of runs; the first axis is the layer, from 0 to `layers`.

    Attributes:
        tokens: shape (layers + 1, trials, tokens, dim).
        means: mean of the tokens each token follows, same shape.
        leads: whether a token is a leader, shape (layers + 1, trials, tokens).
        tied: whether it follows tokens that do not coincide, same shape.
    """

    tokens: Float[np.ndarray, "layers trials tokens dim"]
    means: Float[np.ndarray, "layers trials tokens dim"]
    leads: Bool[np.ndarray, "layers trials tokens"]
    tied: Bool[np.ndarray, "layers trials tokens"]


def trajectory(x: Instances, layers: int | None = None) -> Trajectory:
    """Run the trials for `layers` layers (their own number for None), followed sets by the rule of `hardmax.attention`."""
    count = int(np.max(x["layers"])) if layers is None else layers
    tokens = torch.from_numpy(np.ascontiguousarray(x["tokens"], dtype=np.float64))
    A = torch.from_numpy(np.array(x["A"], dtype=np.float64))
    alpha = torch.from_numpy(np.asarray(x["alpha"], dtype=np.float64))
    share = (alpha / (1 + alpha))[:, None, None]
    kept: list[tuple[torch.Tensor, ...]] = []
    for layer in range(count + 1):
        followed = follow(tokens, A)
        alone = (followed.mean == tokens).all(dim=-1) & ~followed.tied
        kept.append((tokens, followed.mean, alone, followed.tied))
        if layer < count:
            tokens = tokens + share * (followed.mean - tokens)
    return Trajectory(*(torch.stack(part).numpy() for part in zip(*kept, strict=True)))


def squared_scale(x: Instances) -> Float[np.ndarray, " trials"]:
    """Largest squared A-norm of an initial token, 1 where all are at the origin: what scores are measured in."""
    norms = np.einsum("tnd,tde,tne->tn", x["tokens"], x["A"], x["tokens"]).max(axis=1)
    return np.where(norms > 0, norms, 1.0)


def scale(x: Instances) -> Float[np.ndarray, " trials"]:
    """Largest absolute coordinate of an initial token, 1 where all are at the origin: what distances are measured in."""
    size = np.abs(x["tokens"]).max(axis=(1, 2))
    return np.where(size > 0, size, 1.0)


class ExactLayer(NamedTuple):
    """One layer in rationals: tokens, followed sets, leaders."""

    tokens: Rows
    sets: list[list[int]]
    leaders: list[int]


def model_holds(inputs: Inputs) -> bool:
    """alpha > 0 and A symmetric positive definite, exactly."""
    return bool(inputs["alpha"] > 0 and positive_definite(rationals(inputs["A"])))


def exact_trajectory(inputs: Inputs) -> list[ExactLayer]:
    """The run of one configuration in rationals, layers 0 to `layers`."""
    x, A, alpha = rationals(inputs["tokens"]), rationals(inputs["A"]), rational(inputs["alpha"])
    run = []
    for layer in range(int(inputs["layers"]) + 1):
        sets = followed_sets(x, A)
        run.append(ExactLayer(x, sets, leaders(x, sets)))
        if layer < int(inputs["layers"]):
            x = hardmax_step(x, alpha / (1 + alpha), A, sets)
    return run


def exact_score(x: list[Any], A: Rows, y: list[Any]) -> Any:
    """<A x, y> in rationals."""
    return sum((A[i][j] * x[j] * y[i] for i in range(len(y)) for j in range(len(x))), rational(0))
