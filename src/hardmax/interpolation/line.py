"""The first stage of both constructions: all tokens on one line, each sequence in an interval of its own."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from hardmax.interpolation.block import ONE, ZERO, Block, feed_forward, matrix
from hardmax.interpolation.direction import Direction, choose_direction
from hardmax.interpolation.means import Projection, separate_means
from hardmax.interpolation.problem import Problem
from hardmax.interpolation.rationals import Vector, dot, dyadic_between

NEURONS = 4


@dataclass(frozen=True)
class Line:
    """Every token on the line through w, at x = (z / |w|^2) w.

    Attributes:
        direction: w.
        blocks: the blocks that brought the tokens there.
        rightmost_target: the largest <w, y>; every position lies above it.
        leftmost_target: the least <w, y>.
        positions: for each sequence its distinct positions z, ascending.
        order: the sequences from left to right.
    """

    direction: Direction
    blocks: list[Block]
    leftmost_target: Fraction
    rightmost_target: Fraction
    positions: list[list[Fraction]]
    order: list[int]

    @property
    def unit(self) -> Vector:
        """w / |w|^2: the point at position z is z times this."""
        return unit_of(self.direction)

    def point(self, z: Fraction) -> Vector:
        """The point at position z."""
        return tuple(z * c for c in self.unit)


def unit_of(direction: Direction) -> Vector:
    """w / |w|^2."""
    square = sum(c * c for c in direction)
    return tuple(Fraction(c, square) for c in direction)


def put_on_line(problem: Problem, rng: np.random.Generator, keep_tokens: bool) -> Line:
    """Blocks that put every sequence in an interval of its own on a line, right of all targets.

    With `keep_tokens` a sequence's tokens keep distinct positions (rho > 0); otherwise each sequence becomes one point.
    """
    w = choose_direction(problem, rng)
    unit = unit_of(w)
    start, shift = _positive(problem, w)
    separation = separate_means(problem, start)
    s, means = separation.projection, separation.means
    order = sorted(range(len(means)), key=means.__getitem__)

    heights = [dot(w, y) for ys in problem.targets for y in ys]
    stretch = _stretch(problem, max(heights), min(means), s.largest, w)
    gap = min((b - a for a, b in pairwise(sorted(means))), default=s.largest)
    rho = ZERO
    if keep_tokens:
        bound = stretch * gap / (2 * (s.largest - s.least or ONE))
        rho = dyadic_between(bound * Fraction(7, 8), bound)

    blocks = [feed_forward(w, [c - shift for c, _ in kinks], [tuple(a * u for u in unit) for _, a in kinks]) for kinks in separation.blocks]
    ramps = [(ZERO, ONE), *separation.line]
    flat = feed_forward(w, [c - shift for c, _ in ramps], [tuple(a * u for u in unit) for _, a in ramps], ZERO)
    average = matrix([[stretch * a * u for u in unit] for a in w], (len(w), len(w)))
    blocks.append(flat.attending(rho, average, None))

    positions = []
    for j, mean in enumerate(means):
        centre = stretch * mean
        if rho:
            part = problem.members.token[problem.members.offsets[j] : problem.members.offsets[j + 1]]
            positions.append([rho * Fraction(value, s.denominator) + centre for value in sorted(s.values[part].tolist())])
        else:
            positions.append([centre])
    return Line(w, blocks, min(heights), max(heights), positions, order)


def _positive(problem: Problem, w: Direction) -> tuple[Projection, Fraction]:
    """s = <w, x> + shift with least value about its range, and the shift."""
    values = problem.points.project(w)
    raw = Projection(values, problem.points.denominator)
    spread = raw.largest - raw.least or abs(raw.least) or ONE
    shift = dyadic_between(Fraction(7, 8) * spread - raw.least, Fraction(9, 8) * spread - raw.least)
    scale = (shift * raw.denominator).denominator
    return Projection(values * scale + int(shift * raw.denominator * scale), raw.denominator * scale), shift


def _stretch(problem: Problem, top: Fraction, least_mean: Fraction, largest: Fraction, w: Direction) -> Fraction:
    """M just large enough that positions lie above every <w, y> with room to spare, and are no smaller than the targets."""
    height = max(abs(value) for ys in problem.targets for y in ys for value in y)
    needed = max(top / least_mean, height * max(map(abs, w)) / (2 * largest))
    return dyadic_between(needed * Fraction(9, 8), needed * Fraction(5, 4)) if needed > 0 else ONE
