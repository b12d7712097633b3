"""The certificate: exact evaluation of every sequence, compared with its targets by ==, margins and float64 error beside."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import fmpq
from jaxtyping import Float
from tqdm import tqdm

from hardmax.errors import InputError
from hardmax.interpolation.block import Block
from hardmax.interpolation.evaluation import Step, propagate
from hardmax.interpolation.network import Network
from hardmax.interpolation.problem import Members, Problem, read_problem, read_sequences
from hardmax.interpolation.rationals import Points, Vector, nearest_float, ratio
from hardmax.interpolation.states import ExactStates, FloatStates

MEMBERS_AT_ONCE = 50_000


@dataclass(frozen=True)
class Failure:
    """A sequence whose images are not its targets."""

    sequence: int
    missing: tuple[Vector, ...]
    unexpected: tuple[Vector, ...]


@dataclass(frozen=True)
class Margins:
    """How much room the construction leaves, in the units of the data.

    Attributes:
        least_gap: least distance between distinct token positions on the line, after the last attention.
        largest_coordinate: largest absolute coordinate after any block that acts on all tokens.
    """

    least_gap: float
    largest_coordinate: float

    @property
    def ratio(self) -> float:
        """largest_coordinate / least_gap: the condition of the float64 evaluation."""
        return self.largest_coordinate / self.least_gap if self.least_gap else float("inf")


@dataclass(frozen=True)
class Certificate:
    """What `certify` found.

    Attributes:
        exact: every sequence's images equal its targets as sets, in rational arithmetic.
        failures: the sequences for which they do not.
        margins: room left by the construction.
        float64_error: largest distance (any coordinate) of a float64 image from the exact one, in the units of the data.
        scale: largest absolute coordinate of tokens and targets, the unit for relative errors.
        sequences: number of sequences checked.
    """

    exact: bool
    failures: list[Failure] = field(repr=False)
    margins: Margins
    float64_error: float
    scale: float
    sequences: int


def certify(network: Network, sequences: Collection, targets: Collection, progress: bool = False) -> Certificate:
    """Evaluate the network on every sequence in rational arithmetic and compare with the targets by ==.

    Raises:
        InputError: malformed data, or of another dimension than the network's.
    """
    problem = read_problem(sequences, targets, merge=False)
    if problem.dimension != network.dimension:
        raise InputError(f"sequences: expected dimension {network.dimension}, found {problem.dimension}")
    failures: list[Failure] = []
    watch = _Watch(network.steps)
    error = 0.0
    with tqdm(total=len(problem), desc="certify", unit="sequence", disable=not progress) as bar:
        for start, stop in _chunks(problem.members):
            states, members = _exact_images(network, problem.points, problem.members.part(start, stop), watch)
            keys = states.keys()
            for j in range(stop - start):
                part = members.token[members.offsets[j] : members.offsets[j + 1]]
                failure = _compare(start + j, {keys[i] for i in part.tolist()}, problem.targets[start + j])
                if failure:
                    failures.append(failure)
            floats, float_members = _float_images(network, problem.points, problem.members.part(start, stop))
            difference = np.abs(floats.values[float_members.token] - states.floats()[members.token])
            error = max(error, float(difference.max()) if np.isfinite(difference).all() else float("inf"))
            bar.update(stop - start)
    return Certificate(not failures, failures, watch.margins(), error, scale_of(problem), len(problem))


def float64_error(network: Network, sequences: Collection, targets: Collection) -> tuple[float, float]:
    """Largest Hausdorff distance (any coordinate) between a sequence's float64 images and its targets, and the data's scale.

    A check without rational arithmetic, for sizes where `certify` takes too long.
    """
    problem = read_problem(sequences, targets, merge=False)
    worst = 0.0
    for start, stop in _chunks(problem.members):
        floats, members = _float_images(network, problem.points, problem.members.part(start, stop))
        for j in range(stop - start):
            images = floats.values[np.unique(members.token[members.offsets[j] : members.offsets[j + 1]])]
            wanted = np.array([[nearest_float(value) for value in y] for y in problem.targets[start + j]])
            distance = np.abs(images[:, None] - wanted).max(axis=2)
            worst = max(worst, float(distance.min(axis=0).max()), float(distance.min(axis=1).max()))
    return worst, scale_of(problem)


def final_points(network: Network, sequences: Collection) -> Float[np.ndarray, "sequences dim"]:
    """Mean of each sequence's images, evaluated in rational arithmetic and then rounded.

    Raises:
        InputError: malformed sequences, or of another dimension than the network's.
    """
    points, members = read_sequences(sequences)
    if points.dimension != network.dimension:
        raise InputError(f"sequences: expected dimension {network.dimension}, found {points.dimension}")
    out = np.empty((len(members), points.dimension))
    for start, stop in _chunks(members):
        states, after = _exact_images(network, points, members.part(start, stop), None)
        images = states.floats()[after.token] * after.count[:, None]
        out[start:stop] = np.add.reduceat(images, after.offsets[:-1], axis=0) / after.totals[:, None]
    return out


def scale_of(problem: Problem) -> float:
    """Largest absolute coordinate of tokens and targets."""
    targets = max(nearest_float(abs(value)) for ys in problem.targets for y in ys for value in y)
    return max(float(np.abs(problem.points.floats).max()), targets)


class _Watch:
    """Collects margins while blocks are evaluated in full: sizes after each, positions on the line after the last."""

    def __init__(self, steps: Sequence[Step]):
        self.direction = steps[-1].direction if steps else None
        self.last = next((step.blocks[-1] for step in reversed(steps) if step.direction is None), None)
        self.largest = 0.0
        self.heights: set[fmpq] = set()

    def __call__(self, block: Block, states: ExactStates, members: Members) -> None:
        self.largest = max(self.largest, states.largest())
        if block is self.last and self.direction is not None:
            self.heights |= states.heights(self.direction)

    def margins(self) -> Margins:
        least = min((b - a for a, b in pairwise(sorted(self.heights))), default=fmpq(0))
        return Margins(ratio(int(least.p), int(least.q)), self.largest)


def _chunks(members: Members) -> list[tuple[int, int]]:
    """Ranges of sequences of bounded total size."""
    bounds, start = [], 0
    while start < len(members):
        stop = int(np.searchsorted(members.offsets, members.offsets[start] + MEMBERS_AT_ONCE, side="right")) - 1
        stop = max(stop, start + 1)
        bounds.append((start, stop))
        start = stop
    return bounds


def _local(members: Members) -> tuple[np.ndarray, Members]:
    """The tokens these sequences use, and the sequences in terms of these."""
    used, token = np.unique(members.token, return_inverse=True)
    return used, Members(members.offsets, token, members.count)


def _exact_images(network: Network, points: Points, members: Members, watch: "_Watch | None") -> tuple[ExactStates, Members]:
    used, local = _local(members)
    start = ExactStates(points.take(used), np.full(len(used), points.denominator, dtype=object))
    states, local = propagate(network.steps, start, local, after=watch)
    return states, local


def _float_images(network: Network, points: Points, members: Members) -> tuple[FloatStates, Members]:
    used, local = _local(members)
    states, local = propagate(network.steps, FloatStates(points.floats[used]), local)
    return states, local


def _compare(sequence: int, images: set[tuple[int, ...]], targets: tuple[Vector, ...]) -> Failure | None:
    wanted = {_key(y) for y in targets}
    if images == wanted:
        return None
    return Failure(sequence, _points(wanted - images), _points(images - wanted))


def _key(point: Vector) -> tuple[int, ...]:
    """The point as ExactStates.keys writes it."""
    denominator = math.lcm(*(value.denominator for value in point))
    return (*(value.numerator * (denominator // value.denominator) for value in point), denominator)


def _points(keys: set[tuple[int, ...]]) -> tuple[Vector, ...]:
    return tuple(tuple(Fraction(n, key[-1]) for n in key[:-1]) for key in sorted(keys))
