"""Tokens on their way: straight inside fixed cells, and together with the cells that their own motion changes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hardmax.frank_wolfe.polytopes import at_angles, spread_angles
from hardmax.frank_wolfe.trajectories import trajectories
from hardmax.geometry.cells import vertex_cells


def straight_paths(rng: np.random.Generator, counts: Sequence[int], tokens: int, gamma: float, steps: int) -> pd.DataFrame:
    """Trajectories of tokens drawn uniformly in the disc's polytope, whose vertices have equal norms and stay (FW-7).

    Columns: vertices, step, token, x, y, cell (the vertex followed), vertex (whether the token is one).
    """
    parts = []
    for count in counts:
        vertices = at_angles(spread_angles(rng, count), np.ones(count))
        inside = rng.dirichlet(np.full(count, 0.6), size=tokens) @ vertices
        parts.append(_path(np.concatenate([vertices, inside]), gamma, steps, count).assign(vertices=count))
    return pd.concat(parts, ignore_index=True)[["vertices", "step", "token", "x", "y", "cell", "vertex"]]


def _path(points: np.ndarray, gamma: float, steps: int, count: int) -> pd.DataFrame:
    run = trajectories(points[None], np.eye(2)[None, None], np.full((1, steps), gamma))
    followed = np.concatenate([run.followed[0], run.followed[0][-1:]])
    step, token = np.indices(followed.shape)
    x, y = np.moveaxis(run.tokens[0], -1, 0)
    return pd.DataFrame({"step": step.ravel(), "token": token.ravel(), "x": x.ravel(), "y": y.ravel(), "cell": followed.ravel()}).assign(
        vertex=lambda rows: rows["token"] < count
    )


def moving_cells(rng: np.random.Generator, tokens: int, gamma: float, frames: int) -> pd.DataFrame:
    """A Gaussian cloud off the origin step by step with the cells of its hull at each step, which change while vertices move.

    Columns: step, element (`token` or `cell`), index, corner, x, y, cell (the token followed; a cell's own index).
    """
    points = rng.normal(size=(tokens, 2)) + np.array([1.5, 0.5])
    points = points[np.argsort(np.arctan2(*(points - points.mean(axis=0)).T))]
    run = trajectories(points[None], np.eye(2)[None, None], np.full((1, frames), gamma))
    parts = []
    for step, (now, followed) in enumerate(zip(run.tokens[0], run.followed[0], strict=False)):
        frame = pd.DataFrame(now, columns=["x", "y"])
        parts.append(frame.assign(step=step, element="token", index=range(tokens), corner=0, cell=followed))
        for index, cell in enumerate(vertex_cells(now)):
            frame = pd.DataFrame(cell, columns=["x", "y"])
            parts.append(frame.assign(step=step, element="cell", index=index, corner=range(len(cell)), cell=index))
    return pd.concat(parts, ignore_index=True)[["step", "element", "index", "corner", "x", "y", "cell"]]
