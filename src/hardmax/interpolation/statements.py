"""Statements IN-1 to IN-7 for the search for counterexamples.

What IN-1, IN-2 and IN-3 leave out is when sequences can be told apart at all: any such network sees a sequence as its normalised
multiset, so {x} and {x, x} are one sequence to it. Their amendment says so.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from hardmax.falsify import Inputs, Instances, Outcome, Statement, Violation, compare
from hardmax.interpolation.build import interpolate
from hardmax.interpolation.certificate import certify
from hardmax.interpolation.complexity import compact_depth_bound, extra_blocks, paper_depth, rank
from hardmax.interpolation.network import Network
from hardmax.interpolation.ridge import IN5, IN6, PAPER
from hardmax.interpolation.trials import FORMS, families, small_sets


def as_points(rows: Any) -> list[tuple[Fraction, ...]]:
    """Rows as tuples of rationals."""
    return [tuple(Fraction(value) for value in row) for row in rows]


def normalised(tokens: Any) -> frozenset:
    """The normalised multiset: distinct tokens with their shares."""
    rows = as_points(tokens)
    return frozenset((row, Fraction(rows.count(row), len(rows))) for row in set(rows))


def confusable(sequences: Any, targets: Any) -> int:
    """How many sequences every network of this kind must get wrong: those equal to an earlier one with other targets."""
    first: dict[frozenset, frozenset] = {}
    wrong = 0
    for tokens, goal in zip(sequences, targets, strict=True):
        points = frozenset(as_points(goal))
        wrong += first.setdefault(normalised(tokens), points) != points
    return wrong


def distinct_sequences(sequences: Any, targets: Any) -> bool:
    """No two sequences have the same tokens with the same multiplicities; targets no more than distinct tokens; d >= 2."""
    multisets = {tuple(sorted(as_points(tokens))) for tokens in sequences}
    enough = all(len(set(as_points(y))) <= len(set(as_points(x))) for x, y in zip(sequences, targets, strict=True))
    return len(multisets) == len(sequences) and enough and len(sequences[0][0]) >= 2


def built(sequences: Any, targets: Any) -> tuple[Network | None, int]:
    """The compact network and the number of sequences it gets wrong; no network, and the least number, where none is exact."""
    wrong = confusable(sequences, targets)
    if wrong:
        return None, wrong
    net = interpolate(sequences, targets)
    return net, len(certify(net, sequences, targets).failures)


def checks(claim: str, sequences: Any, targets: Any) -> list[tuple[int, int]]:
    """The claim's inequalities left <= right: sequences interpolated wrongly <= 0, then its sizes."""
    net, wrong = built(sequences, targets)
    if net is None:
        return [(wrong, 0)]
    counts = [len(set(as_points(y))) for y in targets]
    total, n, d = sum(counts), len(counts), net.dimension
    attention = [block for block in net.blocks if block.V is not None]
    uniform = sum(block.B is not None for block in attention)
    sizes = {
        "IN-1": [(net.depth, 4 * n + 1), (net.parameter_count, 8 * d * (n + 1))],
        "IN-2": [(net.depth, paper_depth(counts)), (net.parameter_count, 8 * d * (total + 1))],
        "IN-3": [(net.depth, paper_depth(counts, softmax=True)), (uniform, 0)],
        "IN-4": [(max(rank(block.V) for block in attention if block.V is not None), 1), (uniform, 0)],
        "IN-7": [
            (net.depth, compact_depth_bound(counts) + extra_blocks(net.blocks)),
            (net.parameter_count, 2 * d * total + 3 * total + 4 * d + 8 + 8 * extra_blocks(net.blocks)),
            (uniform, 0),
        ],
    }
    return [(wrong, 0), *sizes[claim]]


def conclusion(claim: str) -> Any:
    """Batched check: where the claim's inequalities come closest to failing."""

    def check(instances: Instances) -> Outcome:
        found = [checks(claim, *pair) for pair in zip(*(instances[key] for key in FORMS), strict=True)]
        width = max(map(len, found))
        left, right = (
            np.array([[pair[side] for pair in row] + [-np.inf if side == 0 else 0] * (width - len(row)) for row in found], float)
            for side in (0, 1)
        )
        return compare(left, "<=", right, scale=np.maximum(1, right))

    return check


