"""Groups of positions on a line and the blocks that send them to their targets, outermost first, four kinks a block."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tqdm import tqdm

from hardmax.interpolation.block import ZERO, Block, feed_forward, piecewise_linear
from hardmax.interpolation.direction import Direction
from hardmax.interpolation.line import NEURONS
from hardmax.interpolation.rationals import Vector, dyadic_between


@dataclass(frozen=True)
class Group:
    """A run of consecutive positions, ascending, with one target."""

    positions: Sequence[Fraction]
    target: Vector

    @property
    def breakpoints(self) -> Sequence[Fraction]:
        """Where the piecewise-linear map must be given: the position itself, or both ends of the run."""
        return self.positions if len(self.positions) == 1 else (self.positions[0], self.positions[-1])


def merge_neighbours(groups: Iterable[Group]) -> list[Group]:
    """Groups from right to left, neighbours with the same target made one."""
    merged: list[Group] = []
    for group in groups:
        if merged and merged[-1].target == group.target:
            merged[-1] = Group([*group.positions, *merged[-1].positions], group.target)
        else:
            merged.append(group)
    return merged


def send_home(
    groups: Sequence[Group],
    floor: Fraction,
    direction: Direction,
    place: Callable[[Fraction], Vector],
    narrowest: Fraction = ZERO,
    progress: bool = False,
) -> list[Block]:
    """Blocks that send the groups, given in decreasing position, to their targets, several groups a block.

    `floor` is what stays put: the largest <direction, y> of points already home. `place(z)` is the point at position z.
    Each block adds a piecewise-linear function of z = <direction, x> that is zero up to a point between its leftmost
    group and the next remaining position. A run may be cut where its last gap is at least `narrowest`.
    """
    queue = deque(groups)
    blocks = []
    bar = tqdm(total=len(groups), desc="groups sent home", unit="group", disable=not progress)
    while queue:
        block = _next_block(queue, narrowest)
        bar.update(len(groups) - len(queue) - bar.n)
        below = queue[0].positions[-1] if queue else floor
        first = block[-1].positions[0]
        gap = first - below
        knots = [(dyadic_between(first - Fraction(7, 8) * gap, first - Fraction(5, 8) * gap), (ZERO,) * len(direction))]
        for group in reversed(block):
            for z in group.breakpoints:
                knots.append((z, tuple(y - x for y, x in zip(group.target, place(z), strict=True))))
        blocks.append(feed_forward(direction, *piecewise_linear(knots)))
    bar.close()
    return blocks


def narrowest_boundary(groups: Sequence[Group]) -> Fraction:
    """Least gap between neighbouring groups, given from right to left; zero if there is one group."""
    return min((right.positions[0] - left.positions[-1] for right, left in pairwise(groups)), default=ZERO)


def _next_block(queue: deque[Group], narrowest: Fraction) -> list[Group]:
    """Take groups from the right until four kinks are spent; a run that finds one kink left gives up its last position."""
    block, left = [], NEURONS
    while queue and left:
        group = queue.popleft()
        if len(group.breakpoints) > left:
            if group.positions[-1] - group.positions[-2] < narrowest:
                queue.appendleft(group)
                break
            queue.appendleft(Group(group.positions[:-1], group.target))
            group = Group(group.positions[-1:], group.target)
        block.append(group)
        left -= len(group.breakpoints)
    return block
