"""The compiled loops over one replica of the chain (SA_P): literal steps, and jumps from event to event.

All compiled functions share this file since numba's cache on disk watches a function's own file, not the files of the functions it calls.

One replica: `x0` has shape (tokens, dim), `group` (tokens,) numbers the groups from 0, `hulls` holds the points whose hull bounds
each group, those of group g at rows first[g]:first[g + 1], and token i leaves when it is farther than epsilon from its group's hull. A loop
returns (steps, events, token): token = -1 where no token left by max_time.
"""

import math

import numpy as np
from numba import njit

MANY_STEPS_A_JUMP = 0.2
"""Probability of a jump below which drawing the waiting time is cheaper than taking literal steps."""


@njit(cache=True)
def _affine_weights(gram, weights):
    """Weights of sum 1 of the point of least norm in the affine hull of points with Gram matrix `gram` (points, points).

    They solve gram w = mu 1: Gaussian elimination on gram + mean 1 1^T, which has the same solution up to its scale and is definite where
    the points are affinely independent. False where they are not, to rounding.
    """
    count = len(weights)
    shift = 0.0
    for i in range(count):
        shift += gram[i, i] / count
        weights[i] = 1.0
    a = gram + shift
    for k in range(count):
        for i in range(k + 1, count):
            if a[k, k] <= 1e-15 * shift:
                return False
            ratio = a[i, k] / a[k, k]
            for j in range(k, count):
                a[i, j] -= ratio * a[k, j]
            weights[i] -= ratio * weights[k]
    if a[count - 1, count - 1] <= 1e-15 * shift:
        return False
    total = 0.0
    for i in range(count - 1, -1, -1):
        for j in range(i + 1, count):
            weights[i] -= a[i, j] * weights[j]
        weights[i] /= a[i, i]
        total += weights[i]
    for i in range(count):
        weights[i] /= total
    return True


@njit(cache=True)
def beyond(point, hull, epsilon):
    """Whether `point` (dim,) is farther than epsilon from the convex hull of the rows of `hull` (points, dim).

    The nearest row bounds the distance from above, which answers for most tokens. Otherwise Wolfe's algorithm (Mathematical Programming
    11, 1976) moves towards the projection until its distance (from above) or a separating half-space (from below) decides.
    """
    count, dim = hull.shape
    least, nearest = np.inf, 0
    for row in range(count):
        square = 0.0
        for axis in range(dim):
            square += (point[axis] - hull[row, axis]) ** 2
        if square < least:
            least, nearest = square, row
    if math.sqrt(least) <= epsilon:
        return False
    if count == 1:
        return True
    most = min(count, dim + 2)
    support = np.empty(most, np.int64)
    weights = np.empty(most)
    affine = np.empty(most)
    gram = np.empty((most, most))
    z = np.empty(dim)
    support[0], weights[0], size = nearest, 1.0, 1
    last = np.inf
    while True:
        distance = 0.0
        for axis in range(dim):
            z[axis] = -point[axis]
            for place in range(size):
                z[axis] += weights[place] * hull[support[place], axis]
            distance += z[axis] ** 2
        distance = math.sqrt(distance)
        if distance <= epsilon:
            return False
        entering, nearer = 0, np.inf
        for row in range(count):
            product = 0.0
            for axis in range(dim):
                product += z[axis] * (hull[row, axis] - point[axis])
            if product < nearer:
                entering, nearer = row, product
        if nearer > epsilon * distance:
            return True
        if size == most or distance >= last or distance * distance - nearer <= 1e-14 * least:
            return distance > epsilon
        last = distance
        support[size], weights[size] = entering, 0.0
        size += 1
        while size > 1:
            for i in range(size):
                for j in range(size):
                    gram[i, j] = 0.0
                    for axis in range(dim):
                        gram[i, j] += (hull[support[i], axis] - point[axis]) * (hull[support[j], axis] - point[axis])
            if not _affine_weights(gram[:size, :size], affine[:size]):
                return distance > epsilon
            share, leaving = 1.0, -1
            for place in range(size):
                if affine[place] <= 1e-14:
                    limit = weights[place] / max(weights[place] - affine[place], 1e-300)
                    if leaving < 0 or limit < share:
                        share, leaving = min(limit, 1.0), place
            for place in range(size):
                weights[place] += share * (affine[place] - weights[place])
            if leaving < 0:
                break
            size -= 1
            support[leaving], weights[leaving] = support[size], weights[size]


