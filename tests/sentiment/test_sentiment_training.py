"""Training: learns, repeats itself bit for bit, and survives being killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from hardmax.errors import InputError
from hardmax.sentiment import checkpoint
from hardmax.sentiment.classifier import Classifier, mean_token
from hardmax.sentiment.evaluation import evaluate
from hardmax.sentiment.layers import dense_softmax
from hardmax.sentiment.reviews import Reviews
from hardmax.sentiment.training import COLUMNS, Settings, train

WORDS = 60
SETTINGS = Settings(epochs=6, batch=16, hardmax_every=2, learning_rate=0.02, keep=2)


def reviews(seed, count=120, padding=True):
    """Made-up reviews of 12 positions: words below 30 are rather positive."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, count)
    good = rng.random((count, 12)) < np.where(label, 0.75, 0.25)[:, None]
    ids = np.where(good, rng.integers(1, 30, (count, 12)), rng.integers(30, WORDS, (count, 12)))
    ids[np.arange(12) >= rng.integers(3, 13, count)[:, None]] = 0
    return Reviews(ids, label, padding)


def _train(path, settings=SETTINGS, seed=3):
    return train(reviews(1), reviews(2), WORDS, 3, settings, seed, path)


def _same(first, second):
    a, b = first.model.state_dict(), second.model.state_dict()
    return all(torch.equal(a[name], b[name]) for name in a) and first.table(3, 0).equals(second.table(3, 0))


def test_reviews_are_distinct_tokens_with_counts():
    found = Reviews(np.array([[5, 2, 5, 0], [7, 7, 7, 7]]), np.array([1, 0]))
    assert found.word.tolist() == [0, 2, 5, 7] and found.count.tolist() == [1, 1, 2, 4] and found.start.tolist() == [0, 3, 4]
    bare = Reviews(np.array([[5, 2, 5, 0], [7, 7, 7, 7]]), np.array([1, 0]), padding=False)
    assert bare.word.tolist() == [2, 5, 7] and bare.start.tolist() == [0, 2, 3]
    batch = found.batch(np.array([1, 0, 1]))
    assert [part.tolist() for part in batch.padded()] == [[[7, 0, 0], [0, 2, 5], [7, 0, 0]], [[4, 0, 0], [1, 1, 2], [4, 0, 0]]]
    assert batch.word.tolist() == [7, 0, 2, 5, 7] and batch.review.tolist() == [0, 1, 1, 1, 2] and batch.label.tolist() == [0, 1, 0]
    with pytest.raises(InputError, match="found none in review 1"):
        Reviews(np.array([[5], [0]]), np.array([1, 0]), padding=False)


def test_classifier_is_the_dense_one():
    data = reviews(4, 20)
    model = Classifier(WORDS, 3, 8, 1e-3, 0.7, torch.Generator().manual_seed(0)).double()
    ids = torch.from_numpy(np.repeat(data.word, data.count).reshape(20, 12))
    dense = model.decoder(dense_softmax(model.embedding[ids], model.alpha, 1e-3, 8).mean(1)).squeeze(-1)
    batch = data.batch(np.arange(20))
    torch.testing.assert_close(model(batch), dense, rtol=1e-10, atol=1e-12)
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    gradients = [torch.autograd.grad(loss(z, batch.label.double()), list(model.parameters())) for z in (model(batch), dense)]
    for ours, reference in zip(*gradients, strict=True):
        assert (ours - reference).abs().max() <= 1e-8 * reference.abs().max()


@pytest.mark.parametrize(("dtype", "relative"), [(torch.float64, 1e-8), (torch.float32, 1e-6)])
@pytest.mark.parametrize("padding", [True, False])
def test_the_path_of_a_gpu_is_the_compiled_one(dtype, relative, padding):
    """Logits and gradients of plain torch, here on the CPU."""
    data = reviews(4, 40, padding)
    model = Classifier(WORDS, 3, 8, 1e-3, 0.7, torch.Generator().manual_seed(0)).to(dtype)
    batch = data.batch(np.arange(40))
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    found = []
    for values in (model(batch), model.dense(batch)):
        found.append([values.detach(), *torch.autograd.grad(loss(values, batch.label.to(dtype)), list(model.parameters()))])
    for compiled, dense in zip(*found, strict=True):
        assert dense.dtype == dtype
        assert (compiled - dense).abs().max() <= relative * compiled.abs().max()


def test_training_on_the_path_of_a_gpu_learns_the_same_and_goes_on_from_its_checkpoint(tmp_path, monkeypatch):
    """The same only at first: training at a small temperature enlarges a difference of rounding."""
    compiled = _train(tmp_path / "compiled.safetensors")
    monkeypatch.setattr(Classifier, "forward", Classifier.dense)
    whole = _train(tmp_path / "whole.safetensors")
    first, reference = (found.table(3, 0).iloc[:3] for found in (whole, compiled))
    np.testing.assert_allclose(first, reference, rtol=1e-4)
    _train(tmp_path / "part.safetensors", Settings(**{**vars(SETTINGS), "epochs": 3}))
    assert checkpoint.read(tmp_path / "part.safetensors")[1]["epochs"] == 3
    assert _same(whole, _train(tmp_path / "part.safetensors"))


