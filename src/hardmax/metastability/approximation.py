"""How long hardmax dynamics and finite inverse temperature stay together (MS-5)."""

import math

import numpy as np
from jaxtyping import Float

from hardmax.metastability.collapse import Path
from hardmax.metastability.exit_times import ChainInputs

SETTLED = 1e-9
"""Share of its way that a hardmax token has left when it counts as arrived."""


def hardmax_path(
    x0: Float[np.ndarray, "tokens dim"], vertices: Float[np.ndarray, "vertices dim"], gamma: float, steps: int
) -> Float[np.ndarray, "times tokens dim"]:
    """Hardmax tokens in the cells of equal-norm vertices at times 0..steps: straight to their vertices, (1 - gamma)^t of the way left."""
    target = vertices[(x0 @ vertices.T).argmax(axis=1)]
    left = (1 - gamma) ** np.arange(steps + 1)
    return target + left[:, None, None] * (x0 - target)


def chain_deviation(
    chain: ChainInputs, vertices: Float[np.ndarray, "vertices dim"], epsilon: float, max_time: float, rng: np.random.Generator
) -> float:
    """First step at which a token of one replica of (SA_P) is farther than epsilon from its hardmax twin; max_time if none is by then.

    While the hardmax tokens are under way, steps are literal; once they have arrived, the chain goes on from event to event.
    """
    settling = _settling(chain.gamma)
    x = chain.x0
    for step, reference in enumerate(hardmax_path(chain.x0, vertices, chain.gamma, settling)[1:], 1):
        x = chain.advance(x, 1, rng)
        if step > max_time or np.linalg.norm(x - reference, axis=1).max() > epsilon:
            return min(float(step), max_time)
    cell = (chain.x0 @ vertices.T).argmax(axis=1)
    rest = chain._replace(x0=x, group=cell, hulls=vertices, first=np.arange(len(vertices) + 1))
    return min(settling + rest.run(epsilon, max_time, rng)[0], max_time)


def mean_deviation(path: Path, vertices: Float[np.ndarray, "vertices dim"], gamma: float, epsilon: float) -> float:
    """Log of the first time on a path of (SA_beta) at which a token is farther than epsilon from its hardmax twin; infinite if none is."""
    x0 = path.x[0]
    target = vertices[(x0 @ vertices.T).argmax(axis=1)]
    left = np.exp(np.exp(np.minimum(path.log_time, 700.0)) * math.log1p(-gamma)) if gamma < 1 else (path.log_time < 0).astype(float)
    reference = target + left[:, None, None] * (x0 - target)
    away = np.linalg.norm(path.x - reference, axis=2).max(axis=1)
    out = np.flatnonzero(away > epsilon)
    return float(path.log_time[out[0]]) if len(out) else math.inf


def _settling(gamma: float) -> int:
    return 1 if gamma == 1 else math.ceil(math.log(SETTLED) / math.log1p(-gamma))