@njit(cache=True)
def _first_beyond(x, group, hulls, first, epsilon):
    """The smallest index of a token that is out, or -1."""
    for i in range(x.shape[0]):
        g = group[i]
        if beyond(x[i], hulls[first[g] : first[g + 1]], epsilon):
            return i
    return -1


@njit(cache=True)
def _binomial(rng, trials, p):
    """A binomial draw; beyond 2^53 trials, where counts are not exact anyway, from the normal limit."""
    if trials <= 0.0 or p <= 0.0:
        return 0.0
    if p >= 1.0:
        return trials
    if trials < 2.0**53:
        return float(rng.binomial(np.int64(trials), p))
    mean = trials * p
    if mean < 1e12:
        return float(rng.poisson(mean))
    return max(0.0, np.rint(mean + math.sqrt(mean * (1.0 - p)) * rng.standard_normal()))


@njit(cache=True)
def _mixed_pick(count, size, groups):
    """Probability that in one step in which all tokens pick tokens at their own place, somebody picks another group.

    `groups[c, g]` counts the tokens of group g among the `size[c]` of cluster c < count; picks within a cluster are uniform.
    """
    log_none = 0.0
    for c in range(count):
        for g in range(groups.shape[1]):
            if 0 < groups[c, g] < size[c]:
                log_none += groups[c, g] * math.log(groups[c, g] / size[c])
    return -math.expm1(log_none) if log_none < 0.0 else 0.0


@njit(cache=True)
def _merge(x, group, tolerance, cluster, y, size, groups):
    """Cluster tokens within `tolerance` of a cluster's first token, and move them to the cluster's mean.

    Fills the cluster of each token (tokens,), and place y (clusters, dim), size and tokens of each group of each cluster; returns the
    number of clusters.
    """
    n, dim = x.shape
    count = 0
    apart = False
    for i in range(n):
        found = -1
        for c in range(count):
            square = 0.0
            for axis in range(dim):
                square += (x[i, axis] - y[c, axis]) ** 2
            if square <= tolerance * tolerance:
                found = c
                apart |= square > 0.0
                break
        if found < 0:
            found = count
            for axis in range(dim):
                y[found, axis] = x[i, axis]
            for g in range(groups.shape[1]):
                groups[found, g] = 0
            size[found] = 0
            count += 1
        cluster[i] = found
        size[found] += 1
        groups[found, group[i]] += 1
    if apart:
        for c in range(count):
            if size[c] > 1:
                for axis in range(dim):
                    shift = 0.0
                    for i in range(n):
                        if cluster[i] == c:
                            shift += x[i, axis] - y[c, axis]
                    y[c, axis] += shift / size[c]
        for i in range(n):
            for axis in range(dim):
                x[i, axis] = y[cluster[i], axis]
    return count


