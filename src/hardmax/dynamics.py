"""Update rules of attention-only transformers, and `simulate`, which applies one layer after layer.

A rule is called as `rule(x, t, multiplicity)` and gives the tokens after layer t (t = 0, 1, ...). All move by

    z_i <- z_i + gamma^t (m_i - z_i),        gamma = alpha/(1 + alpha) for a residual weight alpha,

where m_i is a mean of tokens: of the followed ones (hardmax), of all by softmax weights, or one token drawn by these (Markov
chain). In this form a token that follows only itself does not move, bit for bit.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from hardmax.attention import follow, softmax_weights
from hardmax.errors import InputError

Step = float | Float[Tensor, "..."]
"""A step size: a number in [0, 1], one for each coordinate (dim,), or a matrix (dim, dim) that acts on m_i - z_i.

For a general value matrix V it is (I + V)^-1 V: x <- (I + V)^-1 (x + V m)."""
Schedule = Step | Callable[[int], Step]
"""A step size for all layers, or a function of the layer t."""
Matrix = Float[Tensor, "... dim dim"]
KeyQuery = Matrix | None | Callable[[int], Matrix]
"""A key-query matrix for all layers, the identity (None), or a function of the layer t."""


@runtime_checkable
class Rule(Protocol):
    """One layer: tokens (..., tokens, dim), the layer's number and the multiplicities in, the tokens after it out."""

    def __call__(self, x: Tensor, t: int, multiplicity: Tensor | None = None) -> Tensor: ...


def step_size(alpha: float) -> float:
    """gamma = alpha/(1 + alpha) of a residual weight alpha > 0: z <- (z + alpha m)/(1 + alpha) moves by this share towards m.

    Raises:
        InputError: alpha is not positive and finite.
    """
    if not 0 < alpha < float("inf"):
        raise InputError(f"alpha: expected a positive finite number, found {alpha}")
    return alpha / (1 + alpha)


def frank_wolfe_schedule(t: int) -> float:
    """gamma^t = 2/(t + 2), which starts at 1 (FW-3): the reference that the descent compiled in `hardmax.frank_wolfe` is tested against."""
    return 2.0 / (t + 2.0)


def _check_step(gamma: Step) -> None:
    steps = torch.as_tensor(gamma, dtype=torch.float64)
    if steps.ndim < 2:
        expected, wrong = "step sizes in [0, 1]", steps[~((steps >= 0) & (steps <= 1))]
    else:
        expected, wrong = "a matrix of finite entries", steps[~torch.isfinite(steps)]
    if wrong.numel():
        raise InputError(f"gamma: expected {expected}, found {float(wrong[0])}")


def _check_constant(schedule: Schedule) -> None:
    """A schedule that is a function is checked layer by layer."""
    if not callable(schedule):
        _check_step(schedule)


def _gamma(schedule: Schedule, t: int) -> Step:
    if not callable(schedule):
        return schedule
    gamma = schedule(t)
    _check_step(gamma)
    return gamma


def _matrix(schedule: KeyQuery, t: int) -> Tensor | None:
    return schedule(t) if callable(schedule) else schedule


def move(
    x: Float[Tensor, "*batch tokens dim"], mean: Float[Tensor, "*batch tokens dim"], gamma: Step
) -> Float[Tensor, "*batch tokens dim"]:
    """x + gamma (mean - x), gamma a number, a vector over coordinates or a matrix; gamma = 1 gives the mean itself."""
    if isinstance(gamma, Tensor):
        gamma = gamma.to(x)
        if gamma.ndim >= 2:
            return x + (mean - x) @ gamma.mT
        return x + gamma * (mean - x)
    return mean.clone() if gamma == 1.0 else x + gamma * (mean - x)


@dataclass(frozen=True)
class Hardmax:
    """x_i <- x_i + gamma^t (mean of the tokens i follows - x_i): (SA_inf), the Frank-Wolfe step for J(x) = -<B x, x>/2.

    Attributes:
        gamma: step size or schedule.
        B: key-query matrix or schedule; the identity for None.
        arrival: a token that comes this near to the mean it follows arrives there, in units of the last place of the mean's largest coordinate; never
            for 0. Once two tokens are within some units of the last place, the grid of floating-point numbers and not the dynamics says which
            of them lies farther out: without arrival a leader keeps its place for ever, but may lose its lead after some fifty layers.
    """

    gamma: Schedule
    B: KeyQuery = None
    arrival: float = 0.0

    def __post_init__(self) -> None:
        _check_constant(self.gamma)

    def __call__(self, x: Tensor, t: int, multiplicity: Tensor | None = None) -> Tensor:
        mean = follow(x, _matrix(self.B, t), multiplicity).mean
        moved = move(x, mean, _gamma(self.gamma, t))
        if self.arrival == 0.0:
            return moved
        reach = self.arrival * torch.finfo(x.dtype).eps * mean.abs().amax(dim=-1)
        return torch.where(((mean - x).abs().amax(dim=-1) <= reach).unsqueeze(-1), mean, moved)


