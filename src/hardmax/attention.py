"""Scores, followed sets and leaders, hardmax and softmax weights: the primitive all dynamics share.

Token i scores token j by <B z_i, z_j>, and follows the tokens of largest score.

**The rule for ties.** The query q_i = B z_i is computed once, in the tokens' precision, coordinate by coordinate in a fixed
order. Token i follows every token j for which <q_i, z_j> is largest *as real numbers*: two tokens tie exactly when the exact
inner products of these floats are equal. So coinciding tokens always tie, mirror images tie where the numbers say so, rounding in
a score neither makes nor breaks a tie, and the answer depends neither on the batch, on the order of tokens, nor on the device.
Scores are computed fast, with a bound on their error; only where they leave the maximum in doubt are exact signs taken.
The mean over a tied set is a + sum_j c_j (z_j - a) / sum_j c_j with a its token of lowest index and c the multiplicities, in
float64: the mean over coinciding tokens is the token itself, bit for bit. A query that is zero follows all tokens.

**Ragged batches.** `multiplicity` says how often each token occurs in its cloud: counts, or a mask of ones and zeros. A token of
multiplicity 0 is absent: nobody follows it, and it keeps its place by following itself. Repeated tokens may be given once with
their count; results are those of the repeated tokens.
"""

import math
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from hardmax.errors import InputError

_BLOCK = {"cpu": 2**18}
"""Entries of a block of scores, by device: bounds memory whatever the number of tokens, and stays within a CPU's cache."""
_OTHER_BLOCK = 2**25
_PLANE_ON_HOST = 4096
"""Clouds in the plane of more tokens are taken to the CPU, where n log n beats n^2."""


class Followed(NamedTuple):
    """What each token follows.

    Attributes:
        mean: mean of the followed tokens with their multiplicities, shape (..., tokens, dim).
        first: lowest index of a followed token, shape (..., tokens).
        tied: whether two followed tokens do not coincide, shape (..., tokens).
    """

    mean: Float[Tensor, "*batch tokens dim"]
    first: Int[Tensor, "*batch tokens"]
    tied: Bool[Tensor, "*batch tokens"]


def _checked(x: Tensor, B: Tensor | None, multiplicity: Shaped[Tensor, "..."] | None) -> tuple[Tensor | None, Shaped[Tensor, "..."] | None]:
    if x.ndim < 2 or x.shape[-1] == 0:
        raise InputError(f"tokens: expected shape (..., tokens, dim) with dim > 0, found {tuple(x.shape)}")
    if not x.is_floating_point():
        raise InputError(f"tokens: expected floating-point numbers, found {x.dtype}")
    if not bool(torch.isfinite(x.sum())) and not bool(torch.isfinite(x).all()):
        place = torch.nonzero(~torch.isfinite(x).all(dim=-1))[0].tolist()
        raise InputError(f"tokens: expected finite coordinates, found {x[tuple(place)].tolist()} at token {place}")
    if B is not None:
        if B.shape[-2:] != (x.shape[-1], x.shape[-1]):
            raise InputError(f"B: expected shape {(x.shape[-1], x.shape[-1])}, found {tuple(B.shape)}")
        B = B.to(x)
        if not bool(torch.isfinite(B).all()):
            raise InputError(f"B: expected finite entries, found {float(B[~torch.isfinite(B)][0])}")
    if multiplicity is not None:
        if multiplicity.shape != x.shape[:-1]:
            raise InputError(f"multiplicity: expected shape {tuple(x.shape[:-1])}, found {tuple(multiplicity.shape)}")
        multiplicity = multiplicity.to(x)
        fits = (multiplicity >= 0) & (multiplicity < math.inf)
        if not bool(fits.all()):
            raise InputError(f"multiplicity: expected finite counts of at least 0, found {float(multiplicity[~fits][0])}")
    return B, multiplicity


def queries(x: Float[Tensor, "*batch tokens dim"], B: Float[Tensor, "... dim dim"] | None = None) -> Float[Tensor, "*batch tokens dim"]:
    """B z_i for every token, summed coordinate by coordinate in a fixed order, so that it depends on the token alone.

    Args:
        x: tokens as rows, shape (..., tokens, dim).
        B: the key-query matrix, or one for each cloud with shape (..., dim, dim); the identity for None.
    """
    if B is None:
        return x
    total = x[..., :, :1] * B[..., :, 0].unsqueeze(-2)
    for k in range(1, x.shape[-1]):
        total = total + x[..., :, k : k + 1] * B[..., :, k].unsqueeze(-2)
    return total


def scores(x: Float[Tensor, "*batch tokens dim"], B: Float[Tensor, "... dim dim"] | None = None) -> Float[Tensor, "*batch tokens tokens"]:
    """<B z_i, z_j> in floating point: row i holds the scores token i gives. Ties among them are decided by `follow`, not here."""
    B, _ = _checked(x, B, None)
    return queries(x, B) @ x.mT