@njit(cache=True)
def _jump_weights(count, y, size, B, beta, cumulative, log_jump):
    """Where a token jumps from each cluster, and how probably.

    Args:
        count, y, size: number of clusters, their places (clusters, dim) and tokens.
        cumulative: filled with the cumulative probabilities of the clusters a token of cluster c jumps to, given that it leaves c.
        log_jump: filled with log q_c, the log probability that a token of c picks a token elsewhere.
    """
    dim = y.shape[1]
    for c in range(count):
        for e in range(c, count):
            score = 0.0
            for axis in range(dim):
                for other in range(dim):
                    score += y[c, axis] * B[axis, other] * y[e, other]
            cumulative[c, e] = beta * score + math.log(size[e])
            cumulative[e, c] = beta * score + math.log(size[c])
    for c in range(count):
        top, own = -np.inf, cumulative[c, c]
        for e in range(count):
            if e != c:
                top = max(top, cumulative[c, e])
        total = 0.0
        for e in range(count):
            if e != c:
                total += math.exp(cumulative[c, e] - top)
            cumulative[c, e] = total
        for e in range(count):
            cumulative[c, e] /= total
        log_out = top + math.log(total)
        log_jump[c] = -math.log1p(math.exp(own - log_out)) if own < log_out else log_out - own - math.log1p(math.exp(log_out - own))


@njit(cache=True)
def _first_jumper(u, cluster, log_jump, jump, log_any):
    """The first token to jump given that one does: i with probability q_i prod_{l<i} (1 - q_l) / p, by inversion of u in (0, 1)."""
    log_none, reached, last = 0.0, 0.0, -1
    for i in range(len(cluster)):
        c = cluster[i]
        if log_jump[c] > -np.inf:
            last = i
            reached += math.exp(log_jump[c] + log_none - log_any)
            if u < reached:
                return i
            log_none += math.log1p(-jump[c])
    return last


@njit(cache=True)
def run_events(x0, group, hulls, first, B, beta, gamma, epsilon, tolerance, max_time, rng, frames_time, frames_x):
    """The chain from event to event.

    Tokens at one place (closer than `tolerance`: the only approximation) do not move when they pick one another, so the number of
    steps until somebody jumps elsewhere is geometric and drawn in logarithms; then the step itself is drawn given that somebody jumps.
    Where jumps are frequent the steps are literal. Arrays of no length in `frames_time`, `frames_x` record nothing; otherwise they
    receive the time and the tokens before the first step, after each step with a pick outside a group, and at the end, while there is room.
    Max_time is finite, and with epsilon infinite the loop ends once all tokens are at one place, at the step that is returned.
    """
    n = x0.shape[0]
    x = x0.copy()
    cluster = np.empty(n, np.int64)
    time, events, frames = 0.0, 0.0, 0
    if len(frames_time) > 1:
        frames_time[0] = 0.0
        frames_x[0] = x
        frames = 1
    y = np.empty_like(x)
    size = np.empty(n, np.int64)
    groups = np.empty((n, len(first) - 1), np.int64)
    cumulative = np.empty((n, n))
    log_jump = np.empty(n)
    jump = np.empty(n)
    while True:
        count = _merge(x, group, tolerance, cluster, y, size, groups)
        mixed = _mixed_pick(count, size, groups)
        if count == 1:
            if epsilon < np.inf:
                events += _binomial(rng, np.floor(max_time - time), mixed)
                time = max_time
            break
        _jump_weights(count, y, size, B, beta, cumulative, log_jump)
        rate, most = 0.0, -np.inf
        for c in range(count):
            jump[c] = math.exp(log_jump[c])
            rate += size[c] * (-math.log1p(-jump[c]) if jump[c] < 1.0 else np.inf)
            most = max(most, log_jump[c])
        jumper, wait = -1, 1.0
        if rate < MANY_STEPS_A_JUMP:
            if most < -690.0:
                log_rate = 0.0
                for c in range(count):
                    log_rate += size[c] * math.exp(log_jump[c] - most)
                log_rate = most + math.log(log_rate)
                log_any = log_rate
                wait = math.exp(min(math.log(rng.standard_exponential()) - log_rate, 709.0))
            else:
                log_any = math.log(-math.expm1(-rate))
                wait = rng.standard_exponential() / rate
            wait = max(1.0, np.ceil(wait))
            if time + wait <= max_time:
                jumper = _first_jumper(rng.random(), cluster, log_jump, jump, log_any)
        if time + wait > max_time:
            events += _binomial(rng, np.floor(max_time - time), mixed)
            time = max_time
            break
        events += _binomial(rng, wait - 1.0, mixed)
        time += wait
        outside = False
        for i in range(n):
            c = cluster[i]
            picked = c
            if i == jumper or (i > jumper and jump[c] > 0.0 and rng.random() < jump[c]):
                u = rng.random()
                picked = 0
                while picked < count - 1 and (picked == c or u >= cumulative[c, picked]):
                    picked += 1
                if picked == c:
                    picked = c - 1
                for axis in range(x.shape[1]):
                    x[i, axis] = y[c, axis] + gamma * (y[picked, axis] - y[c, axis])
            own = groups[picked, group[i]]
            if own == 0 or (own < size[picked] and rng.random() * size[picked] >= own):
                outside = True
        events += outside
        out = _first_beyond(x, group, hulls, first, epsilon)
        if outside and frames > 0 and frames < len(frames_time) - 1:
            frames_time[frames] = time
            frames_x[frames] = x
            frames += 1
        if out >= 0:
            return time, events, out, frames
    if frames > 0:
        frames_time[frames] = time
        frames_x[frames] = x
        frames += 1
    return time, events, -1, frames


