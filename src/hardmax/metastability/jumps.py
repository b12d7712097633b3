"""The compiled loop over one replica of the chain (SA_P) from event to event.

One replica: `x0` has shape (tokens, dim), `group` (tokens,) numbers the groups from 0, `hulls` holds the points whose hull bounds
each group, those of group g at rows first[g]:first[g + 1], and token i leaves when it is farther than epsilon from its group's hull. The loop
returns (steps, events, token, frames): token = -1 where no token left by max_time.
"""

import math

import numpy as np

from hardmax.compilation import njit
from hardmax.metastability.draws import binomial, mixed_pick
from hardmax.metastability.leaving import first_beyond

MANY_STEPS_A_JUMP = 0.2
"""Probability of a jump below which drawing the waiting time is cheaper than taking literal steps."""


@njit
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


@njit
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


@njit
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


@njit
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
        mixed = mixed_pick(count, size, groups)
        if count == 1:
            if epsilon < np.inf:
                events += binomial(rng, np.floor(max_time - time), mixed)
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
            events += binomial(rng, np.floor(max_time - time), mixed)
            time = max_time
            break
        events += binomial(rng, wait - 1.0, mixed)
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
        out = first_beyond(x, group, hulls, first, epsilon)
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
