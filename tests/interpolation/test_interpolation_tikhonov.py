"""The Tikhonov experiment against a literal transcription with torch's own modules and Adam."""

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from hardmax.interpolation.regularisation import least_losses
from hardmax.interpolation.tikhonov import Students, draw_task, train

SIZES = {"sequences": 3, "tokens": 5, "dimension": 4}


def literal_loss(students: Students, run: int, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """One run, one sequence and token after the other."""
    B, V, U, b, W, eta, rho = (p[run] for p in students.parameters())
    total = torch.zeros(())
    for tokens, target in zip(x, y, strict=True):
        distances = []
        for token in tokens:
            scores = torch.stack([token @ B @ other for other in tokens])
            weights = torch.exp(scores) / torch.exp(scores).sum()
            mean = sum(weight * other for weight, other in zip(weights, tokens, strict=True))
            z = rho[0] * token + mean @ V
            out = eta[0] * z + nn.functional.relu(z @ U + b[0]) @ W
            distances.append(((out - target) ** 2).sum())
        total = total + torch.stack(distances).max()
    return total / len(x)


def students_and_task() -> tuple[Students, torch.Tensor, torch.Tensor]:
    task = draw_task(np.random.default_rng(0), 2, **SIZES)
    students = Students(np.random.default_rng(1), 2, SIZES["dimension"])
    with torch.no_grad():
        students.eta += 0.3
        students.rho -= 0.2
    return students, task.tokens, task.targets


def test_losses_are_the_formula() -> None:
    students, x, y = students_and_task()
    expected = torch.stack([literal_loss(students, run, x[run], y[run]) for run in range(2)])
    assert torch.allclose(students.losses(x, y), expected, rtol=1e-5)


def test_targets_come_from_the_teacher() -> None:
    task = draw_task(np.random.default_rng(0), 1, **SIZES)
    rng = np.random.default_rng(0)
    x, W = rng.uniform(size=(1, 3, 5, 4))[0], rng.uniform(size=(1, 4, 4))[0]
    U, b = rng.uniform(size=(1, 4, 4))[0], rng.uniform(size=(1, 4))[0]
    mean = x.mean(axis=1)
    assert np.allclose(task.targets[0], mean + np.maximum(mean @ U.T + b, 0) @ W.T, atol=1e-6)
    assert task.norms[0] == pytest.approx(4 + (W**2).sum() + (U**2).sum() + (b**2).sum() + 1)
    assert task.overwritten_norms[0] == pytest.approx(float(task.norms[0]) - 4 + (x**2).sum())


def test_training_is_adam_with_its_weight_decay() -> None:
    """A run of the batch, followed by torch's Adam with weight_decay on its own."""
    table = train(root=5, epochs=20, weight_decays=[0.5, 0.01], repetitions=2, **SIZES)
    from hardmax.randomness import stream

    task = draw_task(stream(5, "interpolation.tikhonov.data"), 2, **SIZES)
    students = Students(stream(5, "interpolation.tikhonov.students"), 4, SIZES["dimension"])
    run, decay, repetition = 1, 0.5, 1
    for parameter in students.parameters():
        parameter.requires_grad_(False)
    own = [parameter[run : run + 1].clone().requires_grad_(True) for parameter in students.parameters()]
    students.B, students.V, students.U, students.b, students.W, students.eta, students.rho = own
    adam = torch.optim.Adam(own, lr=1e-3, weight_decay=decay)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, T_max=20)
    losses = []
    for _ in range(20):
        adam.zero_grad()
        loss = students.losses(task.tokens[[repetition]], task.targets[[repetition]]).sum()
        loss.backward()
        losses.append(loss.item())
        adam.step()
        schedule.step()
    found = table[(table["weight_decay"] == decay) & (table["repetition"] == repetition)]
    assert np.allclose(found["loss"], np.array(losses)[found["epoch"] - 1], rtol=1e-4)
    assert (found["least_loss"] <= found["loss"]).all() and losses[-1] < losses[0]


def test_summary() -> None:
    base = {"repetition": [0, 0, 1, 1], "epochs": 7, "epoch": 7, "norm": 1.0, "target_norm": 60.0, "overwritten_norm": 5e3}
    runs = pd.DataFrame(base | {"weight_decay": [0.1, 0.01] * 2, "loss": [1e-1, 1e-3, 2e-1, 2e-3], "least_loss": [1e-1, 1e-3, 2e-1, 2e-3]})
    table = least_losses([runs])
    assert table["slope"].tolist() == pytest.approx([2, 2]) and table["threshold"].tolist() == pytest.approx([0.6, 6])
    assert table["optimiser_threshold"].tolist() == pytest.approx([0.3, 3])
    assert table["least_loss"].tolist() == pytest.approx([np.sqrt(2) * 1e-3, np.sqrt(2) * 1e-1])
