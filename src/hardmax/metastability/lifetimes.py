"""How long clusters last under both processes at finite beta: until they fall into one, and until hardmax no longer describes them."""

import math

import numpy as np
import pandas as pd

from hardmax.metastability.approximation import chain_deviation, mean_deviation
from hardmax.metastability.collapse import chain_collapse, collapse
from hardmax.metastability.exit_times import LAST_TIME, chain_inputs
from hardmax.metastability.polytopes import crowd, polytope, score_gap
from hardmax.metastability.survival import median_interval


def lifetimes(
    rng: np.random.Generator, *, shapes: list[str], tokens: int, spread: float, gamma: float, ratio: float, beta: list[float], replicas: int
) -> pd.DataFrame:
    """Times until all tokens are at one place, and until some token is farther than epsilon from its hardmax twin.

    Args:
        rng: all randomness.
        shapes, tokens, spread: polytopes, and tokens as in `crowd`.
        gamma, ratio: step, and epsilon/gamma.
        beta: inverse temperatures.
        replicas: runs of the chain for each.

    Returns:
        One row a shape, beta, quantity (collapse, deviation) and process (chain: (SA_P); mean: (SA_beta)): replicas, censored, and log10 of
        the median number of steps with its 95 % interval (for the deterministic mean dynamics the time itself, three times). Times
        of the mean dynamics may exceed what a float64 holds, hence the logarithms.
    """
    rows = []
    for shape in shapes:
        vertices = polytope(shape)
        x0, groups = crowd(vertices, tokens, spread)
        epsilon = ratio * gamma
        for b in beta:
            chain = chain_inputs(x0, groups, b, gamma, None, epsilon)
            path = collapse(chain)
            together = [chain_collapse(chain, LAST_TIME, rng)[0] for _ in range(replicas)]
            apart = [chain_deviation(chain, vertices, epsilon, LAST_TIME, rng) for _ in range(replicas)]
            facts = {"shape": shape, "beta": b, "gamma": gamma, "epsilon": epsilon, "score_gap": score_gap(vertices)}
            mean = {"collapse": float(path.log_time[-1]), "deviation": mean_deviation(path, vertices, gamma, epsilon)}
            for quantity, times in {"collapse": together, "deviation": apart}.items():
                middle, low, high = np.log10(median_interval(np.array(times)))
                censored = sum(time >= LAST_TIME for time in times)
                rows.append(
                    facts
                    | {"quantity": quantity, "process": "chain", "replicas": replicas, "censored": censored}
                    | {"log10_time": middle, "low": low, "high": high}
                )
                exact = mean[quantity] / math.log(10)
                rows.append(
                    facts
                    | {"quantity": quantity, "process": "mean", "replicas": 1, "censored": int(math.isinf(exact))}
                    | dict.fromkeys(("log10_time", "low", "high"), exact if math.isfinite(exact) else math.nan)
                )
    return pd.DataFrame(rows)
