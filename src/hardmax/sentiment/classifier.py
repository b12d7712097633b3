"""The classifier: embedding, attention layers with one shared step, mean token, linear decoder."""

from math import sqrt

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from hardmax.errors import InputError
from hardmax.sentiment.layers import HardmaxRun, dense_softmax, hardmax_layers, sparse_softmax
from hardmax.sentiment.reviews import Batch


class Classifier(nn.Module):
    """Sentiment of a review as the logit of a linear decoder on the mean token after `depth` attention layers.

    Q = K = I; all layers share the learned step alpha. The mean runs over all positions of a review, repeated words and
    padding included.

    Attributes:
        embedding: (words, dim), row 0 = padding, a token like any other; starts standard normal.
        alpha: step of a layer.
        decoder: linear, dim -> 1.
    """

    def __init__(
        self, words: int, dim: int, depth: int, temperature: float, alpha: float, generator: torch.Generator | None = None
    ) -> None:
        """Draw the starting weights from `generator`.

        Raises:
            InputError: a size or the temperature is not positive.
        """
        for name, value in (("words", words), ("dim", dim), ("depth", depth), ("temperature", temperature)):
            if not value > 0:
                raise InputError(f"classifier: expected {name} > 0, found {value!r}")
        super().__init__()
        self.depth, self.temperature = depth, temperature
        self.embedding = nn.Parameter(torch.randn(words, dim, generator=generator))
        self.alpha = nn.Parameter(torch.tensor(float(alpha)))
        self.decoder = nn.utils.skip_init(nn.Linear, dim, 1)
        for parameter in self.decoder.parameters():
            nn.init.uniform_(parameter, -1 / sqrt(dim), 1 / sqrt(dim), generator=generator)

    @property
    def device(self) -> torch.device:
        """Where the weights are. Batches and hardmax attention stay on the CPU, logits come from the weights' device."""
        return self.embedding.device

    def forward(self, batch: Batch) -> Float[Tensor, " reviews"]:
        """Logits with softmax attention at the classifier's temperature: on the CPU by the compiled layers, elsewhere as `dense`."""
        if self.device.type != "cpu":
            return self.dense(batch)
        tokens = functional.embedding(batch.word, self.embedding)
        return self.decode(sparse_softmax(tokens, self.alpha, batch.count, batch.start, self.temperature, self.depth), batch)

    def dense(self, batch: Batch) -> Float[Tensor, " reviews"]:
        """The same logits up to rounding, in plain torch on the weights' device; memory grows with reviews x tokens^2.

        Float64 within, as the compiled layers are. Sums run over padded rows: those by index vary from run to run on a GPU.
        """
        word, count = (part.to(self.device) for part in batch.padded())
        tokens = functional.embedding(word, self.embedding).double()
        tokens = dense_softmax(tokens, self.alpha.double(), self.temperature, self.depth, count)
        mean = (count[..., None] * tokens).sum(1) / count.sum(1, keepdim=True)
        return self.decoder(mean.to(self.embedding.dtype)).squeeze(-1)

    def hardmax(self, batch: Batch, depth: int | None = None) -> HardmaxRun:
        """The batch's tokens under hardmax attention with the same weights."""
        with torch.no_grad():
            tokens = functional.embedding(batch.word, self.embedding.cpu())
        return hardmax_layers(tokens, self.alpha.item(), batch.count, batch.start, depth or self.depth)

    def hardmax_logits(self, batch: Batch) -> Float[Tensor, " reviews"]:
        """Logits with hardmax attention, temperature 0."""
        with torch.no_grad():
            return self.decode(torch.from_numpy(self.hardmax(batch).states[-1]).to(self.embedding.dtype), batch)

    def decode(self, tokens: Float[Tensor, "tokens dim"], batch: Batch) -> Float[Tensor, " reviews"]:
        """Logits of mean tokens."""
        return self.decoder(mean_token(tokens, batch).to(self.device)).squeeze(-1)


def mean_token(tokens: Float[Tensor, "tokens dim"], batch: Batch) -> Float[Tensor, "reviews dim"]:
    """The mean over all positions of each review."""
    reviews, count = len(batch.start) - 1, batch.count.to(tokens.dtype)
    positions = torch.zeros(reviews, dtype=tokens.dtype).index_add(0, batch.review, count)
    total = torch.zeros(reviews, tokens.shape[1], dtype=tokens.dtype).index_add(0, batch.review, tokens * count[:, None])
    return total / positions[:, None]