def exact_check(claim: str, met: Any) -> Any:
    """One configuration, rationals throughout."""

    def check(inputs: Inputs) -> Violation | None:
        sequences, targets = (inputs[key] for key in FORMS)
        if not well_formed(sequences, targets) or not met(sequences, targets):
            return None
        for left, right in checks(claim, sequences, targets):
            if left > right:
                return Violation(left, "<=", right)
        return None

    return check


def well_formed(sequences: Any, targets: Any) -> bool:
    """Rows of one dimension, no empty sequence or target."""
    rows = [row for group in (*sequences, *targets) for row in group]
    full = all(len(group) for group in (*sequences, *targets)) and len(sequences) == len(targets) > 0
    return full and len({len(row) for row in rows}) == 1


def hypothesis(met: Any) -> Any:
    """A batched hypothesis from one on a configuration."""
    return lambda instances: np.array([met(*pair) for pair in zip(*(instances[key] for key in FORMS), strict=True)], dtype=bool)


def separable(sequences: Any, targets: Any) -> bool:
    """The hypothesis of the amendment: as written, and equal normalised multisets have equal targets. Any d >= 1."""
    enough = all(len(set(as_points(y))) <= len(set(as_points(x))) for x, y in zip(sequences, targets, strict=True))
    return enough and confusable(sequences, targets) == 0


def one_target(met: Any) -> Any:
    """Classification: one target a sequence."""
    return lambda sequences, targets: all(len(set(as_points(y))) == 1 for y in targets) and met(sequences, targets)


def statement(claim: str, text: str, amended: str | None, most_targets: int) -> Statement:
    """A claim about interpolation; with `amended`, also its amendment for sequences that can be told apart, in any dimension."""

    def met(hypothesis_met: Any) -> Any:
        return hypothesis_met if most_targets > 1 else one_target(hypothesis_met)

    words = "sequences distinct as multisets, no more targets than distinct tokens, d >= 2"
    telling = "no more targets than distinct tokens, equal normalised multisets have equal target sets"
    written = met(distinct_sequences if amended else separable)
    base = Statement(
        claim=claim,
        paper=PAPER,
        text=text,
        hypotheses={words if amended else telling: hypothesis(written)},
        families=families(most_targets, 2 if amended else 1),
        conclusion=conclusion(claim),
        exact=exact_check(claim, written),
        strategy=small_sets(most_targets),
    )
    if amended is None:
        return base
    change = base.amended(
        "amendment-1",
        amended,
        hypotheses={telling: hypothesis(met(separable))},
        families=families(most_targets, 1),
        exact=exact_check(claim, met(separable)),
    )
    return replace(base, amendments=(change,))


IN1 = statement(
    "IN-1",
    "N labelled sequences of any lengths are classified perfectly with O(N) blocks and O(N d) parameters.",
    "N labelled sequences, different as normalised multisets where their labels differ, are classified perfectly with at most 4 N + 1 "
    "blocks and 8 d (N + 1) parameters, for every d >= 1.",
    1,
)
IN2 = statement(
    "IN-2",
    "With hardmax, N sequences are interpolated exactly with 2 sum(m_j) + 2 N + 1 blocks and O(d sum(m_j)) parameters, whatever the lengths.",
    "With hardmax, N sequences, different as normalised multisets where their target sets differ, are interpolated exactly with at most "
    "2 sum(m_j) + 2 N + 1 blocks and 8 d (sum(m_j) + 1) parameters, whatever the lengths, for every d >= 1.",
    3,
)
IN3 = statement(
    "IN-3",
    "With softmax, N sequences are interpolated exactly with 2 sum(m_j) + 3 N blocks.",
    "With softmax at any temperature, N sequences, different as normalised multisets where their target sets differ, are interpolated exactly "
    "with at most 2 sum(m_j) + 3 N blocks, for every d >= 1.",
    3,
)
IN4 = statement("IN-4", "Attention matrices of low rank suffice for exact interpolation (tried: rank one for V, zero for B).", None, 3)
IN7 = statement(
    "IN-7",
    "The compact construction is exact for hardmax and softmax at every temperature, with at most 1 + ceil(sum(m_j) / 2) blocks, "
    "1 + ceil(N / 4) if all m_j = 1, those for kinks beyond the third not counted, and 2 d sum(m_j) + O(sum(m_j) + d) parameters.",
    None,
    3,
)

STATEMENTS: dict[str, Statement] = {s.claim: s for s in (IN1, IN2, IN3, IN4, IN5, IN6, IN7)}
