"""FW-12: the flow that small steps follow."""

import numpy as np

from hardmax.falsify import Instances, Outcome, Statement, compare
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.lines import IN_CELLS, advantages, inside_cells, small_cells, targets_of, vertices_of
from hardmax.frank_wolfe.statements.steps import PAPER
from hardmax.frank_wolfe.trajectories import straight_lines, trajectories
from hardmax.geometry.cells import ownership

STEPS_OF_FLOW = (0.1, 0.01)
TIME = 3.0
SHIFT = 1e-6


def _flow_limit(x: Instances) -> Outcome:
    """Three errors in units of what bounds them: of (SA_inf) at step h against h diam, of the closed form's velocity against rounding, and
    of the flow from shifted data against the shift."""
    unit = 2 * draws.radius(x["tokens"])[:, None, None]
    targets = targets_of(x)
    worst = []
    for h in STEPS_OF_FLOW:
        steps = round(TIME / h)
        gamma = np.full((len(unit), steps), h / (1 + h))
        shares = np.broadcast_to(np.exp(-h * np.arange(steps + 1)), (len(unit), steps + 1))
        lines = straight_lines(x["tokens"], targets, shares)
        run = trajectories(x["tokens"], x["B"][:, None], gamma).tokens
        worst.append((np.abs(run - lines).max(axis=-1) / (h * unit)).max(axis=(1, 2)))
        if h == STEPS_OF_FLOW[0]:
            shift = SHIFT * unit * np.where(np.arange(run.shape[-1]) % 2, -1.0, 1.0)
            moved = trajectories(x["tokens"] + shift, x["B"][:, None], gamma).tokens
            worst.append((np.abs(moved - run).max(axis=-1) / (SHIFT * unit * (1 + 1e-6))).max(axis=(1, 2)))
            pieces = {name: np.repeat(x[name], steps + 1, axis=0) for name in ("B", "weights")}
            velocity = targets_of(pieces | {"tokens": lines.reshape(-1, *lines.shape[2:])}).reshape(lines.shape) - lines
            expected = shares[..., None, None] * (targets - x["tokens"])[:, None]
            worst.append((np.abs(velocity - expected).max(axis=-1) / (1e-12 * unit)).max(axis=(1, 2)))
    return compare(np.max(worst, axis=0), "<=", 1.0)


FW12 = Statement(
    claim="FW-12",
    paper=PAPER,
    text="Under FW-7's conditions x_i' = argmax - x_i has the one solution e^{-t} x_i^0 + (1 - e^{-t}) v_sigma(i), continuous in the data; it is "
    "the limit h -> 0 of (SA_inf).",
    hypotheses=IN_CELLS
    | {
        "shifted data in the same cells": lambda x: (
            (advantages(x) > 100 * SHIFT * np.sqrt(np.linalg.cond(x["B"]))[:, None]).all(axis=1)
            & (ownership(vertices_of(x), x["B"]) > 0).all(axis=1)
        )
    },
    families={
        "equal norms": lambda rng, trials: inside_cells(rng, trials, True, (2, 6), (1, 4)),
        "any vertices": lambda rng, trials: inside_cells(rng, trials, False, (2, 3), (1, 4)),
        "many vertices": lambda rng, trials: inside_cells(rng, trials, True, (12, 20), (3, 6)),
    },
    conclusion=_flow_limit,
    strategy=small_cells(),
    chunk=50,
)
