"""The integer direction w that tells all tokens apart, chosen for wide gaps between the sequences' means."""

import numpy as np
from jaxtyping import Float

from hardmax.interpolation.problem import Problem
from hardmax.interpolation.rationals import nearest_float

Direction = tuple[int, ...]
RANDOM_DIRECTIONS = 160
REFINED = 16
ROWS_AT_ONCE = 20_000


def choose_direction(problem: Problem, rng: np.random.Generator) -> Direction:
    """An integer direction with <w, x> distinct over the distinct tokens.

    Coordinate axes and random directions with small coefficients are ranked by a float64 estimate of the error to come;
    the first that separates the tokens exactly is taken, else a greedily sparse one that is certain to exist.
    """
    candidates = _candidates(problem.dimension, rng)
    scores = _scores(problem, np.array(candidates, dtype=np.float64))
    order = sorted(range(len(candidates)), key=scores.__getitem__, reverse=True)
    if any(len(ys) > 1 for ys in problem.targets):
        order[:REFINED] = sorted(
            order[:REFINED], key=lambda i: (scores[i][0], scores[i][1] * _cut_gap(problem, candidates[i])), reverse=True
        )
    for i in order:
        if separates(problem, candidates[i]):
            return candidates[i]
    return _moment_direction(problem)


def separates(problem: Problem, direction: Direction) -> bool:
    """Whether <direction, x> is distinct over the distinct tokens, decided in integers."""
    values = problem.points.project(direction)
    return len(set(values.tolist())) == len(values)


def _candidates(d: int, rng: np.random.Generator) -> list[Direction]:
    """Coordinate axes of both signs, then random directions with two to four small coefficients."""
    axes = np.concatenate([np.eye(d, dtype=int), -np.eye(d, dtype=int)])
    places = np.argsort(rng.random((RANDOM_DIRECTIONS, d)), axis=1)
    sizes = 2 + np.arange(RANDOM_DIRECTIONS)[:, None] % 3
    coefficients = rng.integers(1, 4, places.shape) * rng.choice([-1, 1], places.shape)
    directions = axes if d == 1 else np.concatenate([axes, np.where(places < np.minimum(sizes, d), coefficients, 0)])
    return list(dict.fromkeys(map(tuple, directions.tolist())))


def _scores(problem: Problem, directions: Float[np.ndarray, "directions dim"]) -> list[tuple[int, float]]:
    """For each direction how many means it tells apart, and one over an estimate of the float64 error of the network."""
    points, members = problem.points.floats, problem.members
    centre = points.mean(axis=0)
    means = np.empty((len(problem), points.shape[1]))
    low, high = np.full(len(directions), np.inf), np.full(len(directions), -np.inf)
    for start in range(0, len(points), ROWS_AT_ONCE):
        s = (points[start : start + ROWS_AT_ONCE] - centre) @ directions.T
        low, high = np.minimum(low, s.min(axis=0)), np.maximum(high, s.max(axis=0))
    weights = (members.count / np.repeat(members.totals, np.diff(members.offsets)))[:, None]
    for i in range(points.shape[1]):
        column = (points[:, i] - centre[i])[members.token, None] * weights
        means[:, i] = np.add.reduceat(column[:, 0], members.offsets[:-1])
    spread = np.maximum(high - low, np.finfo(float).tiny)
    targets = np.array([[nearest_float(value) for value in y] for ys in problem.targets for y in ys])
    height = np.abs(targets).max()
    top = (targets @ directions.T).max(axis=0)
    norm = np.linalg.norm(directions, axis=1)
    dense = np.count_nonzero(directions, axis=1) > 1
    gaps = np.diff(np.sort(means @ directions.T, axis=0), axis=0)
    apart = 1 + (gaps > 1e-12 * spread).sum(axis=0)
    with np.errstate(all="ignore"):
        rounding = 2 * spread + np.where(dense, np.abs(directions).sum(axis=1) * np.abs(points).max(), 0)
        jump = np.maximum(height, 2 * top / norm)
        score = gaps.min(axis=0, initial=spread.max()) / (rounding * np.where(jump > 0, jump, spread / norm))
    return list(zip(apart.tolist(), np.nan_to_num(score, posinf=0.0).tolist(), strict=True))


def _cut_gap(problem: Problem, direction: Direction) -> float:
    """Least gap at which a sequence with m targets is cut, its (m - 1)-th widest, as a share of the range of <w, x>."""
    s = problem.points.floats @ np.array(direction, dtype=np.float64)
    least = np.inf
    for j, ys in enumerate(problem.targets):
        if len(ys) > 1:
            own = np.sort(s[problem.members.token[problem.members.offsets[j] : problem.members.offsets[j + 1]]])
            least = min(least, np.sort(np.diff(own))[1 - len(ys)])
    return float(least / max(np.ptp(s), np.finfo(float).tiny))


def _moment_direction(problem: Problem) -> Direction:
    """Coefficients 1, t, t^2, ... on a separating set of coordinates, t = 1, 2, ...; some t works, as each pair of tokens
    rules out finitely many."""
    d = problem.dimension
    columns = [problem.points.project(tuple(int(i == k) for i in range(d))).tolist() for k in range(d)]
    chosen: list[int] = []
    classes: list = [0] * len(problem.points)
    while len(set(classes)) < len(classes):
        counts = [len(set(zip(classes, column, strict=True))) for column in columns]
        best = max(range(d), key=lambda k: counts[k])
        chosen.append(best)
        number = {key: i for i, key in enumerate(dict.fromkeys(zip(classes, columns[best], strict=True)))}
        classes = [number[key] for key in zip(classes, columns[best], strict=True)]
    t = 1
    while True:
        power = {k: t**i for i, k in enumerate(chosen)}
        direction = tuple(power.get(k, 0) for k in range(d))
        if separates(problem, direction):
            return direction
        t += 1
