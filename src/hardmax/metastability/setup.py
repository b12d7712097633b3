"""What the theorems on clustering and metastability assume, and which of it a configuration fails."""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int, Num

from hardmax.geometry.hulls import diameter
from hardmax.metastability.exit_times import chain_inputs
from hardmax.metastability.polytopes import score_gap
from hardmax.metastability.region import admissible_region, inside

CLUSTERING = ("identity", "vertices", "norms", "acute", "gap", "depth")
METASTABILITY = ("identity", "vertices", "norms", "acute", "gap", "near", "ratio")


@dataclass(frozen=True)
class Setup:
    """The constants of the theorems, and what fails.

    Attributes:
        vertices: the vertices (groups, dim): the first token of each group.
        c0: the largest score gap, <v_i, v_i> >= <v_i, v_j> + c0.
        diameter: of the polytope.
        radius: largest norm of a vertex.
        nearest, farthest: least and largest distance of the other tokens from their vertices (NaN without others).
        reach: min(c0 / (2 max |v_i - v_j|), sqrt(2 c0) / 2), the largest tau that the polytope allows; 0 where c0 is not positive.
        tau: min(reach, (1 - gamma) nearest), MS-2's tau if the phase of clustering starts here.
        failures: hypothesis -> what fails, in one line. Keys: identity, vertices, norms, acute, gap, depth, near, ratio.
    """

    vertices: Float[np.ndarray, "groups dim"]
    c0: float
    diameter: float
    radius: float
    nearest: float
    farthest: float
    reach: float
    tau: float
    failures: dict[str, str]

    def failing(self, hypotheses: tuple[str, ...]) -> list[str]:
        """The failures among some hypotheses: `CLUSTERING` (MS-2) or `METASTABILITY` (MS-3)."""
        return [self.failures[name] for name in hypotheses if name in self.failures]


def vertex_failures(vertices: Float[np.ndarray, "vertices dim"]) -> dict[str, str]:
    """Which hypotheses on the polytope alone fail: one norm, acute cones, a positive score gap."""
    failures = {}
    norms = np.linalg.norm(vertices, axis=1)
    if np.ptp(norms) > 1e-9 * norms.max():
        failures["norms"] = f"norms: vertices {norms.argmin()} and {norms.argmax()} have norms {norms.min():.6g} and {norms.max():.6g}"
    edges = vertices[None] - vertices[:, None]
    products = np.einsum("iad,ibd->iab", edges, edges)
    distinct = ~np.eye(len(vertices), dtype=bool)
    pairs = distinct[:, :, None] & distinct[:, None, :] & distinct[None]
    scale = max(float(np.abs(products).max()), 1e-300)
    if pairs.any() and float(products[pairs].min()) <= 1e-12 * scale:
        i, a, b = np.unravel_index(np.where(pairs, products, np.inf).argmin(), products.shape)
        cosine = products[i, a, b] / max(np.linalg.norm(edges[i, a]) * np.linalg.norm(edges[i, b]), 1e-300)
        failures["acute"] = (
            f"acute: at vertex {i} the angle between vertices {a} and {b} is {math.degrees(math.acos(max(-1, cosine))):.4g} degrees"
        )
    if len(vertices) > 1 and (gap := score_gap(vertices)) <= 0:
        failures["gap"] = f"gap: expected c0 > 0, found {gap:.6g}"
    return failures


def check_setup(
    x0: Num[np.ndarray, "tokens dim"],
    groups: Int[np.ndarray, " tokens"],
    *,
    beta: float | int,
    gamma: float | int,
    epsilon: float | int | None = None,
    B: Float[np.ndarray, "dim dim"] | None = None,
    factor: float | int = 1.0,
) -> Setup:
    """Which hypotheses of MS-2 and MS-3 a configuration meets, and the theorems' constants for it.

    Args:
        x0: tokens (tokens, dim); the first token of each group stands for its vertex.
        groups: group of each token (tokens,).
        beta, gamma, epsilon, B: as in `exit_times`; without epsilon the ratio is not checked.
        factor: C: a token counts as near its vertex within C times the reach. (MS-3 takes tau from an earlier start, which is not known here.)

    Raises:
        InputError: as `exit_times`.
    """
    chain = chain_inputs(x0, groups, beta, gamma, B)
    count = len(chain.first) - 1
    leaders = np.array([np.flatnonzero(chain.group == g)[0] for g in range(count)])
    vertices = chain.x0[leaders]
    failures = vertex_failures(vertices)
    if not np.array_equal(chain.B, np.eye(len(chain.B))):
        failures["identity"] = "identity: expected B = I"
    if count < 2 or sorted(leaders) != list(range(count)):
        failures["vertices"] = (
            f"vertices: expected the first {max(count, 2)} tokens in different groups, found groups {chain.labels[: max(count, 2)].tolist()}"
        )
    others = np.setdiff1d(np.arange(len(chain.x0)), leaders)
    away = np.linalg.norm(chain.x0[others] - vertices[chain.group[others]], axis=1)
    nearest, farthest = (float(away.min()), float(away.max())) if len(others) else (math.nan, math.nan)
    c0, extent = (score_gap(vertices), diameter(vertices)) if count > 1 else (math.nan, 0.0)
    reach = min(c0 / (2 * extent), math.sqrt(2 * c0) / 2) if c0 > 0 else 0.0
    tau = min(reach, (1 - gamma) * nearest) if len(others) else reach
    if beta > 0 and count > 1:
        failures |= _shallow(chain.x0, chain.group, others, vertices, beta)
    if len(others) and farthest > factor * reach * (1 + 1e-12):
        token = int(others[away.argmax()])
        failures["near"] = f"near: token {token} is {farthest:.6g} from its vertex, more than C tau = {factor * reach:.6g}"
    if epsilon is not None and epsilon / gamma < 2 * extent * (1 - 1e-12):
        failures["ratio"] = f"ratio: expected epsilon/gamma of at least 2 diam(K) = {2 * extent:.6g}, found {epsilon / gamma:.6g}"
    radius = float(np.linalg.norm(vertices, axis=1).max())
    return Setup(vertices, c0, extent, radius, nearest, farthest, reach, tau, failures)


def _shallow(x: np.ndarray, group: np.ndarray, others: np.ndarray, vertices: np.ndarray, beta: float | int) -> dict[str, str]:
    for g in np.unique(group[others]):
        tokens = others[group[others] == g]
        region = admissible_region(vertices, int(g), beta)
        deep = np.zeros(len(tokens), bool) if region is None else inside(x[tokens], *region)
        if not deep.all():
            token = int(tokens[~deep][0])
            return {"depth": f"depth: token {token} is not in I_{g}(beta^(-1/8)) - beta^(-1/4) at beta {beta:g}"}
    return {}
