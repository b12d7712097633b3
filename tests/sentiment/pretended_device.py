"""A step of training on a device that is only pretended: its tensors have shapes and a device, but no values.

Any operation that mixes them with a tensor left on the CPU is an error. In a process of its own, since torch keeps the device for good.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import test_sentiment_training as t
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorDeviceMismatchError, FakeTensorMode, unset_fake_temporarily
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

from hardmax.sentiment import checkpoint, training
from hardmax.sentiment.checkpoint import Checkpoint, Progress
from hardmax.sentiment.classifier import Classifier
from hardmax.sentiment.evaluation import batches, logits
from hardmax.sentiment.layers import HardmaxRun
from hardmax.sentiment.reviews import Reviews

DEVICE = "pretended:0"


def on_device(model, mode):
    """As model.to(device), which cannot exchange pretended tensors."""
    for module in model.modules():
        for name, parameter in list(module.named_parameters(recurse=False)):
            setattr(module, name, nn.Parameter(mode.from_tensor(parameter).detach().to(DEVICE)))
    return model


def hardmax(self, batch, depth=None):
    """Stands for the compiled layers, which need values: on the CPU, from weights that are copied there."""
    assert self.embedding.cpu().device.type == "cpu"
    tokens = len(batch.word)
    return HardmaxRun(np.zeros((1, tokens, 3)), np.zeros((1, tokens), np.int64), np.zeros((1, tokens), np.bool_))


def pretended(batch, mode):
    """The function `Reviews.batch` with tensors that have no values, on the CPU; only the reviews' lengths have."""

    def called(reviews, chosen):
        with unset_fake_temporarily():
            made = batch(reviews, chosen)
        return replace(made, **{name: mode.from_tensor(getattr(made, name)) for name in ("word", "count", "review", "label")})

    return called


def main(path):
    _setup_privateuseone_for_python_backend("pretended")
    data, order, generator = t.reviews(1, 40), np.arange(40), torch.Generator()
    here, model = (Classifier(t.WORDS, 3, 8, 1e-3, 1.0, torch.Generator().manual_seed(0)) for _ in range(2))
    optimizer = torch.optim.Adam(here.parameters(), fused=True)
    training._epoch(here, optimizer, data, order, t.SETTINGS, False)
    state = Checkpoint(path, "run")
    state.store(here, optimizer, generator, {}, Progress(1, []))

    tensors, facts = checkpoint.read(path)
    with FakeTensorMode() as mode:
        Reviews.batch = pretended(Reviews.batch, mode)
        saved = {name: value if name == "generator" else mode.from_tensor(value) for name, value in tensors.items()}
        checkpoint.read, Classifier.hardmax, FakeTensor.item = lambda path: (saved, facts), hardmax, lambda self: 0.0
        optimizer = torch.optim.Adam(on_device(model, mode).parameters(), fused=True)
        assert state.restore(model, optimizer, generator)
        training._epoch(model, optimizer, data, order, t.SETTINGS, True)
        tensors = [*model.parameters(), *(parameter.grad for parameter in model.parameters())]
        tensors += [value for each in optimizer.state.values() for value in each.values()]
        assert len(tensors) == 4 + 4 + 4 * 3
        assert {str(tensor.device) for tensor in tensors} == {DEVICE}, tensors
        batch = next(batches(data))
        assert str(model(batch).device) == str(model.hardmax_logits(batch).device) == DEVICE
        assert str(logits(model, data).device) == str(logits(model.hardmax_logits, data).device) == "cpu"
        model.decoder.bias = nn.Parameter(mode.from_tensor(here.decoder.bias).detach())
        try:
            model(batch)
        except FakeTensorDeviceMismatchError:
            print("a tensor left on the CPU is found")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