def test_every_tensor_of_training_is_on_the_weights_device(tmp_path):
    """Restored from a checkpoint, on a device without values, where a tensor left on the CPU is an error: no GPU is needed."""
    command = [sys.executable, str(Path(__file__).with_name("pretended_device.py")), str(tmp_path / "c.safetensors")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.stdout == "a tensor left on the CPU is found\n", ended.stderr


def test_a_gpu_that_is_not_there_is_one_line(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match=r"^sentiment\.training\.device: cuda is asked for, but torch .* sees no CUDA device; .*$"):
        Settings(epochs=1, device="cuda")


def test_mean_token_counts_every_position():
    batch = Reviews(np.array([[3, 3, 3, 0], [1, 2, 0, 0]]), np.array([1, 0])).batch(np.arange(2))
    tokens = batch.word[:, None].float()
    torch.testing.assert_close(mean_token(tokens, batch), torch.tensor([[9 / 4], [3 / 4]]))


def test_training_learns_and_writes_the_history(tmp_path):
    trained = _train(tmp_path / "c.safetensors", Settings(epochs=20, batch=16, learning_rate=0.05, hardmax_every=5, keep=4))
    table = trained.table(3, 0)
    assert tuple(table.columns) == COLUMNS and table["epoch"].tolist() == list(range(20))
    assert table["train_accuracy"].iloc[-1] > 0.9 and table["test_accuracy"].iloc[-1] > 0.7
    assert table.loc[table["hardmax_test_loss"].notna(), "epoch"].tolist() == [0, 5, 10, 15, 19]
    assert (table["alpha"] >= 0).all() and set(trained.kept) == set(trained.model.state_dict())
    assert evaluate(trained.model, reviews(2)).accuracy == table["test_accuracy"].iloc[-1]


def test_training_repeats_itself_and_depends_on_the_seed(tmp_path):
    first, second = _train(tmp_path / "a.safetensors"), _train(tmp_path / "b.safetensors")
    assert _same(first, second)
    assert not _same(first, _train(tmp_path / "c.safetensors", seed=4))


def test_threads_do_not_change_a_bit(tmp_path):
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        first = _train(tmp_path / "a.safetensors")
        torch.set_num_threads(4)
        assert _same(first, _train(tmp_path / "b.safetensors"))
    finally:
        torch.set_num_threads(before)


def test_a_run_of_more_epochs_goes_on_from_a_shorter_one(tmp_path):
    whole = _train(tmp_path / "a.safetensors", Settings(**{**vars(SETTINGS), "epochs": 7, "hardmax_every": 7}))
    _train(tmp_path / "b.safetensors", Settings(**{**vars(SETTINGS), "epochs": 4, "hardmax_every": 7}))
    longer = _train(tmp_path / "b.safetensors", Settings(**{**vars(SETTINGS), "epochs": 7, "hardmax_every": 7}))
    assert torch.equal(whole.model.embedding, longer.model.embedding)


def test_a_checkpoint_of_another_run_or_a_broken_one_is_not_resumed(tmp_path):
    path = tmp_path / "c.safetensors"
    fresh = _train(tmp_path / "fresh.safetensors")
    _train(path, Settings(**{**vars(SETTINGS), "learning_rate": 0.01}))
    assert _same(fresh, _train(path))
    path.write_bytes(path.read_bytes()[:1000])
    assert _same(fresh, _train(path))


def test_a_negative_alpha_is_set_back_only_when_asked(tmp_path):
    settings = {**vars(SETTINGS), "alpha": -0.5}
    kept = [_train(tmp_path / f"{flag}.safetensors", Settings(**{**settings, "nonnegative": flag})) for flag in (True, False)]
    assert kept[0].table(3, 0)["alpha"].min() >= 0
    assert kept[1].table(3, 0)["alpha"].min() < 0


RUN = """
import sys, json
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import test_sentiment_training as t
found = t._train(Path(sys.argv[2]), t.Settings(**json.loads(sys.argv[3])))
t.checkpoint.write(Path(sys.argv[4]), found.model.state_dict(), {"history": found.history})
"""


def test_killed_at_any_moment_it_ends_with_the_same_weights(tmp_path):
    """Kill -9 in the middle of it, several times; the last start runs to the end."""
    settings = Settings(**{**vars(SETTINGS), "epochs": 40})
    whole = _train(tmp_path / "whole.safetensors", settings)
    path, out = tmp_path / "killed.safetensors", tmp_path / "out.safetensors"
    command = [sys.executable, "-c", RUN, str(Path(__file__).parent), str(path), json.dumps(vars(settings)), str(out)]
    killed = []
    for epochs in (3, 12):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ | {"OMP_NUM_THREADS": "1"}) as process:
            end = time.monotonic() + 300
            while time.monotonic() < end and process.poll() is None:
                state = checkpoint.read(path)
                if state is not None and state[1]["epochs"] >= epochs:
                    break
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        killed.append(checkpoint.read(path)[1]["epochs"])
    assert killed[-1] < 40 and sorted(killed) == killed and not out.exists()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, timeout=300)
    weights, facts = checkpoint.read(out)
    assert all(torch.equal(value, weights[name]) for name, value in whole.model.state_dict().items())
    assert facts["history"] == whole.history
