"""Training by Adam, resumable after each epoch; on the CPU the same bits whether interrupted or not."""

import hashlib
import logging
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm

from hardmax.errors import InputError
from hardmax.sentiment.checkpoint import Checkpoint, Progress, fingerprint, read, write
from hardmax.sentiment.classifier import Classifier
from hardmax.sentiment.evaluation import evaluate
from hardmax.sentiment.reviews import Reviews

log = logging.getLogger(__name__)

COLUMNS = (
    "dim", "seed", "epoch", "train_loss", "train_accuracy", "test_loss", "test_accuracy",
    "hardmax_train_loss", "hardmax_test_loss", "hardmax_test_accuracy", "alpha",
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """How a classifier is trained.

    Attributes:
        epochs: passes over the training reviews.
        batch: reviews a step.
        learning_rate, clip: of Adam; largest norm of the gradient.
        depth, temperature, alpha: see `Classifier`; alpha is the starting value.
        nonnegative: set alpha back to 0 after a step that makes it negative, as the paper means it; the published script does not.
        hardmax_every: hardmax evaluation at epochs 0, this, twice this, ..., and at the last.
        keep: epoch whose weights are kept beside the last, for statistics of an earlier epoch.
        device: `cpu`, or `cuda` for torch's present GPU. Starting weights and the order of the reviews are the same on both.

    Raises:
        InputError: the device is `cuda` and torch sees none.
    """

    epochs: int
    batch: int = 64
    learning_rate: float = 1e-3
    clip: float = 5.0
    depth: int = 8
    temperature: float = 1e-3
    alpha: float = 1.0
    nonnegative: bool = True
    hardmax_every: int = 5
    keep: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.device == "cuda" and not torch.cuda.is_available():
            built = f"built for CUDA {torch.version.cuda}" if torch.version.cuda else "built without CUDA"
            raise InputError(
                f"sentiment.training.device: cuda is asked for, but torch {torch.__version__} ({built}) sees no CUDA device; "
                "run where there is one, with a CUDA build of this version of torch, or set the device to cpu"
            )


class Trained:
    """A finished run: the classifier, its history, and the weights of the kept epoch."""

    def __init__(self, model: Classifier, history: list[dict[str, Any]], kept: dict[str, Tensor]) -> None:
        self.model, self.history, self.kept = model, history, kept

    def table(self, dim: int, seed: int) -> pd.DataFrame:
        """The history in `COLUMNS`; hardmax columns are missing where it was not evaluated."""
        table = pd.DataFrame([{"dim": dim, "seed": seed} | row for row in self.history], columns=list(COLUMNS))
        return table.astype(dict.fromkeys(COLUMNS[3:], np.float64))

    def store(self, path: Path, **facts: Any) -> None:
        """Write the last weights and those of the kept epoch to one file, for `load_classifiers`; `facts` describe the run."""
        tensors = {f"last.{name}": value for name, value in self.model.state_dict().items()}
        tensors |= {f"kept.{name}": value for name, value in self.kept.items()}
        facts |= {"depth": self.model.depth, "temperature": self.model.temperature, "epochs": len(self.history)}
        write(path, tensors, facts)


def load_classifiers(path: Path | str) -> tuple[dict[str, Classifier], dict[str, Any]]:
    """The classifiers of a stored run, `last` and (where an epoch was kept) `kept`, and the facts it was stored with.

    Raises:
        InputError: the file is missing or not whole.
    """
    found = read(Path(path))
    if found is None:
        raise InputError(f"{path}: expected the weights of a trained classifier, found no whole safetensors file; train again")
    tensors, facts = found
    models = {}
    for which in ("last", "kept"):
        state = {name.removeprefix(f"{which}."): value for name, value in tensors.items() if name.startswith(f"{which}.")}
        if state:
            words, dim = state["embedding"].shape
            models[which] = Classifier(words, dim, facts["depth"], facts["temperature"], 1.0)
            models[which].load_state_dict(state)
    return models, facts


def _epoch(
    model: Classifier, optimizer: torch.optim.Optimizer, reviews: Reviews, order: np.ndarray, settings: Settings, hardmax: bool
) -> tuple[float, float, float | None]:
    """One pass: mean loss, accuracy and hardmax loss, each batch's before its step (the three at the same weights)."""
    loss_sum = correct = hardmax_sum = 0.0
    parameters = list(model.parameters())
    for first in range(0, len(order), settings.batch):
        batch = reviews.batch(order[first : first + settings.batch])
        size, label = len(batch.label), batch.label.to(model.device)
        if hardmax:
            hardmax_sum += size * functional.binary_cross_entropy_with_logits(model.hardmax_logits(batch), label).item()
        optimizer.zero_grad()
        values = model(batch)
        loss = functional.binary_cross_entropy_with_logits(values, label)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, settings.clip)
        optimizer.step()
        if settings.nonnegative:
            with torch.no_grad():
                model.alpha.clamp_(min=0)
        loss_sum += size * loss.item()
        correct += ((values > 0) == (label > 0.5)).sum().item()
    count = len(order)
    return loss_sum / count, correct / count, hardmax_sum / count if hardmax else None


