"""The Tikhonov experiment: one block trained with weight decay towards the image of its data under a known block.

All runs of one length (weight decays times repetitions) are trained together, as one batch: Adam acts on each number alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from tqdm import tqdm

from hardmax.randomness import stream

WIDTH = 4
RECORDED = 200


@dataclass(frozen=True)
class Task:
    """Data and targets of the repetitions, and the squared norm of the parameters that made the targets.

    Attributes:
        tokens: uniform in [0, 1].
        targets: the one target of each sequence.
        overwritten_norms: the same with V replaced by the inputs times V, as the published script computes it.
        norms: |theta_*|^2 = |V|^2 + |W|^2 + |U|^2 + |b|^2 + eta^2 of each repetition's teacher.
    """

    tokens: Float[Tensor, "repetitions sequences tokens dim"]
    targets: Float[Tensor, "repetitions sequences dim"]
    norms: Float[Tensor, " repetitions"]
    overwritten_norms: Float[Tensor, " repetitions"]


def draw_task(rng: np.random.Generator, repetitions: int, sequences: int, tokens: int, dimension: int) -> Task:
    """Sequences and their images under uniform attention (V = I, rho = 0), then x + W relu(U x + b), parameters in [0, 1]."""
    x = torch.as_tensor(rng.uniform(size=(repetitions, sequences, tokens, dimension)))
    W = torch.as_tensor(rng.uniform(size=(repetitions, dimension, WIDTH)))
    U = torch.as_tensor(rng.uniform(size=(repetitions, WIDTH, dimension)))
    b = torch.as_tensor(rng.uniform(size=(repetitions, WIDTH)))
    mean = x.mean(dim=2)
    targets = mean + torch.relu(mean @ U.transpose(1, 2) + b[:, None]) @ W.transpose(1, 2)
    norms = dimension + torch.cat([W.flatten(1), U.flatten(1), b], dim=1).square().sum(1) + 1
    return Task(x.float(), targets.float(), norms, norms - dimension + x.flatten(1).square().sum(1))


class Students:
    """One block a run, attention first: x <- rho x + V softmax-mean, then x <- eta x + W relu(U x + b).

    eta and rho start at 0, everything else as torch initialises linear layers.
    """

    def __init__(self, rng: np.random.Generator, runs: int, dimension: int):
        def linear(rows: int, columns: int, fan_in: int) -> Tensor:
            bound = fan_in**-0.5
            return torch.tensor(rng.uniform(-bound, bound, size=(runs, rows, columns)), dtype=torch.float32, requires_grad=True)

        self.B, self.V = linear(dimension, dimension, dimension), linear(dimension, dimension, dimension)
        self.U, self.b = linear(dimension, WIDTH, dimension), linear(1, WIDTH, dimension)
        self.W = linear(WIDTH, dimension, WIDTH)
        self.eta, self.rho = (torch.zeros((runs, 1, 1), requires_grad=True) for _ in range(2))

    def parameters(self) -> list[Tensor]:
        """All trained tensors, runs first."""
        return [self.B, self.V, self.U, self.b, self.W, self.eta, self.rho]

    def losses(self, x: Float[Tensor, "runs sequences tokens dim"], y: Float[Tensor, "runs sequences dim"]) -> Float[Tensor, " runs"]:
        """Mean over sequences of the largest squared distance from an output token to the target."""
        runs, sequences, tokens, d = x.shape
        flat = x.reshape(runs, sequences * tokens, d)
        queries = torch.bmm(flat, self.B).view_as(x)
        mean = scaled_dot_product_attention(queries, x, x, scale=1.0).reshape(flat.shape)
        z = self.rho * flat + torch.bmm(mean, self.V)
        out = self.eta * z + torch.bmm(torch.relu(torch.bmm(z, self.U) + self.b), self.W)
        return (out.view_as(x) - y[:, :, None]).square().sum(-1).amax(-1).mean(-1)


def train(
    root: int, epochs: int, weight_decays: Sequence[float], repetitions: int, sequences: int, tokens: int, dimension: int
) -> pd.DataFrame:
    """Train all weight decays for so many epochs: Adam (1e-3, cosine schedule, full batch), its weight decay w adding w theta
    to the gradient, which is the penalty (w / 2) |theta|^2. Runs of other lengths start from the same data and students.

    Returns:
        One row a recorded epoch of a run: epochs, weight_decay, repetition, epoch, loss, least_loss (so far), norm (|theta|^2),
        target_norm (|theta_*|^2) and overwritten_norm (as the published script has it).
    """
    torch.set_num_threads(1)
    task = draw_task(stream(root, "interpolation.tikhonov.data"), repetitions, sequences, tokens, dimension)
    runs = len(weight_decays) * repetitions
    students = Students(stream(root, "interpolation.tikhonov.students"), runs, dimension)
    decays = torch.tensor(weight_decays, dtype=torch.float32).repeat_interleave(repetitions)[:, None, None]
    x, y = (part.repeat(len(weight_decays), *(1,) * (part.dim() - 1)) for part in (task.tokens, task.targets))
    parameters = students.parameters()
    adam = torch.optim.Adam(parameters, lr=1e-3, foreach=True)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, T_max=epochs)
    recorded = set(np.unique(np.geomspace(1, epochs, RECORDED).round().astype(int)).tolist())
    least = torch.full((runs,), torch.inf)
    rows = []
    for epoch in tqdm(range(1, epochs + 1), desc=f"{epochs} epochs", mininterval=10):
        losses = students.losses(x, y)
        for parameter, gradient in zip(parameters, torch.autograd.grad(losses.sum(), parameters), strict=True):
            parameter.grad = gradient + decays * parameter.detach()
        least = torch.minimum(least, losses.detach())
        if epoch in recorded:
            norm = sum(parameter.detach().square().sum((1, 2)) for parameter in parameters)
            rows.append((epoch, losses.detach().clone(), least.clone(), norm))
        adam.step()
        schedule.step()
    return _table(rows, epochs, weight_decays, task)


def _table(rows: list, epochs: int, weight_decays: Sequence[float], task: Task) -> pd.DataFrame:
    repetitions = len(task.norms)
    columns = {
        "epochs": epochs,
        "weight_decay": np.repeat(weight_decays, repetitions),
        "repetition": np.tile(np.arange(repetitions), len(weight_decays)),
    }
    parts = [
        pd.DataFrame(
            columns
            | {"epoch": epoch, "loss": loss.double(), "least_loss": least.double(), "norm": norm.double()}
            | {"target_norm": task.norms.repeat(len(weight_decays)), "overwritten_norm": task.overwritten_norms.repeat(len(weight_decays))}
        )
        for epoch, loss, least, norm in rows
    ]
    return pd.concat(parts).sort_values(["weight_decay", "repetition", "epoch"], ignore_index=True)