@njit(cache=True)
def _literal_step(x, moved, weights, group, B, beta, gamma, rng):
    """One step from x into `moved` (both (tokens, dim)), with room for `weights` (tokens,); whether somebody picked another group."""
    n, dim = x.shape
    outside = False
    for i in range(n):
        top = -np.inf
        for j in range(n):
            score = 0.0
            for axis in range(dim):
                for other in range(dim):
                    score += x[i, axis] * B[axis, other] * x[j, other]
            weights[j] = beta * score
            top = max(top, weights[j])
        total = 0.0
        for j in range(n):
            total += math.exp(weights[j] - top)
            weights[j] = total
        u = rng.random() * total
        picked = 0
        while picked < n - 1 and u >= weights[picked]:
            picked += 1
        outside |= group[picked] != group[i]
        for axis in range(dim):
            moved[i, axis] = x[i, axis] + gamma * (x[picked, axis] - x[i, axis])
    return outside


@njit(cache=True)
def run_steps(x0, group, hulls, first, B, beta, gamma, epsilon, max_time, rng):
    """The literal chain: each token i picks j with probability softmax_j(beta <B x_i, x_j>), then all move, gamma of the way.

    Once all tokens are at one place, to rounding, picks are uniform and nobody moves: what remains of max_time is counted by one draw.
    """
    n, dim = x0.shape
    x = x0.copy()
    moved = np.empty_like(x)
    weights = np.empty(n)
    time, events = 0.0, 0.0
    while time + 1.0 <= max_time:
        outside = _literal_step(x, moved, weights, group, B, beta, gamma, rng)
        x, moved = moved, x
        time += 1.0
        events += outside
        out = _first_beyond(x, group, hulls, first, epsilon)
        if out >= 0:
            return time, events, out
        if time % 1024.0 == 0.0:
            gap = 0.0
            for i in range(1, n):
                for axis in range(dim):
                    gap = max(gap, abs(x[i, axis] - x[0, axis]))
            if gap <= 1e-14 * np.abs(x[0]).max() / gamma:
                size, groups = np.full(1, n), np.zeros((1, len(first) - 1), np.int64)
                for i in range(n):
                    groups[0, group[i]] += 1
                events += _binomial(rng, np.floor(max_time - time), _mixed_pick(1, size, groups))
                break
    return max_time, events, -1


@njit(cache=True)
def advance(x0, group, B, beta, gamma, steps, rng):
    """Tokens (tokens, dim) after a number of literal steps."""
    x, moved = x0.copy(), np.empty_like(x0)
    weights = np.empty(len(x0))
    for _ in range(steps):
        _literal_step(x, moved, weights, group, B, beta, gamma, rng)
        x, moved = moved, x
    return x