def train(
    reviews: Reviews, test: Reviews, words: int, dim: int, settings: Settings, seed: int, checkpoint: Path, sources: str = ""
) -> Trained:
    """Train a classifier; a run that was killed goes on from its last epoch and, on the CPU, ends with the same weights, bit for bit.

    Args:
        reviews, test: training and test reviews.
        words: size of the vocabulary, padding included.
        dim: dimension of the embedding.
        seed: of the starting weights and the order of the reviews.
        checkpoint: file that holds the state after each epoch; a checkpoint of another run is overwritten.
        sources: checksum of the code, so that edited code starts anew.
    """
    generator = torch.Generator().manual_seed(seed)
    model = Classifier(words, dim, settings.depth, settings.temperature, settings.alpha, generator).to(settings.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate, fused=True)
    facts = {key: value for key, value in asdict(settings).items() if key != "epochs"}
    run = fingerprint(settings=facts, dim=dim, words=words, seed=seed, data=_digest(reviews, test), torch=torch.__version__, code=sources)
    state = Checkpoint(checkpoint, run)
    kept: dict[str, Tensor] = {}
    progress = Progress(0, [])
    if restored := state.restore(model, optimizer, generator):
        kept, progress = restored
        log.info("resuming after epoch %d of %d", progress.epochs, settings.epochs)
    bar = tqdm(range(progress.epochs, settings.epochs), desc=f"d = {dim}", initial=progress.epochs, total=settings.epochs, unit="epoch")
    for epoch in bar:
        began = time.perf_counter()
        hardmax = epoch % settings.hardmax_every == 0 or epoch == settings.epochs - 1
        order = torch.randperm(len(reviews), generator=generator).numpy()
        loss, accuracy, hardmax_loss = _epoch(model, optimizer, reviews, order, settings, hardmax)
        soft = evaluate(model, test)
        hard = evaluate(model, test, hardmax=True) if hardmax else None
        row = {
            "epoch": epoch,
            "train_loss": loss,
            "train_accuracy": accuracy,
            "test_loss": soft.loss,
            "test_accuracy": soft.accuracy,
            "hardmax_train_loss": hardmax_loss,
            "hardmax_test_loss": hard.loss if hard else None,
            "hardmax_test_accuracy": hard.accuracy if hard else None,
            "alpha": model.alpha.item(),
        }
        if epoch == settings.keep:
            kept = {name: value.clone() for name, value in model.state_dict().items()}
        progress = Progress(epoch + 1, [*progress.history, row])
        state.store(model, optimizer, generator, kept, progress)
        bar.set_postfix(loss=f"{loss:.4f}", accuracy=f"{accuracy:.4f}", test=f"{soft.accuracy:.4f}")
        log.info("epoch %d: loss %.4f, test accuracy %.4f, %.1f s", epoch, loss, soft.accuracy, time.perf_counter() - began)
    return Trained(model, progress.history[: settings.epochs], kept)


def _digest(*parts: Reviews) -> str:
    digest = hashlib.sha256()
    for part in parts:
        for array in (part.word, part.count, part.start, part.label):
            digest.update(array.tobytes())
    return digest.hexdigest()