def _doubtful(products: Tensor, q: Tensor, radius: Tensor, absent: Tensor | None) -> tuple[Tensor, Tensor]:
    """Argmax of each row of scores, and whether rounding leaves it in doubt."""
    if absent is not None:
        products.masked_fill_(absent.unsqueeze(-2), -math.inf)
    best, first = products.max(dim=-1)
    kind = torch.finfo(products.dtype)
    error = (q.shape[-1] + 4) * kind.eps * torch.linalg.vector_norm(q, dim=-1) * radius + 4 * q.shape[-1] * kind.tiny
    return first, (products >= (best - 2 * error).unsqueeze(-1)).sum(dim=-1) != 1


def _host(x: Tensor) -> np.ndarray:
    return np.ascontiguousarray(x.detach().to("cpu", torch.float64).numpy())


def _follow_by_blocks(x: Tensor, q: Tensor, weights: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """Means, first followed tokens and ties for clouds (clouds, tokens, dim), with a bounded block of scores at a time."""
    from hardmax.geometry.queries import exact_rows

    clouds, tokens, _ = x.shape
    radius = torch.linalg.vector_norm(x, dim=-1).amax(dim=-1, keepdim=True)
    absent = None if weights is None else weights == 0
    first = torch.empty((clouds, tokens), dtype=torch.int64, device=x.device)
    doubtful = torch.empty((clouds, tokens), dtype=torch.bool, device=x.device)
    entries = _BLOCK.get(x.device.type, _OTHER_BLOCK)
    rows = max(1, min(tokens, entries // tokens))
    width = max(1, entries // (rows * tokens))
    for c in range(0, clouds, width):
        keys = x[c : c + width].mT
        hidden = None if absent is None else absent[c : c + width]
        for r in range(0, tokens, rows):
            part = q[c : c + width, r : r + rows]
            block = slice(c, c + width), slice(r, r + rows)
            first[block], doubtful[block] = _doubtful(part @ keys, part, radius[c : c + width], hidden)
    if absent is not None:
        doubtful &= ~absent
    tied = torch.zeros_like(doubtful)
    if absent is not None:
        first = torch.where(absent, torch.arange(tokens, device=x.device), first)
    means = x.gather(1, first.unsqueeze(-1).expand_as(x))
    cloud, row = torch.nonzero(doubtful, as_tuple=True)
    if cloud.numel():
        asked, where = torch.unique(cloud, return_inverse=True)
        counts = np.ones((len(asked), tokens)) if weights is None else _host(weights[asked])
        exact = exact_rows(_host(x[asked]), counts, _host(q[cloud, row]), where.cpu().numpy())
        mean, lowest, tie = (torch.from_numpy(part).to(x.device) for part in exact)
        first[cloud, row] = lowest
        tied[cloud, row] = tie
        means[cloud, row] = mean.to(x.dtype)
    return means, first, tied


def _follow_in_plane(x: Tensor, q: Tensor, weights: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """The same for dim <= 2, through the hull: n log n and without any array of scores."""
    from hardmax.geometry.queries import plane_clouds

    points = _host(x)
    asked = points if q is x else _host(q)
    if x.shape[-1] == 1:
        points, asked = (np.concatenate([part, np.zeros_like(part)], axis=-1) for part in (points, asked))
    counts = np.ones(points.shape[:-1]) if weights is None else _host(weights)
    means, first, tied = (torch.from_numpy(part) for part in plane_clouds(points, counts, asked))
    means = means[..., : x.shape[-1]].to(x)
    if weights is not None:
        absent = torch.from_numpy(counts == 0)
        own = torch.arange(x.shape[-2])
        first, tied = torch.where(absent, own, first), tied & ~absent
        means = torch.where(absent.to(x.device).unsqueeze(-1), x, means)
    return means, first.to(x.device), tied.to(x.device)


def follow(
    x: Float[Tensor, "*batch tokens dim"],
    B: Float[Tensor, "... dim dim"] | None = None,
    multiplicity: Shaped[Tensor, "*batch tokens"] | None = None,
) -> Followed:
    """The mean of the tokens that each token follows, by the rule for ties above, without an array of tokens x tokens.

    In the plane (and on the line) only tokens on the hull's boundary can be followed: time n log n and memory n. In higher dimensions
    time n^2, and memory bounded by a block of scores. The mean is differentiable in x where no tie is.

    Args:
        x: tokens as rows, shape (..., tokens, dim), float32 or float64, on any device.
        B: the key-query matrix (dim, dim), or one for each cloud; the identity for None.
        multiplicity: how often each token occurs, shape (..., tokens): counts or a mask; once each for None.

    Raises:
        InputError: a shape that does not fit, a coordinate or an entry of B that is not finite, a multiplicity that is negative or not finite.
    """
    B, weights = _checked(x, B, multiplicity)
    if x.numel() == 0:
        empty = torch.zeros(x.shape[:-1], dtype=torch.int64, device=x.device)
        return Followed(x.clone(), empty, empty.bool())
    clouds = x.reshape(-1, *x.shape[-2:])
    keys = clouds.detach()
    asked = keys if B is None else queries(x, B).detach().reshape_as(clouds)
    flat = None if weights is None else weights.reshape(clouds.shape[:-1])
    plane = x.shape[-1] <= 2 and (x.device.type == "cpu" or x.shape[-2] > _PLANE_ON_HOST)
    mean, first, tied = (_follow_in_plane if plane else _follow_by_blocks)(keys, asked, flat)
    if x.requires_grad:
        mean = torch.where(tied.unsqueeze(-1), mean, clouds.gather(1, first.unsqueeze(-1).expand_as(clouds)))
    return Followed(mean.reshape_as(x), first.reshape(x.shape[:-1]), tied.reshape(x.shape[:-1]))


def followed_sets(
    x: Float[Tensor, "*batch tokens dim"],
    B: Float[Tensor, "... dim dim"] | None = None,
    multiplicity: Shaped[Tensor, "*batch tokens"] | None = None,
) -> Bool[Tensor, "*batch tokens tokens"]:
    """C_i = { j : <B z_i, z_j> = max_l <B z_i, z_l> }: entry (i, j) says whether token i follows token j. Arguments as in `follow`."""
    from hardmax.geometry.queries import face_masks

    followed = follow(x, B, multiplicity)
    B, weights = _checked(x, B, multiplicity)
    if x.numel() == 0:
        return torch.zeros((*x.shape[:-1], x.shape[-2]), dtype=torch.bool, device=x.device)
    shape = (-1, *x.shape[-2:])
    counts = torch.ones_like(x[..., 0]) if weights is None else weights
    masks = face_masks(
        _host(x).reshape(shape),
        _host(counts).reshape(shape[:2]),
        _host(queries(x, B)).reshape(shape),
        followed.first.cpu().numpy().reshape(shape[:2]),
        followed.tied.cpu().numpy().reshape(shape[:2]),
    )
    sets = torch.from_numpy(masks).to(x.device).reshape(*x.shape[:-1], x.shape[-2])
    absent = counts == 0
    return torch.where(absent.unsqueeze(-1), torch.diag_embed(absent), sets)


def hardmax_weights(
    x: Float[Tensor, "*batch tokens dim"],
    B: Float[Tensor, "... dim dim"] | None = None,
    multiplicity: Shaped[Tensor, "*batch tokens"] | None = None,
) -> Float[Tensor, "*batch tokens tokens"]:
    """Attention weights at infinite inverse temperature: equal on the followed tokens, a repeated one counted as often as it occurs.

    The reference for the compiled steps, which never write them down: these weights times x are the means those move towards.
    """
    sets = followed_sets(x, B, multiplicity).to(x.dtype)
    if multiplicity is not None:
        counts = multiplicity.to(x)
        sets = sets * torch.where(counts == 0, 1.0, counts).unsqueeze(-2)
    return sets / sets.sum(dim=-1, keepdim=True)


def softmax_weights(
    x: Float[Tensor, "*batch tokens dim"],
    beta: float | Float[Tensor, ""],
    B: Float[Tensor, "... dim dim"] | None = None,
    multiplicity: Shaped[Tensor, "*batch tokens"] | None = None,
) -> Float[Tensor, "*batch tokens tokens"]:
    """w_ij proportional to c_j exp(beta <B z_i, z_j>), c the multiplicities; rows sum to 1. beta = 0 attends uniformly.

    Args:
        x: tokens as rows, shape (..., tokens, dim).
        beta: inverse temperature, finite and at least 0.
        B: key-query matrix, as in `follow`.
        multiplicity: as in `follow`; an absent token has all its weight on itself.
    """
    if not 0 <= float(beta) < math.inf:
        raise InputError(f"beta: expected a finite inverse temperature of at least 0, found {float(beta)}")
    B, counts = _checked(x, B, multiplicity)
    logits = beta * (queries(x, B) @ x.mT)
    if counts is not None:
        own = torch.diag_embed(counts == 0)
        logits = torch.where(own, 0.0, logits + counts.log().unsqueeze(-2))
        logits = logits.masked_fill((counts == 0).unsqueeze(-1) & ~own, -math.inf)
    return torch.softmax(logits, dim=-1)


def leaders(
    x: Float[Tensor, "*batch tokens dim"],
    A: Float[Tensor, "... dim dim"] | None = None,
    multiplicity: Shaped[Tensor, "*batch tokens"] | None = None,
) -> Bool[Tensor, "*batch tokens"]:
    """Whether a token is a leader: it follows itself and tokens coinciding with it only. An absent token leads nobody and is none."""
    followed = follow(x, A, multiplicity)
    alone = (followed.mean == x).all(dim=-1) & ~followed.tied
    return alone if multiplicity is None else alone & (multiplicity > 0)
