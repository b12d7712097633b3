"""Attention layers on batches of reviews: sparse compiled softmax, dense softmax on any device, and hardmax."""

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from hardmax.sentiment import kernel


class _SparseSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tokens, alpha, count, start, temperature, depth):
        states = np.empty((depth + 1, *tokens.shape))
        states[0] = tokens.detach().numpy()
        rows = np.empty((depth, len(tokens), 2), np.int64)
        log_count = np.log(count.numpy().astype(np.float64))
        room = 4 * rows[..., 0].size
        while True:
            column, weight = np.empty(room, np.int64), np.empty(room)
            inputs = (states, log_count, start.numpy(), float(alpha), float(temperature))
            needed = kernel.softmax_forward(*inputs, rows, column, weight)
            if needed <= room:
                break
            room = needed
        ctx.layers = (states, float(alpha), float(temperature), rows, column, weight)
        ctx.dtype = tokens.dtype
        return torch.from_numpy(states[-1]).to(tokens.dtype)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        pulled = gradient.to(torch.float64).numpy().copy(order="C")
        gradient_alpha = kernel.softmax_backward(*ctx.layers, pulled, np.empty_like(pulled))
        return torch.from_numpy(pulled).to(ctx.dtype), torch.tensor(gradient_alpha, dtype=ctx.dtype), None, None, None, None


def sparse_softmax(
    tokens: Float[Tensor, "tokens dim"],
    alpha: Float[Tensor, ""],
    count: Int[Tensor, " tokens"],
    start: Int[Tensor, " boundaries"],
    temperature: float,
    depth: int,
) -> Float[Tensor, "tokens dim"]:
    """`depth` softmax layers z <- (z + alpha softmax(z z' / temperature) z) / (1 + alpha) on each review by itself.

    Args:
        tokens: the distinct tokens of all reviews of a batch, review after review.
        alpha: step of a layer, shared by all of them.
        count: how often each token stands in its review, at least 1: its logarithm is added to the token's scores.
        start: int64 boundaries, 0 first: review b holds tokens `start[b]:start[b + 1]`, at least one.
        temperature: positive.

    Differentiable once, in `tokens` and `alpha`. Equal to `dense_softmax` on the repeated tokens up to rounding; float32
    input is computed in float64 and rounded once.
    """
    return _SparseSoftmax.apply(tokens, alpha, count, start, temperature, depth)


def dense_softmax(
    tokens: Float[Tensor, "*batch tokens dim"],
    alpha: Float[Tensor, ""],
    temperature: float,
    depth: int,
    count: Int[Tensor, "*batch tokens"] | None = None,
) -> Float[Tensor, "*batch tokens dim"]:
    """The same layers with every weight of the tokens x tokens array, in plain torch: the reference, and what runs on a GPU.

    `count`: how often each token stands in its review; nobody follows one of count 0. Once each for None.
    """
    frequent = None if count is None else count.to(tokens.dtype).log().unsqueeze(-2)
    for _ in range(depth):
        scores = tokens @ tokens.mT / temperature
        weights = torch.softmax(scores if frequent is None else scores + frequent, dim=-1)
        tokens = (tokens + alpha * (weights @ tokens)) / (1 + alpha)
    return tokens


class HardmaxRun(NamedTuple):
    """Hardmax layers on reviews, float64; layers 0 (the embedding) to `depth`.

    Attributes:
        states: the tokens at each layer.
        followed: index of the token that each token follows at each layer (the first, where several tie).
        leads: whether the token leads at that layer: whoever it follows has its own value.
    """

    states: Float[np.ndarray, "layers tokens dim"]
    followed: Int[np.ndarray, "layers tokens"]
    leads: Bool[np.ndarray, "layers tokens"]


def hardmax_layers(
    tokens: Float[Tensor, "tokens dim"], alpha: float, count: Int[Tensor, " tokens"], start: Int[Tensor, " boundaries"], depth: int
) -> HardmaxRun:
    """`depth` hardmax layers z_i <- z_i + alpha / (1 + alpha) (mean of the followed - z_i) on each review by itself.

    Arguments as in `sparse_softmax`. Tied tokens weigh by their counts. A tie is equality of float64 scores, not of
    exact ones as in `hardmax.attention`: equal tokens tie in both, and distinct trained embeddings about never in either.
    """
    states = np.empty((depth + 1, *tokens.shape))
    states[0] = tokens.detach().numpy()
    followed = np.empty(states.shape[:2], np.int64)
    leads = np.empty(states.shape[:2], np.bool_)
    kernel.hardmax_forward(states, count.numpy().astype(np.float64), start.numpy(), float(alpha), followed, leads)
    return HardmaxRun(states, followed, leads)
