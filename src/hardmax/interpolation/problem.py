"""The data to interpolate: validated, exact, with equal tokens pooled and equal sequences merged."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from jaxtyping import Int

from hardmax.errors import InputError
from hardmax.interpolation.rationals import Points, Vector, exact


@dataclass(frozen=True)
class Members:
    """Which tokens make up which sequence: one entry for each distinct token of each sequence, sequences in order.

    Attributes:
        offsets: entries of sequence j are offsets[j]:offsets[j + 1].
        token: index into the pool of distinct tokens.
        count: multiplicity of the token in its sequence.
    """

    offsets: Int[np.ndarray, " sequences_plus_one"]
    token: Int[np.ndarray, " members"]
    count: Int[np.ndarray, " members"]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sequence(self) -> Int[np.ndarray, " members"]:
        """Index of the sequence of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @property
    def totals(self) -> Int[np.ndarray, " sequences"]:
        """Sequence lengths, multiplicities counted."""
        return np.add.reduceat(self.count, self.offsets[:-1])

    def part(self, start: int, stop: int) -> "Members":
        """The sequences start:stop, with the same pool."""
        low, high = self.offsets[start], self.offsets[stop]
        return Members(self.offsets[start : stop + 1] - low, self.token[low:high], self.count[low:high])


@dataclass(frozen=True)
class Problem:
    """Sequences as multisets of pooled tokens, with their target sets.

    Attributes:
        points: the pool of distinct tokens.
        members: the sequences.
        targets: for each sequence its distinct targets, in order of first appearance.
        source: for each sequence the position, in what the caller gave, of the first one equal to it.
    """

    points: Points
    members: Members
    targets: list[tuple[Vector, ...]]
    source: list[int]

    @property
    def dimension(self) -> int:
        """d, of tokens and targets."""
        return self.points.dimension

    def __len__(self) -> int:
        return len(self.targets)


def read_problem(sequences: Collection, targets: Collection, merge: bool = True) -> Problem:
    """Check the data and make it exact.

    `sequences`: list of (n_j, d) arrays; `targets`: list of (m_j, d) arrays, or integer labels, label c being the point
    (c, 0, ..., 0). With `merge`, sequences equal as normalised multisets become one.

    Raises:
        InputError: wrong shapes, non-finite numbers, no data; with `merge` also equal sequences with different targets
            and more targets than distinct tokens. The message names the sequences.
    """
    points, members = read_sequences(sequences)
    target_sets = _read_targets(targets, len(members), points.dimension)
    if not merge:
        return Problem(points, members, target_sets, list(range(len(members))))
    for j, points_of_j in enumerate(target_sets):
        distinct = int(members.offsets[j + 1] - members.offsets[j])
        if len(points_of_j) > distinct:
            raise InputError(f"sequence {j}: {len(points_of_j)} distinct targets but only {distinct} distinct tokens")
    keep = _distinct_sequences(members, target_sets)
    starts, stops = members.offsets[:-1][keep], members.offsets[1:][keep]
    entries = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
    offsets = np.concatenate([[0], np.cumsum(stops - starts)])
    merged = Members(offsets, members.token[entries], members.count[entries])
    return Problem(points, merged, [target_sets[j] for j in keep], keep)


def read_sequences(sequences: Collection) -> tuple[Points, Members]:
    """Pool the distinct tokens of the sequences.

    Raises:
        InputError: no data, wrong shapes or non-finite numbers; the message names the sequence.
    """
    if len(sequences) == 0:
        raise InputError("sequences: expected at least one, found none")
    arrays = [read_points(tokens, f"sequence {j}") for j, tokens in enumerate(sequences)]
    dimension = arrays[0].shape[1]
    for j, array in enumerate(arrays):
        if array.shape[1] != dimension:
            raise InputError(f"sequence {j}: expected tokens of dimension {dimension} as in sequence 0, found {array.shape[1]}")
    lengths = np.array([len(array) for array in arrays])
    if all(array.dtype == np.float64 for array in arrays):
        rows, identity = _unique_rows(np.concatenate(arrays) + 0.0)
        points = Points(rows)
    else:
        index: dict[Vector, int] = {}
        tokens = [tuple(exact(value) for value in row) for array in arrays for row in array]
        identity = np.array([index.setdefault(token, len(index)) for token in tokens])
        points = Points.rational(list(index))
    owner = np.repeat(np.arange(len(arrays)), lengths)
    keys, count = np.unique(owner * len(points) + identity, return_counts=True)
    offsets = np.searchsorted(keys, np.arange(len(arrays) + 1) * len(points))
    return points, Members(offsets, keys % len(points), count)


