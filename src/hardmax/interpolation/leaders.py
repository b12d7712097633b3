"""The leader construction: as in the paper, attention clusters each sequence around its leaders."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from hardmax.interpolation.block import ONE, ZERO, Block, feed_forward, matrix, piecewise_linear
from hardmax.interpolation.direction import Direction
from hardmax.interpolation.groups import Group, merge_neighbours, send_home
from hardmax.interpolation.line import Line, put_on_line
from hardmax.interpolation.problem import Problem
from hardmax.interpolation.rationals import Vector, dyadic_between


def build_leaders(problem: Problem, rng: np.random.Generator, progress: bool = False) -> list[Block]:
    """At most 2 + sum(m_j - 1) + ceil(N / 4) + ceil(sum(m_j - 1) / 4) blocks, plus those for kinks beyond the third.

    The dimension must be at least 2, or no circle fits.
    """
    line = put_on_line(problem, rng, keep_tokens=True)
    w, v = line.direction, orthogonal(line.direction)
    moved = {j: _loneliest(line, j, len(problem.targets[j]) - 1) for j in line.order}
    circle = _circle_points(line, v, sum(map(len, moved.values())))

    placing, seats = [], []
    for j in line.order:
        for z, y in zip(moved[j], problem.targets[j][1:], strict=True):
            p, q, point = next(circle)
            placing.append(_bump(line, j, z, point))
            seats.append((p, q, y))
    leaders = matrix([[a * b + c * e for b, e in zip(w, v, strict=True)] for a, c in zip(w, v, strict=True)], (len(w),) * 2)
    identity = matrix(np.eye(len(w), dtype=int).tolist(), (len(w),) * 2)
    last = placing.pop() if placing else feed_forward(w, [], [])
    placing.append(last.attending(ZERO, identity, leaders))

    groups = [Group(line.positions[j][-1:], problem.targets[j][0]) for j in reversed(line.order)]
    homeward = send_home(merge_neighbours(groups), line.rightmost_target, w, line.point, progress=progress)
    return line.blocks + placing + homeward + _send_circle(line, v, seats)


def orthogonal(w: Direction) -> Direction:
    """A sparse integer direction orthogonal to w != 0, of dimension at least 2."""
    i = next(k for k, c in enumerate(w) if c)
    j = next((k for k, c in enumerate(w) if not c), next(k for k in range(len(w)) if k != i))
    v = [0] * len(w)
    v[j], v[i] = (1, 0) if not w[j] else (w[i], -w[j])
    return tuple(v)


def _loneliest(line: Line, j: int, number: int) -> list[Fraction]:
    """Of a sequence's positions but the largest, those farthest from their neighbours."""
    z = line.positions[j]
    room = {z[i]: min(z[i + 1] - z[i], z[i] - z[i - 1] if i else z[i + 1] - z[i]) for i in range(len(z) - 1)}
    return sorted(sorted(room, key=room.__getitem__, reverse=True)[:number])


def _circle_points(line: Line, v: Direction, number: int) -> Iterator[tuple[Fraction, Fraction, Vector]]:
    """Points p w/|w|^2 + q v/|v|^2 on a circle, left of all targets, no two alike."""
    square = sum(c * c for c in v)
    radius = Fraction(7, 4) * max(ONE, -line.leftmost_target)
    for k in range(number):
        t = Fraction(k, 2 * number)
        p, q = -radius * (1 - t * t) / (1 + t * t), radius * 2 * t / (1 + t * t)
        yield p, q, tuple(a + q * Fraction(c, square) for a, c in zip(line.point(p), v, strict=True))


def _bump(line: Line, j: int, z: Fraction, target: Vector) -> Block:
    """A block that moves the token at position z of sequence j to the target and leaves every other token alone."""
    row = line.positions[j]
    i = row.index(z)
    gap = min([row[i + 1] - z] + ([z - row[i - 1]] if i else [_room_on_the_left(line, j)]))
    reach = dyadic_between(gap * Fraction(5, 8), gap * Fraction(7, 8))
    zero = (ZERO,) * len(target)
    top = tuple(y - x for y, x in zip(target, line.point(z), strict=True))
    return feed_forward(line.direction, *piecewise_linear([(z - reach, zero), (z, top), (z + reach, zero)], closed=True))


def _room_on_the_left(line: Line, j: int) -> Fraction:
    place = line.order.index(j)
    below = line.positions[line.order[place - 1]][-1] if place else line.rightmost_target
    return line.positions[j][0] - below


def _send_circle(line: Line, v: Direction, seats: list[tuple[Fraction, Fraction, Vector]]) -> list[Block]:
    """Mirrored ramps, from the left, for the points on the circle."""
    square = sum(c * c for c in v)
    height = {-p: q for p, q, _ in seats}
    mirrored = tuple(-c for c in line.direction)

    def place(z: Fraction) -> Vector:
        return tuple(a + height[z] * Fraction(c, square) for a, c in zip(line.point(-z), v, strict=True))

    return send_home([Group([-p], y) for p, _, y in sorted(seats)], -line.leftmost_target, mirrored, place)