def leader_averaging(alpha: float, A: Matrix | None = None, arrival: float = 1024.0) -> Hardmax:
    """z_i <- (z_i + alpha * mean of followed)/(1 + alpha), the clustering paper's layer, in the form that leaves leaders in place.

    Tokens arrive within 1024 units of the last place (2e-13 in float64), so that clusters can be counted as distinct values.
    """
    return Hardmax(step_size(alpha), A, arrival)


@dataclass(frozen=True)
class Softmax:
    """(SA_beta): x_i <- x_i + gamma^t (sum_j w_ij x_j - x_i), w the softmax weights at inverse temperature beta.

    The reference that the layers compiled in `hardmax.sentiment` are tested against.

    Attributes:
        gamma: step size or schedule.
        beta: inverse temperature, at least 0.
        B: key-query matrix or schedule; the identity for None.
    """

    gamma: Schedule
    beta: float
    B: KeyQuery = None

    def __post_init__(self) -> None:
        _check_constant(self.gamma)

    def __call__(self, x: Tensor, t: int, multiplicity: Tensor | None = None) -> Tensor:
        weights = softmax_weights(x, self.beta, _matrix(self.B, t), multiplicity)
        return move(x, weights @ x, _gamma(self.gamma, t))


@dataclass(frozen=True)
class MarkovChain:
    """(SA_P): every token independently picks j with probability w_ij, all from the same x^t, and moves by gamma^t towards it.

    The reference that the steps compiled in `hardmax.metastability` are tested against.

    Attributes:
        gamma: step size or schedule.
        beta: inverse temperature, at least 0.
        rng: the generator the picks are drawn from, by the Gumbel-max trick; the same on every device.
        B: key-query matrix or schedule; the identity for None.
    """

    gamma: Schedule
    beta: float
    rng: np.random.Generator
    B: KeyQuery = None

    def __post_init__(self) -> None:
        _check_constant(self.gamma)

    def __call__(self, x: Tensor, t: int, multiplicity: Tensor | None = None) -> Tensor:
        if multiplicity is not None and bool((multiplicity > 1).any()):
            raise InputError(
                "multiplicity: expected a mask of ones and zeros, since repeated tokens pick independently, found a count above 1"
            )
        weights = softmax_weights(x, self.beta, _matrix(self.B, t), multiplicity)
        gumbel = torch.from_numpy(self.rng.gumbel(size=tuple(weights.shape))).to(x.device)
        picks = (weights.double().log() + gumbel).argmax(dim=-1)
        picked = x.gather(-2, picks.unsqueeze(-1).expand_as(x))
        return move(x, picked, _gamma(self.gamma, t))


def _kept_layers(keep: str | Iterable[int], layers: int) -> list[int]:
    if isinstance(keep, str):
        if keep not in ("all", "last"):
            raise InputError(f"keep: expected 'all', 'last' or layer numbers, found {keep!r}")
        return list(range(layers + 1)) if keep == "all" else [layers]
    kept = sorted(set(keep))
    if not kept or kept[0] < 0 or kept[-1] > layers:
        raise InputError(f"keep: expected layer numbers from 0 to {layers}, found {kept}")
    return kept


def simulate(
    x: Float[Tensor, "*batch tokens dim"] | np.ndarray,
    rule: Rule,
    layers: int,
    *,
    multiplicity: Shaped[Tensor, "*batch tokens"] | np.ndarray | None = None,
    keep: str | Iterable[int] = "all",
    callback: Callable[[int, Tensor], object] | None = None,
    device: torch.device | str | None = None,
    dtype: torch.dtype | None = None,
) -> Float[Tensor, "kept *batch tokens dim"]:
    """Apply a rule layer after layer and keep what is asked for.

    Args:
        x: initial tokens as rows, shape (..., tokens, dim); a NumPy array is copied.
        rule: the layer's update.
        layers: how many layers, at least 0.
        multiplicity: counts or mask of the tokens, shape (..., tokens); see `hardmax.attention`.
        keep: "all" (layers 0 to `layers`, the initial tokens being layer 0), "last", or the numbers of the layers to keep.
        callback: called with (t, tokens) at every layer from 0; the run ends early where it returns True, and layers not reached are absent.
        device: where to compute; where x is for None.
        dtype: precision; that of x for None.

    Returns:
        The kept layers, stacked in the first axis in ascending order. An early end keeps its last layer besides.

    Raises:
        InputError: a wrong `layers` or `keep`, or tokens that `follow` rejects.
    """
    if layers < 0:
        raise InputError(f"layers: expected an integer of at least 0, found {layers}")
    kept = set(_kept_layers(keep, layers))
    tokens = torch.as_tensor(x).to(device=device, dtype=dtype)
    counts = None if multiplicity is None else torch.as_tensor(multiplicity).to(device=tokens.device)
    found = []
    for t in range(layers + 1):
        if t > 0:
            tokens = rule(tokens, t - 1, counts)
        ended = callback is not None and callback(t, tokens) is True
        if t in kept or ended:
            found.append(tokens)
        if ended:
            break
    return torch.stack(found)
