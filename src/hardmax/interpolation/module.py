"""The network as a torch module: hardmax or softmax attention at any temperature, autograd, safetensors."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from hardmax.errors import InputError
from hardmax.interpolation.block import Block, rounded

if TYPE_CHECKING:
    from hardmax.interpolation.network import Network


class TransformerBlock(nn.Module):
    """One block: x <- eta x + W relu(U x + b), then x <- rho x + V sum_j weight_ij x_j."""

    eta: Tensor
    W: Tensor
    U: Tensor
    b: Tensor
    rho: Tensor
    V: Tensor | None
    B: Tensor | None

    def __init__(self, parameters: dict[str, Tensor], attention: str, temperature: float):
        super().__init__()
        self.attention, self.temperature = attention, temperature
        for name in ("eta", "W", "U", "b", "rho", "V", "B"):
            self.register_parameter(name, nn.Parameter(parameters[name]) if name in parameters else None)

    @staticmethod
    def parameters_of(block: Block, dtype: torch.dtype) -> dict[str, Tensor]:
        """The exact block's parameters as tensors; absent ones left out."""
        names = ("W", "U", "b", "V", "B") if block.V is not None else ("W", "U", "b")
        out = {name: rounded(getattr(block, name)) for name in names if getattr(block, name) is not None}
        out["eta"] = rounded(np.array([block.eta], dtype=object))[0]
        if block.V is not None:
            out["rho"] = rounded(np.array([block.rho], dtype=object))[0]
        return {name: torch.as_tensor(value, dtype=torch.float64).to(dtype) for name, value in out.items()}

    def forward(self, x: Float[Tensor, "... tokens dim"]) -> Float[Tensor, "... tokens dim"]:
        x = self.eta * x + torch.relu(x @ self.U.T + self.b) @ self.W.T
        if self.V is None:
            return x
        if self.B is None:
            mean = x.mean(dim=-2, keepdim=True).expand_as(x)
        else:
            scores = (x @ self.B.T) @ x.transpose(-1, -2)
            if self.attention == "softmax":
                weights = torch.softmax(scores / self.temperature, dim=-1)
            else:
                leaders = (scores == scores.amax(dim=-1, keepdim=True)).to(x.dtype)
                weights = leaders / leaders.sum(dim=-1, keepdim=True)
            mean = weights @ x
        return self.rho * x + mean @ self.V.T


class TransformerModule(nn.Module):
    """Blocks in order; input (..., tokens, dim), output of the same shape."""

    def __init__(self, blocks: list[dict[str, Tensor]], attention: str = "hardmax", temperature: float = 1.0):
        super().__init__()
        if attention not in ("hardmax", "softmax"):
            raise InputError(f"attention: expected hardmax or softmax, found {attention!r}")
        if not temperature > 0:
            raise InputError(f"temperature: expected a positive number, found {temperature!r}")
        self.attention, self.temperature = attention, float(temperature)
        self.blocks = nn.ModuleList(TransformerBlock(block, attention, temperature) for block in blocks)

    @classmethod
    def from_network(
        cls, network: "Network", dtype: object = None, attention: str = "hardmax", temperature: float = 1.0
    ) -> "TransformerModule":
        """The exact network with parameters rounded to `dtype` (float64 by default)."""
        kind = torch.float64 if dtype is None else dtype
        if not isinstance(kind, torch.dtype) or not kind.is_floating_point:
            raise InputError(f"dtype: expected a floating-point torch.dtype, found {dtype!r}")
        return cls([TransformerBlock.parameters_of(block, kind) for block in network.blocks], attention, temperature)

    def forward(self, x: Float[Tensor, "... tokens dim"]) -> Float[Tensor, "... tokens dim"]:
        for block in self.blocks:
            x = block(x)
        return x

    def save(self, path: str | Path) -> None:
        """Write the parameters with safetensors, attention and temperature as metadata."""
        metadata = {"attention": self.attention, "temperature": repr(self.temperature)}
        save_file({name: value.detach().contiguous() for name, value in self.state_dict().items()}, str(path), metadata)

    @classmethod
    def load(cls, path: str | Path) -> "TransformerModule":
        """Read what `save` wrote.

        Raises:
            InputError: the file holds other tensors than a network's.
        """
        with safe_open(str(path), framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (a safetensors file is no dict)
        blocks: dict[int, dict[str, Tensor]] = {}
        for name, value in tensors.items():
            found = re.fullmatch(r"blocks\.(\d+)\.(eta|W|U|b|rho|V|B)", name)
            if not found:
                raise InputError(f"{path}: expected tensors named blocks.<k>.<parameter>, found {name}")
            blocks.setdefault(int(found[1]), {})[found[2]] = value
        if sorted(blocks) != list(range(len(blocks))) or not blocks:
            raise InputError(f"{path}: expected blocks 0, 1, 2, ..., found {sorted(blocks)}")
        attention = "softmax" if metadata.get("attention") == "softmax" else "hardmax"
        return cls([blocks[k] for k in range(len(blocks))], attention, float(metadata.get("temperature", "1")))
