"""Float evaluation, the torch module and the classifier."""

from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.base import clone

from hardmax.errors import InputError
from hardmax.interpolation import ExactSequenceClassifier, certify, float64_error, interpolate
from hardmax.interpolation.module import TransformerModule


def data(seed: int, n: int, d: int, m: int, length: int = 20) -> tuple[list, list]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(length, d)) for _ in range(n)], [rng.normal(size=(m, d)) for _ in range(n)]


@pytest.mark.parametrize("temperature", [1e-3, 1.0, 50.0])
def test_compact_is_exact_in_softmax_and_hardmax(temperature: float) -> None:
    X, Y = data(0, 6, 3, 2)
    net = interpolate(X, Y)
    hard, soft = net.to_torch(torch.float64), net.to_torch(torch.float64, "softmax", temperature)
    for x in X:
        exact = net.exact(x).astype(float)
        for module in (hard, soft):
            assert np.abs(module(torch.tensor(x)).detach().numpy() - exact).max() < 1e-9
        assert np.abs(net(x) - exact).max() < 1e-9


def test_leaders_in_torch_with_well_separated_data() -> None:
    X = [[[0, 0], [8, 1], [3, 0]], [[40, 1], [56, 0]]]
    Y = [[[1, 0], [2, 2]], [[3, 3], [0, 1]]]
    net = interpolate(X, Y, construction="leaders")
    for x in X:
        images = net.to_torch(torch.float64)(torch.tensor(x, dtype=torch.float64)).detach().numpy()
        assert np.abs(images - net.exact(x).astype(float)).max() < 1e-8


def test_batches_gradients_and_disk(tmp_path: Path) -> None:
    X, Y = data(1, 4, 2, 1)
    module = interpolate(X, Y).to_torch(torch.float64)
    x = torch.tensor(np.stack(X))
    out = module(x)
    assert torch.allclose(out[:, 0], torch.tensor(np.concatenate(Y)), atol=1e-9)
    out.square().sum().backward()
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in module.parameters())
    module.save(tmp_path / "net.safetensors")
    assert torch.equal(TransformerModule.load(tmp_path / "net.safetensors")(x), out)
    assert interpolate(X, Y).to_torch(torch.float32)(x.float()).dtype == torch.float32


def test_bad_torch_arguments() -> None:
    net = interpolate([[[0, 1]]], [0])
    for arguments in ({"dtype": torch.int64}, {"temperature": 0.0}, {"attention": "sparse"}):
        with pytest.raises(InputError):
            net.to_torch(**arguments)


@pytest.mark.parametrize(("m", "n", "goal"), [(1, 1000, 1e-8), (2, 400, 1e-5)])
@pytest.mark.parametrize(("unit", "origin"), [(1.0, 0.0), (1e-6, 0.0), (1e6, 0.0), (1.0, 1000.0)])
def test_float64_error(m: int, n: int, goal: float, unit: float, origin: float) -> None:
    X, Y = data(7, n, 8, m)
    X, Y = [x * unit + origin for x in X], [y * unit + origin for y in Y]
    error, scale = float64_error(interpolate(X, Y), X, Y)
    assert error < goal * scale


def test_float64_error_agrees_with_the_certificate() -> None:
    X, Y = data(3, 30, 4, 2)
    net = interpolate(X, Y)
    report = certify(net, X, Y)
    assert report.float64_error == pytest.approx(float64_error(net, X, Y)[0], rel=1e-6)
    assert 0 < report.float64_error < 1e-8 and report.margins.least_gap > 0


def test_classifier() -> None:
    X, _ = data(5, 60, 3, 1)
    y = np.array(["low", "mid", "high"])[np.arange(60) % 3]
    model = ExactSequenceClassifier().fit(X, y)
    assert model.score(X, y) == 1.0 and model.depth_ == model.network_.depth and model.n_parameters_ > 0
    assert clone(model).get_params() == model.get_params()
    assert set(model.predict([x + 0.5 for x in X])) <= set(y)
    leaders = ExactSequenceClassifier(construction="leaders").fit(X[:12], y[:12])
    assert leaders.score(X[:12], y[:12]) == 1.0
    with pytest.raises(InputError):
        ExactSequenceClassifier().fit(X, y[:-1])
