"""Leader averaging of many small clouds, compiled: a token that follows a leader follows it for ever.

Let A be symmetric positive definite and token i follow a leader v at some layer: <A z_i, v> >= <A z_i, w> for all tokens w, and
<A v, v> > <A v, w> for w != v. One layer on, v stands where it was, z_i' lies between z_i and v, and every token w' is in the hull of the
old ones. So <A z_i', v - w'> > 0 or w' = v: token i follows v again, and v still leads. Such a token is settled, and only
its last step, towards v, is left to apply; scores are computed for the others alone. That is why this is no rule of `hardmax.dynamics`:
a rule sees the tokens of one layer, and does not know which have settled. Followed sets are those of the rule for ties in
`hardmax.attention`; the shortcut can differ from it only where rounding has turned a hull inside out, which the tests look for in vain.

What holds for CL-1 by this theorem must not be tested with this module: `hardmax.attention.leaders` assumes nothing.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from hardmax.compilation import njit
from hardmax.errors import InputError
from hardmax.geometry.exposed import exposed_means
from hardmax.geometry.plane import mean_of
from hardmax.geometry.projections import square_root
from hardmax.geometry.queries import maximisers

_NEVER = -1


class Settled(NamedTuple):
    """Where leader averaging takes each cloud.

    Attributes:
        tokens: positions after the last layer, shape (clouds, tokens, dim).
        leads_from: first layer at which a token is a leader, from which it is one for ever; -1 for never. Shape (clouds, tokens).
        settles_at: first layer at which a token follows a single leader (its own first layer, for a leader); -1 for not within these layers.
        follows: lowest index of a token followed at the last layer looked at, `layers - 1` (the final leader, once settled).
    """

    tokens: Float[np.ndarray, "clouds tokens dim"]
    leads_from: Int[np.ndarray, "clouds tokens"]
    settles_at: Int[np.ndarray, "clouds tokens"]
    follows: Int[np.ndarray, "clouds tokens"]


@njit
def _transposed(points: np.ndarray) -> np.ndarray:
    columns = np.empty((points.shape[1], points.shape[0]))
    for i in range(points.shape[0]):
        for k in range(points.shape[1]):
            columns[k, i] = points[i, k]
    return columns


@njit
def _query(A: np.ndarray, token: np.ndarray, query: np.ndarray) -> None:
    """A z, summed in the order of `hardmax.attention.queries`."""
    for row in range(token.size):
        total = token[0] * A[row, 0]
        for k in range(1, token.size):
            total += token[k] * A[row, k]
        query[row] = total


@njit(fastmath={"nnan", "nsz"})
def _largest(values: np.ndarray) -> float:
    best = values[0]
    for value in values:
        best = max(best, value)
    return best


@njit
def _best_by_scores(columns: np.ndarray, query: np.ndarray, radius: float, products: np.ndarray) -> int:
    """The token of largest score, or -1 where rounding leaves it in doubt."""
    dim, tokens = columns.shape
    products[:] = 0.0
    paired = dim - dim % 4
    for k in range(0, paired, 4):
        a, b, c, d = query[k], query[k + 1], query[k + 2], query[k + 3]
        for j in range(tokens):
            products[j] += (a * columns[k, j] + b * columns[k + 1, j]) + (c * columns[k + 2, j] + d * columns[k + 3, j])
    for k in range(paired, dim):
        a = query[k]
        for j in range(tokens):
            products[j] += a * columns[k, j]
    size = 0.0
    for k in range(dim):
        size += query[k] * query[k]
    least = _largest(products) - 2.0 * (dim + 4) * 2.0**-52 * np.sqrt(size) * radius - 1e-280
    near = 0
    first = 0
    for j in range(tokens):
        if products[j] >= least:
            near += 1
            first = j
    return first if near == 1 else -1


@njit
def _radius(points: np.ndarray) -> float:
    largest = 0.0
    for i in range(points.shape[0]):
        size = 0.0
        for k in range(points.shape[1]):
            size += points[i, k] * points[i, k]
        largest = max(largest, size)
    return np.sqrt(largest)


@njit
def _follow(points: np.ndarray, counts: np.ndarray, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means, first followed tokens and ties of some queries: through the hull for many in the plane, else through the scores."""
    tokens, dim = points.shape
    rows = queries.shape[0]
    if dim == 2 and rows > 8:
        return exposed_means(points, counts, queries)
    means = np.empty((rows, dim))
    first = np.empty(rows, np.int64)
    tied = np.zeros(rows, np.bool_)
    columns = _transposed(points)
    products = np.empty(tokens)
    face = np.empty(tokens, np.int64)
    radius = _radius(points)
    for row in range(rows):
        first[row] = _best_by_scores(columns, queries[row], radius, products)
        if first[row] < 0:
            size, tied[row] = maximisers(points, counts, queries[row], face)
            first[row] = face[0]
            if tied[row]:
                mean_of(points, counts, face[:size], means[row])
                continue
        for k in range(dim):
            means[row, k] = points[first[row], k]
    return means, first, tied


