"""Probabilities of single paths of the chain (SA_P): certain bounds on what it does, without sampling."""

import math

import numpy as np
from jaxtyping import Float, Int

from hardmax.geometry.nearness import beyond
from hardmax.metastability.exit_times import ChainInputs


def log_softmax_scores(x: Float[np.ndarray, "tokens dim"], beta: float) -> Float[np.ndarray, "tokens tokens"]:
    """Log w_ij, the probability that token i picks token j: `hardmax.attention.softmax_weights` in logarithms, for they underflow at large beta."""
    scores = beta * (x @ x.T)
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def exit_path(chain: ChainInputs, epsilon: float, most: int) -> tuple[float, int]:
    """A path on which one token leaves: the log of its probability, a lower bound on that of leaving by then, and its steps.

    The token that gives most weight to another group picks, at every step, the token elsewhere that it scores highest; all others make
    their likeliest pick. (-inf, most) where it has not left by `most` steps.
    """
    x, log_probability = chain.x0, 0.0
    foreign = chain.group[:, None] != chain.group[None]
    log_weights = log_softmax_scores(x, chain.beta)
    leaver = int(np.where(foreign, log_weights, -np.inf).max(axis=1).argmax())
    g = chain.group[leaver]
    hull = chain.hulls[chain.first[g] : chain.first[g + 1]]
    for step in range(1, most + 1):
        log_weights = log_softmax_scores(x, chain.beta)
        picks = log_weights.argmax(axis=1)
        picks[leaver] = np.where(foreign[leaver], log_weights[leaver], -np.inf).argmax()
        log_probability += float(log_weights[np.arange(len(x)), picks].sum())
        x = x + chain.gamma * (x[picks] - x)
        if beyond(x[leaver], hull, epsilon):
            return log_probability, step
    return -math.inf, most


def hardmax_picks(
    x0: Float[np.ndarray, "tokens dim"], groups: Int[np.ndarray, " tokens"], beta: float, gamma: float, steps: int
) -> tuple[float, Float[np.ndarray, "tokens dim"]]:
    """The path on which every token picks its vertex (the first token of its group) at each step: its probability, and its end."""
    leaders = np.array([np.flatnonzero(groups == g)[0] for g in groups])
    x, log_probability = x0, 0.0
    for _ in range(steps):
        log_weights = log_softmax_scores(x, beta)
        log_probability += float(log_weights[np.arange(len(x)), leaders].sum())
        x = x + gamma * (x[leaders] - x)
    return math.exp(log_probability), x
