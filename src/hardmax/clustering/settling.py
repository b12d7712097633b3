"""Run leader averaging until the rest of the run is known, and read off its limit (CL-4, CL-5).

A token rests when the mean m_i of the tokens it follows is the token itself; a leader rests. A cloud has **settled** when every
token follows resting tokens only, and <A m_i, z_j> <= <A m_i, m_i> for all tokens j. Then no followed set changes any more, so that
token i tends to m_i and no leader emerges. Write a for alpha/(1+alpha), let token i follow v, and let w be any token. A layer later

    <A z_i', v - w'> = (1-a)^2 <A z_i, v - w> + (1-a) a <A z_i, v - m_w> + (1-a) a <A m_i, v - w> + a^2 <A m_i, v - m_w>,

since v rests. If i does not follow w, the first term is positive; the second is not negative since m_w lies in the hull, and neither
are the last two, since v is one of the tokens that m_i averages, so that <A m_i, v> = <A m_i, m_i>, the largest value over the hull.
If i follows w too, w rests, and all four terms are 0. Without ties the condition on m_i only says that a leader is one.
"""

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from hardmax.attention import Followed, follow, followed_sets, queries
from hardmax.dynamics import move, step_size
from hardmax.errors import InputError

_TOLERANCE = 1e-12
"""Rounding allowed in <A m, z> <= <A m, m> for the mean m of a tie, relative to the largest squared A-norm of a token."""


class Settled(NamedTuple):
    """Clouds after they settled.

    Attributes:
        limits: limit of each token, shape (clouds, tokens, dim); where a cloud did not settle, the token where the run ended.
        leaders: final leaders, shape (clouds, tokens).
        first_leaders: leaders at layer 0.
        final_layer: first layer whose leaders are the final ones, shape (clouds,).
        settled_layer: first layer at which the cloud has settled, or -1 where it has not within the layers allowed.
    """

    limits: Float[Tensor, "clouds tokens dim"]
    leaders: Bool[Tensor, "clouds tokens"]
    first_leaders: Bool[Tensor, "clouds tokens"]
    final_layer: Int[Tensor, " clouds"]
    settled_layer: Int[Tensor, " clouds"]


def _have_settled(x: Tensor, followed: Followed, present: Tensor, A: Tensor | None, counts: Tensor | None) -> Tensor:
    """Which clouds (clouds,) meet the condition above."""
    rests = (followed.mean == x).all(dim=-1) & present
    settled = (rests.gather(1, followed.first) | followed.tied | ~present).all(dim=1)
    tied = (followed.tied & present).any(dim=1) & settled
    if bool(tied.any()):
        some = torch.nonzero(tied)[:, 0]
        cloud, mean, where = x[some], followed.mean[some], present[some]
        sets = followed_sets(cloud, A, None if counts is None else counts[some]) & where.unsqueeze(1)
        resting = (~sets | rests[some].unsqueeze(1)).all(dim=2) | ~where
        q = queries(mean, A)
        own = (q * mean).sum(dim=-1)
        largest = (q @ cloud.mT).masked_fill(~where.unsqueeze(1), -torch.inf).amax(dim=2)
        scale = (queries(cloud, A) * cloud).sum(dim=-1).amax(dim=1, keepdim=True)
        settled[some] = (resting & ((largest <= own + _TOLERANCE * scale) | ~where)).all(dim=1)
    return settled


def settle(
    x: Float[Tensor, "clouds tokens dim"] | Float[np.ndarray, "clouds tokens dim"],
    alpha: float,
    A: Float[Tensor, "dim dim"] | Float[np.ndarray, "dim dim"] | None = None,
    *,
    multiplicity: Shaped[Tensor, "clouds tokens"] | None = None,
    layers: int = 1000,
) -> Settled:
    """Leader averaging of many clouds, each until it settles; settled ones take no further time.

    Args:
        x: initial tokens as rows, float64 for results worth the name.
        alpha: weight of the followed mean, positive.
        A: symmetric positive definite key-query matrix; the identity for None.
        multiplicity: counts of the tokens, 0 for an absent one.
        layers: how many layers at most.

    Raises:
        InputError: alpha, layers or tokens out of range.
    """
    if layers < 0:
        raise InputError(f"layers: expected an integer of at least 0, found {layers}")
    gamma = step_size(alpha)
    tokens = torch.as_tensor(x).clone()
    matrix = None if A is None else torch.as_tensor(A).to(tokens)
    count = len(tokens)
    present_everywhere = torch.ones(tokens.shape[:2], dtype=torch.bool) if multiplicity is None else multiplicity > 0
    leaders = torch.zeros(tokens.shape[:2], dtype=torch.bool)
    first_leaders = leaders.clone()
    final_layer = torch.zeros(count, dtype=torch.int64)
    settled_layer = torch.full((count,), -1, dtype=torch.int64)
    running = torch.arange(count)
    for layer in range(layers + 1):
        cloud, present = tokens[running], present_everywhere[running]
        counts = None if multiplicity is None else multiplicity[running]
        followed = follow(cloud, matrix, counts)
        leads = (followed.mean == cloud).all(dim=-1) & ~followed.tied & present
        if layer == 0:
            first_leaders = leads
        else:
            changed = (leads != leaders[running]).any(dim=1)
            final_layer[running[changed]] = layer
        leaders[running] = leads
        done = _have_settled(cloud, followed, present, matrix, counts)
        settled_layer[running[done]] = layer
        tokens[running] = torch.where(done[:, None, None], followed.mean, move(cloud, followed.mean, gamma))
        running = running[~done]
        if not len(running):
            break
    return Settled(tokens, leaders, first_leaders, final_layer, settled_layer)


def distinct_points(x: Float[Tensor, "clouds tokens dim"], present: Bool[Tensor, "clouds tokens"] | None = None) -> Int[Tensor, " clouds"]:
    """How many different values the tokens of each cloud have, absent ones left out; values are compared exactly."""
    array = x.cpu().numpy()
    kept = np.ones(array.shape[:2], dtype=bool) if present is None else present.cpu().numpy()
    return torch.tensor([len(np.unique(cloud[keep], axis=0)) for cloud, keep in zip(array, kept, strict=True)], dtype=torch.int64)
