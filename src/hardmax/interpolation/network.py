"""A network of exact blocks: evaluation of one sequence, size, and the way to torch and to disk."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float, Shaped

from hardmax.errors import InputError
from hardmax.interpolation.block import Block, over_one_denominator
from hardmax.interpolation.complexity import nonzero_entries, parameter_count
from hardmax.interpolation.evaluation import Step, plan, propagate
from hardmax.interpolation.problem import Members, read_points
from hardmax.interpolation.rationals import exact
from hardmax.interpolation.states import ExactStates, FloatStates

if TYPE_CHECKING:
    from hardmax.interpolation.module import TransformerModule


@dataclass(frozen=True, eq=False)
class Network:
    """Blocks applied in order to the tokens of a sequence.

    Attributes:
        blocks: the blocks, with exact rational parameters.
        dimension: d.
        construction: "compact" (any attention) or "leaders" (hardmax only).
    """

    blocks: list[Block] = field(repr=False)
    dimension: int
    construction: str = "compact"

    def __call__(self, tokens: Collection) -> Float[np.ndarray, "tokens dim"]:
        """The tokens' images in float64, in token order."""
        rows = self._rows(tokens).astype(np.float64)
        states, members = propagate(self.steps, FloatStates(rows.copy()), _one_sequence(len(rows)))
        return states.values[members.token]

    def exact(self, tokens: Collection, skip: bool = True) -> Shaped[np.ndarray, "tokens dim"]:
        """The tokens' images in rational arithmetic, in token order, as an object array of Fractions.

        With `skip`, blocks whose support a token does not meet are passed over; without, every block is evaluated in full.
        """
        rows = self._rows(tokens)
        fractions = np.array([exact(value) for value in rows.flat], dtype=object).reshape(rows.shape)
        numerators, denominator = over_one_denominator(fractions)
        start = ExactStates(numerators, np.array([denominator] * len(rows), dtype=object))
        states, members = propagate(self.steps, start, _one_sequence(len(rows)), skip)
        return states.take(members.token).fractions()

    @property
    def depth(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    @property
    def neurons(self) -> int:
        """Number of feed-forward neurons."""
        return sum(block.neurons for block in self.blocks)

    @cached_property
    def parameter_count(self) -> int:
        """Free parameters, directions shared by neurons counted once."""
        return parameter_count(self.blocks)

    @cached_property
    def nonzero_count(self) -> int:
        """Nonzero entries of all matrices, biases and scalars."""
        return nonzero_entries(self.blocks)

    @cached_property
    def steps(self) -> list[Step]:
        """The blocks arranged for evaluation that passes over blocks which cannot act."""
        return plan(self.blocks)

    def to_torch(
        self,
        dtype: object = None,
        attention: str = "hardmax",
        temperature: float = 1.0,
    ) -> "TransformerModule":
        """The network as a torch module with trainable parameters (float64 unless `dtype` says otherwise).

        Raises:
            InputError: softmax attention for the leader construction, or a temperature that is not positive.
        """
        from hardmax.interpolation.module import TransformerModule

        if attention != "hardmax" and self.construction == "leaders":
            raise InputError("construction leaders: expected hardmax attention, found " + attention)
        return TransformerModule.from_network(self, dtype, attention, temperature)

    def save(self, path: str | Path) -> None:
        """Write the exact network as JSON, rationals as "p/q"."""
        from hardmax.interpolation.io import write_network

        write_network(self, path)

    @staticmethod
    def load(path: str | Path) -> "Network":
        """Read what `save` wrote."""
        from hardmax.interpolation.io import read_network

        return read_network(path)

    def _rows(self, tokens: Collection) -> np.ndarray:
        rows = read_points(tokens, "tokens")
        if rows.shape[1] != self.dimension:
            raise InputError(f"tokens: expected dimension {self.dimension}, found {rows.shape[1]}")
        return rows


def _one_sequence(length: int) -> Members:
    return Members(np.array([0, length]), np.arange(length), np.ones(length, dtype=np.int64))
