"""The four published initial configurations in the plane, layer by layer (arXiv 2407.01602; A = I, alpha = 0.5, 30 layers)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch

from hardmax.attention import followed_sets, leaders
from hardmax.dynamics import leader_averaging, simulate
from hardmax.errors import InputError

SQUARE = ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))


@dataclass(frozen=True)
class Configuration:
    """Initial tokens: some fixed, then some drawn uniformly.

    Attributes:
        name: what the figure calls it.
        fixed: tokens given in the paper.
        boxes: (low, high, how many): tokens uniform in [low, high]^2.
    """

    name: str
    fixed: tuple[tuple[float, float], ...]
    boxes: tuple[tuple[float, float, int], ...] = ()

    def tokens(self, rng: np.random.Generator) -> np.ndarray:
        """The initial tokens, shape (tokens, 2)."""
        drawn = [rng.uniform(low, high, size=(count, 2)) for low, high, count in self.boxes]
        return np.concatenate([np.array(self.fixed), *drawn])


CONFIGURATIONS = (
    Configuration("triangle", ((1.0, 1.0), (0.5, -0.5), (-1.0, -1.0), (0.3, -0.2), (0.1, -0.2)), ((0.0, 1.0, 2), (-1.0, 0.0, 2))),
    Configuration(
        "emerging leader",
        ((1.0, 1 / 3), (-1 / 12, 1 / 12), (-1.0, -1.0), (0.0, 0.25), (-0.3, -0.7), (-0.6, -0.9), (0.8, 0.1), (0.6, 0.15)),
    ),
    Configuration("square", SQUARE, ((-0.5, 0.5, 6),)),
    Configuration("clusters that are not leaders", (*SQUARE, (-0.5, 0.0), (0.5, 0.0)), ((-0.5, 0.5, 4),)),
)


def panels(rng: np.random.Generator, *, alpha: float, layers: Sequence[int]) -> pd.DataFrame:
    """Tokens of the four configurations at the layers asked for.

    Returns:
        One row a configuration, layer and token: coordinates, the tokens it follows (indices, coinciding ones left out but the
        first, separated by blanks), whether it is a leader there and at the last layer.

    Raises:
        InputError: no layers.
    """
    if not layers:
        raise InputError("clustering.panels.layers: expected at least one layer, found none")
    rows = []
    for configuration in CONFIGURATIONS:
        kept = sorted(set(layers))
        run = simulate(configuration.tokens(rng), leader_averaging(alpha), kept[-1], keep=kept)
        final = leaders(run[-1])
        for layer, x in zip(kept, run, strict=True):
            sets, leads = followed_sets(x), leaders(x)
            for token in range(len(x)):
                rows.append(
                    {
                        "configuration": configuration.name,
                        "layer": layer,
                        "token": token,
                        "x": float(x[token, 0]),
                        "y": float(x[token, 1]),
                        "follows": _names(x, torch.nonzero(sets[token])[:, 0]),
                        "leader": bool(leads[token]),
                        "final_leader": bool(final[token]),
                    }
                )
    return pd.DataFrame(rows)


def _names(x: torch.Tensor, indices: torch.Tensor) -> str:
    """Indices as text, of coinciding tokens the first only."""
    kept: list[int] = []
    for index in indices.tolist():
        if not any(torch.equal(x[index], x[other]) for other in kept):
            kept.append(index)
    return " ".join(map(str, kept))
