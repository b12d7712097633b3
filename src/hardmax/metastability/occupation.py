"""One replica of the chain, frame by frame: which cell each token is in, until all are at one place."""

import math

import numpy as np
import pandas as pd

from hardmax.metastability.exit_times import LAST_TIME, chain_inputs
from hardmax.metastability.polytopes import crowd, polytope


def occupation(
    rng: np.random.Generator, *, shape: str, tokens: int, spread: float, beta: float, gamma: float, apart: float, frames: int
) -> pd.DataFrame:
    """Tokens and their cells at the start, after steps with a pick outside a group, and at the end.

    Args:
        rng: all randomness.
        shape, tokens, spread: the polytope, tokens a group, and how far they reach to the centre, as in `crowd`.
        beta, gamma: inverse temperature and step.
        apart: an event is a frame when some token has moved at least so far since the last frame.
        frames: number of events recorded at most; later ones are left out, the last state is kept.

    Returns:
        One row a frame and token: frame, time (steps), token, group, cell (the vertex of highest score), x, y (the first two coordinates).
    """
    vertices = polytope(shape)
    x0, groups = crowd(vertices, tokens, spread)
    _, _, _, times, path = chain_inputs(x0, groups, beta, gamma).run(math.inf, LAST_TIME, rng, frames)
    kept = [0]
    for frame in range(1, len(times)):
        if np.linalg.norm(path[frame] - path[kept[-1]], axis=1).max() >= apart:
            kept.append(frame)
    kept = sorted({*kept, len(times) - 1})
    times, path = times[kept], path[kept]
    cells = (path @ vertices.T).argmax(axis=2)
    count = len(times)
    return pd.DataFrame(
        {
            "frame": np.repeat(np.arange(count), len(x0)),
            "time": np.repeat(times, len(x0)),
            "token": np.tile(np.arange(len(x0)), count),
            "group": np.tile(groups, count),
            "cell": cells.ravel(),
            "x": path[..., 0].ravel(),
            "y": path[..., 1].ravel() if path.shape[2] > 1 else np.zeros(cells.size),
        }
    )
