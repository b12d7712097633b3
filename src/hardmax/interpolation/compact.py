"""The compact construction: a line, then groups sent to their targets; no argmax, so hardmax and softmax agree."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from hardmax.interpolation.block import ZERO, Block
from hardmax.interpolation.groups import Group, merge_neighbours, narrowest_boundary, send_home
from hardmax.interpolation.line import Line, put_on_line
from hardmax.interpolation.problem import Problem
from hardmax.interpolation.rationals import Vector


def build_compact(problem: Problem, rng: np.random.Generator, progress: bool = False) -> list[Block]:
    """At most 1 + ceil(sum m_j / 2) blocks, 1 + ceil(N / 4) when all m_j = 1, plus those for kinks beyond the third."""
    keep_tokens = any(len(ys) > 1 for ys in problem.targets)
    line = put_on_line(problem, rng, keep_tokens)
    groups = merge_neighbours(_groups(problem, line))
    narrowest = narrowest_boundary(groups) if keep_tokens else ZERO
    return line.blocks + send_home(groups, line.rightmost_target, line.direction, line.point, narrowest, progress)


def _groups(problem: Problem, line: Line) -> list[Group]:
    """Groups from right to left: each sequence cut at its widest gaps, targets ordered so that neighbours share them."""
    groups: list[Group] = []
    for j, left in zip(reversed(line.order), [*reversed(line.order[:-1]), None], strict=True):
        runs = _cut(line.positions[j], len(problem.targets[j]))
        right = groups[-1].target if groups else None
        targets = _ordered(problem.targets[j], right, problem.targets[left] if left is not None else ())
        groups += [Group(run, y) for run, y in zip(reversed(runs), targets, strict=True)]
    return groups


def _ordered(targets: tuple[Vector, ...], right: Vector | None, left: tuple[Vector, ...]) -> list[Vector]:
    """The targets from right to left: first the one on the right, last one that the sequence on the left has too."""
    first = [y for y in targets if y == right]
    rest = [y for y in targets if y != right]
    rest.sort(key=left.__contains__)
    return first + rest


def _cut(positions: list[Fraction], pieces: int) -> list[list[Fraction]]:
    """Cut ascending positions into runs at their widest gaps."""
    gaps = sorted(range(1, len(positions)), key=lambda i: positions[i - 1] - positions[i])[: pieces - 1]
    ends = [0, *sorted(gaps), len(positions)]
    return [positions[a:b] for a, b in pairwise(ends)]
