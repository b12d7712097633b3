"""Random counts of the compiled loops over a replica."""

import math

import numpy as np

from hardmax.compilation import njit


@njit
def binomial(rng, trials, p):
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


@njit
def mixed_pick(count, size, groups):
    """Probability that in one step in which all tokens pick tokens at their own place, somebody picks another group.

    `groups[c, g]` counts the tokens of group g among the `size[c]` of cluster c < count; picks within a cluster are uniform.
    """
    log_none = 0.0
    for c in range(count):
        for g in range(groups.shape[1]):
            if 0 < groups[c, g] < size[c]:
                log_none += groups[c, g] * math.log(groups[c, g] / size[c])
    return -math.expm1(log_none) if log_none < 0.0 else 0.0
