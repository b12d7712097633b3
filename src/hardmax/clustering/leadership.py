"""What CL-1, CL-2 and CL-5 say about leaders, measured in float64 and checked in rationals."""

from itertools import pairwise

import numpy as np

from hardmax.clustering.trajectories import exact_score, exact_trajectory, model_holds, scale, squared_scale, trajectory
from hardmax.exact import rationals
from hardmax.falsify import Inputs, Instances, Outcome, Violation, compare


def _scores_of_others(tokens: np.ndarray, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Largest <A z_i, z_j> over tokens that do not coincide with token i (-inf without such a token), and <A z_i, z_i>."""
    products = np.einsum("...nd,...de,...me->...nm", tokens, A.mT, tokens)
    own = np.diagonal(products, axis1=-2, axis2=-1)
    same = (tokens[..., :, None, :] == tokens[..., None, :, :]).all(axis=-1)
    return np.where(same, -np.inf, products).max(axis=-1), own


def leaders_stay(x: Instances) -> Outcome:
    """CL-1: from its first layer as a leader on, a token's score of itself exceeds its scores of others, and it does not move.

    The left side is the larger of both failures: by how much another token is preferred, and how far the leader has moved.
    """
    run = trajectory(x)
    _layers, trials, tokens = run.leads.shape
    led = np.maximum.accumulate(run.leads, axis=0)
    first = run.leads.argmax(axis=0)
    at_first = run.tokens[first, np.arange(trials)[:, None], np.arange(tokens)]
    moved = np.abs(run.tokens - at_first).max(axis=-1) / scale(x)[:, None]
    others, own = _scores_of_others(run.tokens, x["A"])
    failure = np.maximum((others - own) / squared_scale(x)[:, None], np.where(moved > 0, moved, -np.inf))
    measured = np.where(led, failure, -np.inf).transpose(1, 0, 2)
    return compare(measured, "<", 0.0, tie=run.tied.any(axis=(0, 2)))


def leaders_stay_exactly(inputs: Inputs) -> Violation | None:
    """CL-1 in rationals: a leader that moved (left: the squared distance), or that prefers another token (left: its score)."""
    if not model_holds(inputs):
        return None
    A = rationals(inputs["A"])
    run = exact_trajectory(inputs)
    for layer, (old, new) in enumerate(pairwise(run), start=1):
        for token in old.leaders:
            now, x = new.tokens[token], new.tokens
            moved = sum((a - b) ** 2 for a, b in zip(now, old.tokens[token], strict=True))
            if moved:
                return Violation(moved, "==", 0, layer, token, len(new.sets[token]) > 1)
            if token not in new.leaders:
                best = max(exact_score(now, A, other) for other in x if other != now)
                return Violation(best, "<", exact_score(now, A, now), layer, token, len(new.sets[token]) > 1)
    return None


def largest_lead(x: Instances) -> Outcome:
    """CL-2: a token of largest A-norm scores itself higher than any token that does not coincide with it, at every layer."""
    run = trajectory(x)
    others, own = _scores_of_others(run.tokens, x["A"])
    largest = own == own.max(axis=-1, keepdims=True)
    left = np.where(largest, others, -np.inf).transpose(1, 0, 2)
    size = squared_scale(x)[:, None, None]
    return compare(left, "<", own.transpose(1, 0, 2), size, tie=largest.sum(axis=-1).max(axis=0) > 1)


def largest_lead_exactly(inputs: Inputs) -> Violation | None:
    """CL-2 in rationals: left is the largest score of a token elsewhere, right the token's score of itself."""
    if not model_holds(inputs):
        return None
    A = rationals(inputs["A"])
    for layer, (x, sets, lead) in enumerate(exact_trajectory(inputs)):
        norms = [exact_score(row, A, row) for row in x]
        for token, norm in enumerate(norms):
            if norm == max(norms) and token not in lead:
                best = max(exact_score(x[token], A, x[j]) for j in range(len(x)) if x[j] != x[token])
                return Violation(best, "<", norm, layer, token, len(sets[token]) > 1)
    return None


def converging_layers(x: Instances, accuracy: float = 1e-11) -> int:
    """Layers n such that (1 - alpha/(1 + alpha))^(n/2) is at most `accuracy` for the slowest of the trials: n/2 to settle, n/2 to converge."""
    share = float((x["alpha"] / (1 + x["alpha"])).min())
    return 2 * int(np.ceil(np.log(accuracy) / np.log1p(-share)))


def leaders_become_final(x: Instances) -> Outcome:
    """CL-5: no leader is lost, and none emerges in the second half of a run that is long against the slowest convergence.

    The left side is by how much a token that leads at the end, but not at half of the run, scores itself above all others (no more than its
    distance from an earlier leader), or by how much a token that led once is beaten at the end. In float64, tokens merge with a leader within
    rounding, or arrive at a face whose vertices score the same: there the last bit decides who leads, by a margin that is rounding too.
    """
    layers = converging_layers(x)
    run = trajectory(x, layers)
    settled, at_end = run.leads[layers // 2], run.leads[-1]
    late, lost = at_end & ~settled, run.leads.any(axis=0) & ~at_end
    others, own = _scores_of_others(run.tokens[-1], x["A"])
    ahead = (own - others) / squared_scale(x)[:, None]
    gaps = np.abs(run.tokens[-1][:, :, None] - run.tokens[layers // 2][:, None]).max(axis=-1)
    nearest = np.where(settled[:, None], gaps, np.inf).min(axis=-1) / scale(x)[:, None]
    measured = np.where(late, np.minimum(ahead, nearest), np.where(lost, np.maximum(-ahead, 0.0), 0.0))
    return compare(measured[:, None], "<=", 0.0, tie=run.tied.any(axis=(0, 2)), first_step=layers // 2)


def leaders_become_final_exactly(inputs: Inputs) -> Violation | None:
    """CL-5 in rationals: a leader lost. That some set is final follows then, since there are finitely many tokens."""
    if not model_holds(inputs):
        return None
    run = exact_trajectory(inputs)
    for layer, (old, new) in enumerate(pairwise(run)):
        lost = [token for token in old.leaders if token not in new.leaders]
        if lost:
            return Violation(len(new.leaders), ">=", len(old.leaders), layer + 1, lost[0], len(new.sets[lost[0]]) > 1)
    return None
