"""Separation of the sequences' means by increasing piecewise-linear functions of s = <w, x> + shift."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, count, islice, pairwise

import numpy as np
from jaxtyping import Shaped

from hardmax.interpolation.problem import Members, Problem

Kink = tuple[Fraction, Fraction]
SLOPES = tuple(Fraction(a) for a in ("1", "1/2", "2", "3/4", "3/2", "3", "5/4", "5"))
CANDIDATES = 24


@dataclass
class Projection:
    """The pooled tokens' values of s: integers over one denominator; what every later step needs of the tokens.

    Attributes:
        values: integers, one a token of the pool.
        denominator: s = values / denominator.
    """

    values: Shaped[np.ndarray, " points"]
    denominator: int

    def __getitem__(self, token: int) -> Fraction:
        return Fraction(int(self.values[token]), self.denominator)

    @property
    def least(self) -> Fraction:
        """Least value of s."""
        return Fraction(min(self.values), self.denominator)

    @property
    def largest(self) -> Fraction:
        """Largest value of s."""
        return Fraction(max(self.values), self.denominator)

    def means(self, members: Members) -> list[Fraction]:
        """Mean of each sequence, with multiplicities."""
        sums = np.add.reduceat(self.values[members.token] * members.count.astype(object), members.offsets[:-1])
        return [Fraction(s, int(n) * self.denominator) for s, n in zip(sums, members.totals, strict=True)]

    def bent(self, kinks: list[Kink]) -> "Projection":
        """s + sum of a relu(s - c) over the kinks (c, a)."""
        scale = math.lcm(*(a.denominator for _, a in kinks))
        values = self.values * scale
        for c, a in kinks:
            over = np.maximum(self.values - int(c * self.denominator), 0)
            values = values + over * int(a * scale)
        return Projection(values, self.denominator * scale)


@dataclass
class Separation:
    """Kinks (c, a) to add: first whole blocks of four, then up to three for the line block; and the outcome.

    Attributes:
        projection: s after all kinks.
        means: distinct means of the sequences after all kinks.
        blocks: kinks of each block before the line block, in terms of s at that block's input.
        line: kinks of the line block.
    """

    projection: Projection
    means: list[Fraction]
    blocks: list[list[Kink]] = field(default_factory=list)
    line: list[Kink] = field(default_factory=list)


def separate_means(problem: Problem, start: Projection) -> Separation:
    """Bend s until the means of all sequences differ; no kink is needed if they do already."""
    members = problem.members
    out = Separation(projection=start, means=start.means(members))
    while len(set(out.means)) < len(out.means):
        before = out.projection
        kinks: list[Kink] = []
        while len(kinks) < 4 and len(set(out.means)) < len(out.means):
            c, a, out.means = _best_kink(before, members, out.means)
            kinks.append((c, a))
        out.projection = before.bent(kinks)
        if len(kinks) == 4:
            out.blocks.append(kinks)
        else:
            out.line = kinks
    return out


def _best_kink(s: Projection, members: Members, means: list[Fraction]) -> tuple[Fraction, Fraction, list[Fraction]]:
    """A kink among the tokens' values that splits the most classes of equal means, and the means it leads to."""
    classes: dict[Fraction, list[int]] = {}
    for j, mean in enumerate(means):
        classes.setdefault(mean, []).append(j)
    largest = max(classes.values(), key=len)
    tokens = np.concatenate([members.token[members.offsets[j] : members.offsets[j + 1]] for j in largest])
    values = sorted(set(s.values[tokens].tolist()))[:-1]
    sample = values[:: max(1, len(values) // CANDIDATES)]
    best, most = values[0], len(classes)
    for chosen in (sample, values):
        for value in chosen:
            split = len(set(zip(means, _excess(s, members, value), strict=True)))
            if split > most:
                best, most = value, split
        if most > len(classes):
            break
    excess = _excess(s, members, best)
    a, bent = max(islice(_clean_slopes(means, excess), 3), key=lambda option: _least_gap(option[1]))
    return Fraction(best, s.denominator), a, bent


def _excess(s: Projection, members: Members, value: int) -> list[Fraction]:
    """Mean of relu(s - c) of each sequence."""
    return Projection(np.maximum(s.values - value, 0), s.denominator).means(members)


def _clean_slopes(means: list[Fraction], excess: list[Fraction]) -> Iterator[tuple[Fraction, list[Fraction]]]:
    """Slopes a > 0 for which mean + a excess merges no two distinct means, with the new means: all but finitely many a."""
    distinct = len(set(zip(means, excess, strict=True)))
    for a in chain(SLOPES, (Fraction(n, 7) for n in count(1))):
        bent = [m + a * e for m, e in zip(means, excess, strict=True)]
        if len(set(bent)) == distinct:
            yield a, bent


def _least_gap(values: list[Fraction]) -> Fraction:
    return min((b - a for a, b in pairwise(sorted(set(values)))), default=Fraction(0))
