"""Random ensembles of leader averaging: where tokens end, when the leaders are final, how many clusters are left."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from tqdm import tqdm

from hardmax.clustering.mirrored import exact_cloud, exact_limit_kind, mirrored_cloud, run_exactly
from hardmax.exact import rationals
from hardmax.settling import Settled, settle

COLUMNS = [
    "cloud", "dim", "tokens", "alpha", "condition", "trial", "first_leaders", "leaders", "clusters",
    "vertex_limits", "face_limits", "other_limits", "final_layer", "settled_layer",
]  # fmt: skip
"""One row a cloud: its family ("generic" or "mirrored"), its parameters, and what became of it."""


def random_definite(rng: np.random.Generator, dim: int, condition: float) -> Float[np.ndarray, "dim dim"]:
    """A symmetric positive definite matrix with eigenvalues evenly spaced in logarithm from 1 to `condition`, axes uniform."""
    values = np.geomspace(1.0, condition, dim)
    axes, triangle = np.linalg.qr(rng.normal(size=(dim, dim)))
    axes = axes * np.sign(np.diagonal(triangle))  # without the signs Q is not uniform (F. Mezzadri, Notices AMS 54, 2007)
    matrix = (axes * values) @ axes.T
    return (matrix + matrix.T) / 2


def outcomes(settled: Settled, present: Bool[np.ndarray, "clouds tokens"] | None = None) -> pd.DataFrame:
    """What became of each cloud without ties: leaders at first and at last, clusters, kinds of limits and layers.

    A token that follows one leader tends to it, a vertex of the leaders' polytope. Tokens that follow no single leader by the last
    layer count among `other_limits`, and the cloud's `settled_layer` is missing.

    Args:
        settled: the run.
        present: which tokens take part; all for None.
    """
    there = np.ones(settled.follows.shape, dtype=bool) if present is None else present
    leads = (settled.leads_from >= 0) & there
    unsettled = ((settled.settles_at < 0) & there).sum(axis=1)
    last = np.where(there, settled.settles_at, 0).max(axis=1)
    return pd.DataFrame(
        {
            "tokens": there.sum(axis=1),
            "first_leaders": (leads & (settled.leads_from == 0)).sum(axis=1),
            "leaders": leads.sum(axis=1),
            "clusters": [len(np.unique(row[here])) for row, here in zip(settled.follows, there, strict=True)],
            "vertex_limits": there.sum(axis=1) - unsettled,
            "face_limits": 0,
            "other_limits": unsettled,
            "final_layer": np.where(leads, settled.leads_from, 0).max(axis=1),
            "settled_layer": pd.array(np.where(unsettled > 0, np.nan, last), dtype="Int64"),
        }
    )


def generic(
    rng: np.random.Generator,
    *,
    clouds: int,
    dims: Sequence[int],
    tokens: Sequence[int],
    alphas: Sequence[float],
    conditions: Sequence[float],
    layers: int,
) -> pd.DataFrame:
    """Clouds of standard normal tokens, without ties, for every combination of the parameters.

    Args:
        rng: draws the clouds, and one matrix A for each combination.
        clouds: how many for each combination.
        dims, tokens: dimensions and numbers of tokens.
        alphas: weights of the followed mean.
        conditions: condition numbers of A; 1 is the identity.
        layers: how many layers at most.
    """
    parts = []
    for dim, count, alpha, condition in tqdm(list(product(dims, tokens, alphas, conditions)), desc="Generic clouds", mininterval=1):
        x = rng.normal(size=(clouds, count, dim))
        A = None if condition == 1 else random_definite(rng, dim, float(condition))
        part = outcomes(settle(x, float(alpha), layers, A))
        parameters = {"cloud": "generic", "dim": dim, "alpha": float(alpha), "condition": float(condition)}
        parts.append(part.assign(**parameters, trial=range(clouds)))
    return pd.concat(parts, ignore_index=True)[COLUMNS]


def mirrored(
    rng: np.random.Generator,
    *,
    clouds: int,
    dims: Sequence[int],
    orbits: Sequence[int],
    axis: int,
    alphas: Sequence[str],
    conditions: Sequence[int],
    layers: int,
) -> pd.DataFrame:
    """Mirrored clouds of small integers in rationals: exact ties, so that tokens can end on faces.

    Args:
        rng: draws the clouds, and a diagonal A with whole entries for each.
        clouds: how many for each combination.
        dims, orbits: dimensions, and how many tokens are mirrored.
        axis: how many tokens lie on the axis of the mirrors.
        alphas: weights of the followed mean, as rationals in text.
        conditions: the first entry of A is 1, the others are drawn from 1 to this.
        layers: how many layers at most.
    """
    rows: list[dict[str, object]] = []
    for dim, count, alpha, condition in tqdm(list(product(dims, orbits, alphas, conditions)), desc="Mirrored clouds", mininterval=1):
        for trial in range(clouds):
            cloud = mirrored_cloud(rng, dim, count, axis)
            entries = np.concatenate([[1], rng.integers(1, condition + 1, size=dim - 1)])
            A = rationals(np.diag(entries).tolist())
            run = run_exactly(exact_cloud(cloud), alpha, A, layers)
            polytope = [] if run.limits is None else [run.limits[token] for token in run.leaders]
            kinds = ["neither"] * len(cloud) if run.limits is None else [exact_limit_kind(limit, polytope, A) for limit in run.limits]
            values = range(len(cloud)) if run.limits is None else {tuple(map(str, limit)) for limit in run.limits}
            rows.append(
                {
                    "cloud": "mirrored",
                    "dim": dim,
                    "tokens": len(cloud),
                    "alpha": float(Fraction(alpha)),
                    "condition": float(condition),
                    "trial": trial,
                    "first_leaders": len(run.first_leaders),
                    "leaders": len(run.leaders),
                    "clusters": len(values),
                    "vertex_limits": kinds.count("vertex"),
                    "face_limits": kinds.count("face"),
                    "other_limits": kinds.count("neither"),
                    "final_layer": run.final_layer,
                    "settled_layer": run.settled_layer,
                }
            )
    return pd.DataFrame(rows, columns=COLUMNS).astype({"settled_layer": "Int64"})
