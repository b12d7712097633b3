"""FW-13: the least Frank-Wolfe gap where tokens attract each other."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hardmax.definiteness import positive_semidefinite
from hardmax.exact import hardmax_step, rationals
from hardmax.falsify import Family, Inputs, Instances, Outcome, Statement, Violation, compare, strategies
from hardmax.frank_wolfe import exact
from hardmax.frank_wolfe.energies import frank_wolfe_gap
from hardmax.frank_wolfe.statements import draws
from hardmax.frank_wolfe.statements.steps import PAPER
from hardmax.frank_wolfe.trajectories import trajectories


def _scaled(steps: int, cloud: Any = draws.clouds, gamma: tuple[float, float] = (0.01, 0.99), **shape: Any) -> Family:
    """B^t = beta^t B with beta^t a multiple of gamma^t."""

    def family(rng: np.random.Generator, trials: int) -> Instances:
        count, dim = draws.shape(rng, **shape)
        step_sizes = rng.uniform(*gamma, size=(trials, steps))
        return {
            "tokens": cloud(rng, trials, count, dim),
            "B": draws.semidefinite(rng, trials, dim),
            "gamma": step_sizes,
            "beta": step_sizes * np.exp(rng.normal(size=(trials, 1))),
        }

    return family


def _gap_bound(x: Instances) -> Outcome:
    """min over s in [1,t] of the gap against (J^1(x_i^1)/gamma^1 - min_{K^t} J^t/gamma^t)/t; J^t is concave, least at a token."""
    run = trajectories(x["tokens"], x["beta"][..., None, None] * x["B"][:, None], x["gamma"])
    tokens = run.tokens[:, :-1]
    products = np.einsum("tde,tsne->tsnd", x["B"], tokens)
    beta, gamma = x["beta"][..., None], x["gamma"][..., None]
    gaps = frank_wolfe_gap(-beta[..., None] * products, tokens)
    energies = -beta * np.einsum("tsnd,tsnd->tsn", products, tokens) / 2
    scaled = energies / gamma
    right = (scaled[:, :1] - scaled.min(axis=-1, keepdims=True)) / np.arange(1, gaps.shape[1] + 1)[:, None]
    scale = np.abs(scaled).max(axis=(1, 2))
    left = np.minimum.accumulate(gaps, axis=1)
    tie = np.logical_or.accumulate(run.tied, axis=1)[..., None]
    return compare(left, "<=", right, np.where(scale == 0, 1, scale)[:, None, None], tie=tie, first_step=1)


def _gap_bound_exactly(inputs: Inputs) -> Violation | None:
    tokens, B = rationals(inputs["tokens"]), rationals(inputs["B"])
    gammas, betas = inputs["gamma"], inputs["beta"]
    proportional = all(a * d == b * c for a, b, c, d in zip(betas, betas[1:], gammas, gammas[1:], strict=False))
    if not (proportional and all(0 < g < 1 for g in gammas) and all(b > 0 for b in betas) and positive_semidefinite(inputs["B"])):
        return None
    tie = False
    least: list[Fraction | None] = [None] * len(tokens)
    first = [-betas[0] * exact.fraction(exact.energy(B, x)) / gammas[0] for x in tokens]
    for t, (gamma, beta) in enumerate(zip(gammas, betas, strict=True), start=1):
        energies = [-beta * exact.fraction(exact.energy(B, x)) / gamma for x in tokens]
        for index, x in enumerate(tokens):
            query = exact.apply(B, x)
            gap = beta * exact.fraction(max(exact.dot(query, y) for y in tokens) - exact.dot(query, x))
            so_far = least[index]
            least[index] = smallest = gap if so_far is None else min(so_far, gap)
            right = (first[index] - min(energies)) / t
            if smallest > right:
                return Violation(smallest, "<=", right, step=t, token=index, tie=tie)
        tie = tie or exact.has_tie(tokens, B)
        tokens = hardmax_step(tokens, gamma, B)
    return None


@st.composite
def _scaled_runs(draw: Any) -> Inputs:
    tokens = draw(strategies.clouds(1, 4, dims=(1, 2), size=3))
    gammas = [draw(st.sampled_from([Fraction(p, q) for q in (2, 3, 4) for p in range(1, q)])) for _ in range(draw(st.integers(1, 4)))]
    factor = draw(strategies.whole(1, 4))
    return {
        "tokens": tokens,
        "B": draw(strategies.diagonal(len(tokens[0]), 0, 3)),
        "gamma": gammas,
        "beta": [factor * gamma for gamma in gammas],
    }


FW13 = Statement(
    claim="FW-13",
    paper=PAPER,
    text="If B^t = beta^t B, B >= 0, beta^t/beta^{t+1} = gamma^t/gamma^{t+1}: the least Frank-Wolfe gap of x_i over steps 1 to t is at most "
    "(J^1(x_i^1)/gamma^1 - inf_{K^t} J^t/gamma^t)/t.",
    hypotheses={
        "B >= 0": lambda x: draws.is_definite(x["B"], semi=True),
        "gamma^t in (0,1)": lambda x: ((x["gamma"] > 0) & (x["gamma"] < 1)).all(axis=1),
        "beta^t > 0, an inverse temperature": lambda x: (x["beta"] > 0).all(axis=1),
        "beta^t/beta^{t+1} = gamma^t/gamma^{t+1}": lambda x: (
            np.abs(np.diff(np.log(x["beta"]), axis=1) - np.diff(np.log(x["gamma"]), axis=1)) <= 1e-12
        ).all(axis=1),
    },
    families={
        "generic": _scaled(50),
        "one to three tokens": _scaled(50, tokens=(1, 3), dims=(1, 2)),
        "grid, ties": _scaled(30, cloud=draws.grids, tokens=(2, 6), dims=(1, 3)),
        "long, small steps": _scaled(300, gamma=(0.001, 0.02), tokens=(2, 6), dims=(1, 3)),
        "step sizes near 1": _scaled(30, gamma=(0.99, 0.999999)),
        "step sizes of all sizes": _scaled(50, gamma=(1e-6, 0.999999)),
        "many tokens": _scaled(10, tokens=(20, 30), dims=(4, 8)),
    },
    conclusion=_gap_bound,
    exact=_gap_bound_exactly,
    strategy=_scaled_runs(),
)