def read_points(rows: object, name: str) -> np.ndarray:
    """A float64 array where that is exact, otherwise an object array of Fractions, of shape (points, dim), both >= 1."""
    try:
        array = np.asarray(rows)
        if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
            array = np.asarray(rows, dtype=object)
    except (ValueError, TypeError):
        raise InputError(f"{name}: expected rows of equal length, found ragged ones") from None
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(f"{name}: expected an array of shape (points >= 1, dimension >= 1), found shape {array.shape}")
    if array.dtype.kind == "f" or (array.dtype.kind in "iub" and np.abs(array.astype(np.float64)).max() < 2.0**53):
        array = array.astype(np.float64)
        bad = np.argwhere(~np.isfinite(array))
        if len(bad):
            i, k = bad[0]
            raise InputError(f"{name}, row {i}, coordinate {k}: expected a finite number, found {array[i, k]}")
        return array
    out = np.empty(array.shape, dtype=object)
    for (i, k), value in np.ndenumerate(array):
        try:
            out[i, k] = exact(value.item() if isinstance(value, np.generic) else value)
        except InputError as error:
            raise InputError(f"{name}, row {i}, coordinate {k}: {error}") from None
    return out


def label_point(label: int, dimension: int) -> Vector:
    """The target that stands for an integer label."""
    return (Fraction(label), *(Fraction(0) for _ in range(dimension - 1)))


def _read_targets(targets: Collection, expected: int, dimension: int) -> list[tuple[Vector, ...]]:
    if len(targets) != expected:
        raise InputError(f"targets: expected {expected}, one for each sequence, found {len(targets)}")
    if all(isinstance(label, int | np.integer) and not isinstance(label, bool) for label in targets):
        return [(label_point(int(label), dimension),) for label in targets]
    sets = []
    for j, rows in enumerate(targets):
        array = read_points(rows, f"target of sequence {j}")
        if array.shape[1] != dimension:
            raise InputError(f"target of sequence {j}: expected points of dimension {dimension}, found {array.shape[1]}")
        sets.append(tuple(dict.fromkeys(tuple(exact(value) for value in row) for row in array)))
    return sets


def _distinct_sequences(members: Members, targets: list[tuple[Vector, ...]]) -> list[int]:
    divisor = np.gcd.reduceat(members.count, members.offsets[:-1])
    share = members.count // np.repeat(divisor, np.diff(members.offsets))
    first: dict[tuple[bytes, bytes], int] = {}
    for j in range(len(members)):
        part = slice(members.offsets[j], members.offsets[j + 1])
        i = first.setdefault((members.token[part].tobytes(), share[part].tobytes()), j)
        if i != j and set(targets[i]) != set(targets[j]):
            raise InputError(f"sequences {i} and {j}: equal as normalised multisets, but with different targets")
    return list(first.values())


def _unique_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows and, for each row, which one it is; rows are grouped by a hash, then compared."""
    bits = np.ascontiguousarray(rows).view(np.uint64)
    multipliers = np.random.Generator(np.random.PCG64(0)).integers(0, 2**64, rows.shape[1], dtype=np.uint64) | np.uint64(1)
    mixed = (bits ^ (bits >> np.uint64(29))) * multipliers
    _, first, identity = np.unique(mixed.sum(axis=1, dtype=np.uint64), return_index=True, return_inverse=True)
    if not np.array_equal(rows[first][identity], rows):
        return np.unique(rows, axis=0, return_inverse=True)
    return rows[first], identity
