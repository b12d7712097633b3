"""How fast tokens reach their vertices, and how their energy falls beside the bound of FW-3."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd

from hardmax.exact import hardmax_step, rationals
from hardmax.frank_wolfe.energies import descent_bound, energy
from hardmax.frank_wolfe.exact import dot, fraction, minus
from hardmax.frank_wolfe.trajectories import trajectories
from hardmax.geometry.hulls import diameter
from hardmax.geometry.nearness import least_norm_squared

SCHEDULES = {
    "1 - exp(-(t+1)/4)": lambda t: Fraction(-float(np.expm1(-(t + 1) / 4))),
    "1/5": lambda t: Fraction(1, 5),
    "1/(t+2)": lambda t: Fraction(1, t + 2),
    "1/2^(t+1)": lambda t: Fraction(1, 2 ** (t + 1)),
}
"""Step sizes in (0, 1): super-exponential, exponential, harmonic, and summable ones that do not reach the vertex (FW-8)."""


def distances(steps: int) -> pd.DataFrame:
    """Share of the way to the vertex that is left at each step, by rational arithmetic, beside the product P_t.

    The cloud is three vertices of the unit circle and a token inside; the share is the token's. Columns: schedule, step, share,
    product.
    """
    vertices = [[Fraction(1), Fraction(0)], [Fraction(-3, 5), Fraction(4, 5)], [Fraction(-3, 5), Fraction(-4, 5)]]
    token = [Fraction(1, 4), Fraction(1, 3)]
    rows = []
    for name, schedule in SCHEDULES.items():
        tokens, product = rationals([*vertices, token]), Fraction(1)
        way = minus(tokens[0], tokens[3])
        for step in range(steps + 1):
            share = fraction(dot(minus(tokens[0], tokens[3]), way) / dot(way, way))
            rows.append({"schedule": name, "step": step, "share": float(share), "product": float(product)})
            tokens, product = hardmax_step(tokens, schedule(step)), product * (1 - schedule(step))
    return pd.DataFrame(rows)


def _run(cloud: np.ndarray, steps: int) -> np.ndarray:
    """Tokens after steps 0 to `steps` - 1 of gamma^t = 2/(t+2), for B_* = I."""
    gamma = 2.0 / np.arange(2.0, steps + 2.0)
    return trajectories(cloud[None], -np.eye(cloud.shape[1])[None, None], gamma[None]).tokens[0, 1:]


def _draw(rng: np.random.Generator, mirrored: bool) -> np.ndarray:
    """A random cloud in R^3 whose hulls keep the origin without reaching it (mirrored), or lose it (not mirrored)."""
    for _ in range(1000):
        cloud = rng.normal(size=(5, 3))
        if mirrored:
            cloud = np.concatenate([cloud, -cloud])
        cloud -= rng.dirichlet(np.ones(len(cloud))) @ cloud if not mirrored else 0.0
        last = _run(cloud, 200)[-1]
        least, _ = least_norm_squared(last, 1e-12, 2000)
        if (np.abs(last).max() > 0.0) if mirrored else (least > 0.1):
            return cloud
    raise RuntimeError("expected a cloud of the kind asked among 1000 random ones")


def _clouds(rng: np.random.Generator) -> Iterator[tuple[str, np.ndarray]]:
    yield "mirrored cloud, 0 stays in the hulls", _draw(rng, True)
    yield "random cloud, 0 leaves the hulls", _draw(rng, False)
    yield "tokens 1 and -5", np.array([[1.0], [-5.0]])


def energies(rng: np.random.Generator, steps: int) -> pd.DataFrame:
    """The largest energy of a token beside FW-3's bound, for B_* = I and gamma^t = 2/(t+2), with the least energy left in the hull.

    Clouds: a mirrored one, whose hulls keep the origin; the smallest counterexample; a random one whose hulls lose the origin.
    Columns: cloud, step (t), energy (of x^{t+1}), bound, least (of K^{t+1}).
    """
    kept = np.unique(np.geomspace(1, steps, 120).astype(int)) - 1
    parts = []
    for name, cloud in _clouds(rng):
        run = _run(cloud, steps)
        largest = energy(np.eye(cloud.shape[1]), run).max(axis=1)
        bound = descent_bound(steps, 1.0, diameter(cloud))
        least = [least_norm_squared(run[t], 1e-12, 5000)[1] / 2 for t in kept]
        parts.append(pd.DataFrame({"cloud": name, "step": kept, "energy": largest[kept], "bound": bound[kept], "least": least}))
    return pd.concat(parts, ignore_index=True)