@njit
def _settle_cloud(
    points: np.ndarray,
    counts: np.ndarray,
    A: np.ndarray,
    identity: bool,
    gamma: float,
    layers: int,
    leads_from: np.ndarray,
    settles_at: np.ndarray,
    follows: np.ndarray,
) -> None:
    tokens, dim = points.shape
    targets = np.empty((tokens, dim))
    flat_points, flat_targets = points.reshape(tokens * dim), targets.reshape(tokens * dim)
    queries = np.empty((tokens, dim))
    open_tokens = np.arange(tokens)
    still_open = tokens
    for t in range(layers):
        if still_open > 0:
            for row in range(still_open):
                token = open_tokens[row]
                if not identity:
                    _query(A, points[token], queries[row])
                    continue
                for k in range(dim):
                    queries[row, k] = points[token, k]
            means, first, tied = _follow(points, counts, queries[:still_open])
            for row in range(still_open):
                token = open_tokens[row]
                follows[token] = first[row]
                same = not tied[row]
                for k in range(dim):
                    targets[token, k] = means[row, k]
                    same = same and means[row, k] == points[token, k]
                if same:
                    leads_from[token] = t
            left = 0
            for row in range(still_open):
                token = open_tokens[row]
                if not tied[row] and leads_from[first[row]] != _NEVER:
                    settles_at[token] = t
                else:
                    open_tokens[left] = token
                    left += 1
            still_open = left
        for entry in range(flat_points.size):
            flat_points[entry] += gamma * (flat_targets[entry] - flat_points[entry])


@njit
def _settle_clouds(
    x: np.ndarray, counts: np.ndarray, A: np.ndarray, identity: bool, gamma: float, layers: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    clouds, tokens, dim = x.shape
    moved = x.copy()
    leads_from = np.full((clouds, tokens), _NEVER)
    settles_at = np.full((clouds, tokens), _NEVER)
    follows = np.empty((clouds, tokens), np.int64)
    present = np.empty(tokens, np.int64)
    for cloud in range(clouds):
        size = 0
        for i in range(tokens):
            follows[cloud, i] = i
            if counts[cloud, i] > 0.0:
                present[size] = i
                size += 1
        points = np.empty((size, dim))
        weights = np.empty(size)
        leads = np.full(size, _NEVER)
        settles = np.full(size, _NEVER)
        followed = np.arange(size)
        for i in range(size):
            weights[i] = counts[cloud, present[i]]
            for k in range(dim):
                points[i, k] = x[cloud, present[i], k]
        _settle_cloud(points, weights, A, identity, gamma, layers, leads, settles, followed)
        for i in range(size):
            leads_from[cloud, present[i]] = leads[i]
            settles_at[cloud, present[i]] = settles[i]
            follows[cloud, present[i]] = present[followed[i]]
            for k in range(dim):
                moved[cloud, present[i], k] = points[i, k]
    return moved, leads_from, settles_at, follows


def settle(
    x: Float[np.ndarray, "clouds tokens dim"],
    alpha: float,
    layers: int,
    A: Float[np.ndarray, "dim dim"] | None = None,
    counts: Float[np.ndarray, "clouds tokens"] | None = None,
) -> Settled:
    """Leader averaging, z <- z + alpha/(1 + alpha) (mean of followed - z), of each cloud for some layers, in float64.

    Args:
        x: tokens as rows, shape (clouds, tokens, dim).
        alpha: residual weight, positive.
        layers: how many layers.
        A: symmetric positive definite; the identity for None.
        counts: how often each token occurs, 0 for an absent one, which stays; once each for None.

    Raises:
        InputError: shapes that do not fit, a coordinate that is not finite, a bad alpha, A, count or number of layers.
    """
    if not 0 < alpha < float("inf"):
        raise InputError(f"alpha: expected a positive finite number, found {alpha}")
    if layers < 0:
        raise InputError(f"layers: expected an integer of at least 0, found {layers}")
    tokens = np.ascontiguousarray(x, dtype=np.float64)
    if tokens.ndim != 3 or not (np.isfinite(tokens.sum()) or np.isfinite(tokens).all()):
        raise InputError(
            f"tokens: expected finite coordinates of shape (clouds, tokens, dim), found shape {tokens.shape} or an infinite one"
        )
    square_root(A, tokens.shape[2])
    matrix = np.eye(tokens.shape[2]) if A is None else np.ascontiguousarray(A, dtype=np.float64)
    weights = np.ones(tokens.shape[:2]) if counts is None else np.ascontiguousarray(counts, dtype=np.float64)
    if weights.shape != tokens.shape[:2] or (weights < 0).any():
        raise InputError(f"counts: expected shape {tokens.shape[:2]} and at least 0, found shape {weights.shape}, least {weights.min()}")
    return Settled(*_settle_clouds(tokens, weights, matrix, A is None, alpha / (1 + alpha), layers))
