"""Checkpoints of a training run: one safetensors file, replaced whole, with its metadata as JSON in the header."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn


class Progress(NamedTuple):
    """Where a run stands besides its tensors: finished epochs, and the history's rows."""

    epochs: int
    history: list[dict[str, Any]]


def fingerprint(**facts: Any) -> str:
    """Checksum of what a run depends on: a checkpoint of another run is not resumed."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


def write(path: Path, tensors: dict[str, Tensor], facts: dict[str, Any]) -> None:
    """Write tensors and JSON facts to one file, atomically: a killed process leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{os.getpid()}.{path.name}")
    with temporary.open("wb") as handle:
        handle.write(save(tensors, metadata={"facts": json.dumps(facts, sort_keys=True)}))
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(temporary, path)


def read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
    """Tensors and facts of a file; None where it is missing or not whole."""
    try:
        with safe_open(path, framework="pt") as handle:
            facts = json.loads((handle.metadata() or {})["facts"])
            return {name: handle.get_tensor(name) for name in handle.keys()}, facts  # noqa: SIM118  (a safetensors file is no dict)
    except (OSError, SafetensorError, KeyError, ValueError):
        return None


class Checkpoint:
    """The state of a run after its last whole epoch: model, optimizer, generator, kept weights, history.

    The loader's state is the generator's: each epoch's order is drawn from it.
    """

    def __init__(self, path: Path, run: str) -> None:
        """Keep the state in `path`; `run` is the fingerprint of the run."""
        self.path, self.run = path, run

    def store(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        generator: torch.Generator,
        kept: dict[str, Tensor],
        progress: Progress,
    ) -> None:
        """Replace the file by the present state."""
        tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
        for index, state in optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{index}.{name}": value for name, value in state.items()}
        tensors["generator"] = generator.get_state()
        tensors |= {f"kept.{name}": value for name, value in kept.items()}
        write(self.path, tensors, {"run": self.run, "epochs": progress.epochs, "history": progress.history})

    def restore(
        self, model: nn.Module, optimizer: torch.optim.Optimizer, generator: torch.Generator
    ) -> tuple[dict[str, Tensor], Progress] | None:
        """Load the state into model, optimizer and generator; kept weights and progress, or None where there is nothing of this run."""
        found = read(self.path)
        if found is None or found[1].get("run") != self.run:
            return None
        tensors, facts = found
        parts: dict[str, dict[str, Tensor]] = {"model": {}, "optimizer": {}, "kept": {}}
        for name, value in tensors.items():
            part, _, rest = name.partition(".")
            if part in parts:
                parts[part][rest] = value
        model.load_state_dict(parts["model"])
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in parts["optimizer"].items():
            index, _, rest = name.partition(".")
            state.setdefault(int(index), {})[rest] = value
        optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
        generator.set_state(tensors["generator"])
        return parts["kept"], Progress(facts["epochs"], facts["history"])
