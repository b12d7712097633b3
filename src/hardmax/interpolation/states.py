"""Token states in two arithmetics: exact rationals (integers over one denominator a row) and float64."""

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from flint import fmpq
from jaxtyping import Float, Shaped

from hardmax.interpolation.block import Block, over_one_denominator, rounded
from hardmax.interpolation.problem import Members
from hardmax.interpolation.rationals import ratio

S = TypeVar("S", bound="States")


class States(ABC):
    """Token states in some arithmetic, one a row."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def take(self, rows: np.ndarray) -> Any:
        """Copy of some rows."""

    @abstractmethod
    def put(self, rows: np.ndarray, states: Any) -> None:
        """Replace some rows."""

    @abstractmethod
    def feed_forward(self, block: Block) -> Any:
        """The block's feed-forward layer on every row."""

    @abstractmethod
    def attention(self, block: Block, members: Members) -> Any:
        """The block's attention on every member; one row a sequence where rho = 0 and attention is uniform."""

    @abstractmethod
    def positions(self, direction: np.ndarray) -> Float[np.ndarray, " rows"]:
        """<direction, x> in float64."""


class ExactStates(States):
    """Rows numerators[i] / denominators[i], in lowest terms, so equal points have equal rows."""

    def __init__(self, numerators: Shaped[np.ndarray, "rows dim"], denominators: Shaped[np.ndarray, " rows"]):
        divisor = np.gcd(np.gcd.reduce(numerators, axis=1), denominators)
        self.numerators = numerators // divisor[:, None]
        self.denominators = denominators // divisor

    def __len__(self) -> int:
        return len(self.denominators)

    def take(self, rows: np.ndarray) -> "ExactStates":
        out = object.__new__(ExactStates)
        out.numerators, out.denominators = self.numerators[rows], self.denominators[rows]
        return out

    def put(self, rows: np.ndarray, states: "ExactStates") -> None:
        self.numerators[rows], self.denominators[rows] = states.numerators, states.denominators

    def keys(self) -> list[tuple[int, ...]]:
        """Hashable rows, equal exactly when the points are."""
        return [(*row, d) for row, d in zip(self.numerators.tolist(), self.denominators.tolist(), strict=True)]

    def floats(self) -> Float[np.ndarray, "rows dim"]:
        """The nearest float64 points."""
        return np.array([[ratio(n, d) for n in row] for *row, d in self.keys()], dtype=np.float64)

    def fractions(self) -> Shaped[np.ndarray, "rows dim"]:
        """The points as an object array of Fractions."""
        out = np.empty(self.numerators.shape, dtype=object)
        for (i, k), n in np.ndenumerate(self.numerators):
            out[i, k] = Fraction(n, self.denominators[i])
        return out

    def largest(self) -> float:
        """Largest absolute coordinate."""
        return max(map(ratio, np.abs(self.numerators).max(axis=1).tolist(), self.denominators.tolist()))

    def heights(self, direction: np.ndarray) -> set[fmpq]:
        """The distinct values of <direction, x>."""
        d, q = over_one_denominator(direction)
        return set(map(fmpq, (self.numerators @ d).tolist(), (self.denominators * q).tolist()))

    def positions(self, direction: np.ndarray) -> Float[np.ndarray, " rows"]:
        """<direction, x> rounded to float64, monotonically."""
        d, q = over_one_denominator(direction)
        heights = self.numerators @ d
        return np.array([ratio(n, q * m) for n, m in zip(heights.tolist(), self.denominators.tolist(), strict=True)])

    def feed_forward(self, block: Block) -> "ExactStates":
        out = self.numerators * block.eta.numerator
        scale = self.denominators * block.eta.denominator
        if not block.neurons:
            return ExactStates(out, scale)
        (stacked, q), (weights, r) = block.integers
        active = np.maximum(self.numerators @ stacked[:, :-1].T + self.denominators[:, None] * stacked[:, -1], 0)
        return ExactStates(out * (q * r) + active @ weights.T * block.eta.denominator, scale * (q * r))

    def attention(self, block: Block, members: Members) -> "ExactStates":
        assert block.V is not None
        V, q = over_one_denominator(block.V)
        own = self.take(members.token)
        starts = members.offsets[:-1]
        common = np.lcm.reduceat(own.denominators, starts)
        owner = members.sequence
        scaled = own.numerators * (common[owner] // own.denominators)[:, None]
        counts = members.count.astype(object)
        rho = block.rho
        if block.B is None:
            mean = np.add.reduceat(scaled * counts[:, None], starts, axis=0) @ V.T
            weight = common * np.add.reduceat(counts, starts) * q
            if not rho:
                return ExactStates(mean, weight)
            mean, weight = mean[owner], weight[owner]
        else:
            B, _ = over_one_denominator(block.B)
            leaders, totals = _leader_sums(scaled, counts, scaled @ B.T, members)
            mean, weight = leaders @ V.T, totals * common[owner] * q
        top = own.numerators * (weight * rho.numerator)[:, None] + mean * (own.denominators * rho.denominator)[:, None]
        return ExactStates(top, own.denominators * weight * rho.denominator)


class FloatStates(States):
    """Rows in float64, evaluated by the same formulas with the block's parameters rounded to nearest."""

    def __init__(self, values: Float[np.ndarray, "rows dim"]):
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: np.ndarray) -> "FloatStates":
        return FloatStates(self.values[rows])

    def put(self, rows: np.ndarray, states: "FloatStates") -> None:
        self.values[rows] = states.values

    def positions(self, direction: np.ndarray) -> Float[np.ndarray, " rows"]:
        return self.values @ rounded(direction)

    def feed_forward(self, block: Block) -> "FloatStates":
        eta, W, U, b = block.floats
        return FloatStates(eta * self.values + np.maximum(self.values @ U.T + b, 0) @ W.T)

    def attention(self, block: Block, members: Members) -> "FloatStates":
        assert block.V is not None
        V, rho = rounded(block.V), ratio(block.rho.numerator, block.rho.denominator)
        own = self.values[members.token]
        if block.B is None:
            total = np.add.reduceat(own * members.count[:, None], members.offsets[:-1], axis=0)
            mean = total / members.totals[:, None] @ V.T
            return FloatStates(rho * own + mean[members.sequence] if rho else mean)
        leaders, totals = _leader_sums(own, members.count, own @ rounded(block.B).T, members)
        return FloatStates(rho * own + leaders / totals[:, None] @ V.T)


def _leader_sums(values: np.ndarray, counts: np.ndarray, keys: np.ndarray, members: Members) -> tuple[np.ndarray, np.ndarray]:
    """Sum over each token's leaders, the maximisers of <Bx, .> in its sequence, and their number, multiplicities counted."""
    sums, totals = np.empty_like(values), np.empty_like(counts)
    for start, stop in zip(members.offsets[:-1], members.offsets[1:], strict=True):
        part = slice(start, stop)
        scores = keys[part] @ values[part].T
        leading = (scores == scores.max(axis=1, keepdims=True)) * counts[part]
        sums[part], totals[part] = leading @ values[part], leading.sum(axis=1)
    return sums, totals
