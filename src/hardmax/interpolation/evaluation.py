"""Evaluate a network on many sequences at once, in rational or float64 arithmetic, skipping blocks that cannot act."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from hardmax.interpolation.block import Block
from hardmax.interpolation.problem import Members
from hardmax.interpolation.rationals import nearest_float
from hardmax.interpolation.states import S, States

PAIRS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Step:
    """One block, or a run of blocks that act on each token by itself and only near the block's kinks.

    For a run, all neurons are multiples of one direction, eta = 1 and there is no attention; block k leaves a token alone
    unless low[k] <= <direction, x> <= high[k].
    """

    blocks: Sequence[Block]
    direction: np.ndarray | None = None
    low: np.ndarray | None = None
    high: np.ndarray | None = None


def plan(blocks: Sequence[Block]) -> list[Step]:
    """The blocks grouped into steps; every skip is justified by the block's own entries, whoever built it."""
    steps: list[Step] = []
    run: list[tuple[Block, np.ndarray, Fraction | None, Fraction | None]] = []

    def close() -> None:
        if run:
            low = np.array([-np.inf if a is None else nearest_float(a) for _, _, a, _ in run])
            high = np.array([np.inf if c is None else nearest_float(c) for _, _, _, c in run])
            steps.append(Step([block for block, *_ in run], run[0][1], low, high))
            run.clear()

    for block in blocks:
        local = _support(block, run[0][1] if run else None)
        if local is None and run:
            close()
            local = _support(block, None)
        if local is None:
            steps.append(Step([block]))
        else:
            run.append((block, *local))
    close()
    return steps


def _support(block: Block, direction: np.ndarray | None) -> tuple[np.ndarray, Fraction | None, Fraction | None] | None:
    """Direction and interval outside which the block is the identity (None: unbounded); None if it is not of that kind."""
    if block.eta != 1 or block.V is not None or block.neurons == 0:
        return None
    if direction is None:
        direction = block.U[0]
    pivot = next((k for k, c in enumerate(direction) if c), None)
    if pivot is None:
        return None
    scales = [row[pivot] / direction[pivot] for row in block.U]
    if any(scale == 0 or any(scale * direction != row) for scale, row in zip(scales, block.U, strict=True)):
        return None
    thresholds = [-bias / scale for bias, scale in zip(block.b, scales, strict=True)]
    right = [k for k, scale in enumerate(scales) if scale > 0]
    left = [k for k, scale in enumerate(scales) if scale < 0]
    low = min(thresholds) if _vanishes(block, scales, left) else None
    high = max(thresholds) if _vanishes(block, scales, right) else None
    return direction, low, high


def _vanishes(block: Block, scales: list[Fraction], active: list[int]) -> bool:
    """Whether the sum of the active neurons' contributions is zero for every z."""
    if not active:
        return True
    W = block.W[:, active]
    slopes, biases = np.array([scales[k] for k in active], dtype=object), block.b[active]
    return not any(W @ slopes) and not any(W @ biases)


def propagate(
    steps: Sequence[Step],
    states: S,
    members: Members,
    skip: bool = True,
    after: Callable[[Block, S, Members], None] | None = None,
) -> tuple[S, Members]:
    """Run the steps; `members.token` indexes the states before and after. Without `skip` every block is evaluated in full.

    `after` is called after each block that is evaluated in full.
    """
    for step in steps:
        if step.direction is not None and skip:
            _run_local(step, states)
            continue
        for block in step.blocks:
            states = states.feed_forward(block)
            if block.V is not None:
                states = states.attention(block, members)
                members = _owned(members) if block.rho or block.B is not None else _one_each(members)
            if after is not None:
                after(block, states, members)
    return states, members


def _owned(members: Members) -> Members:
    """After attention a state belongs to one token of one sequence."""
    return Members(members.offsets, np.arange(len(members.token)), members.count)


def _one_each(members: Members) -> Members:
    """After uniform attention with rho = 0 every token of a sequence has the same state."""
    return Members(members.offsets, members.sequence, members.count)


def _run_local(step: Step, states: States) -> None:
    assert step.direction is not None
    pending = np.arange(len(states))
    earliest = np.zeros(len(states), dtype=np.int64)
    while len(pending):
        z = states.take(pending).positions(step.direction)
        hit = np.concatenate(list(_first_hits(z, step, earliest[pending])))
        acting = hit < len(step.blocks)
        pending, hit = pending[acting], hit[acting]
        order = np.argsort(hit, kind="stable")
        bounds = np.flatnonzero(np.diff(hit[order], prepend=-1))
        for part in np.split(order, bounds[1:]) if len(order) else ():
            rows = pending[part]
            states.put(rows, states.take(rows).feed_forward(step.blocks[hit[part[0]]]))
        earliest[pending] = hit + 1


def _first_hits(z: np.ndarray, step: Step, earliest: np.ndarray) -> Iterator[np.ndarray]:
    """Index of the first block from `earliest` on whose support holds z; the number of blocks if there is none."""
    number = len(step.blocks)
    chunk = max(1, PAIRS_AT_ONCE // number)
    for start in range(0, len(z), chunk):
        part, least = z[start : start + chunk, None], earliest[start : start + chunk, None]
        inside = (part >= step.low) & (part <= step.high) & (np.arange(number) >= least)
        yield np.where(inside.any(axis=1), inside.argmax(axis=1), number)
