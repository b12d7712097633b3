"""CL-4: every token converges, and its limit is a vertex of the leaders' polytope K or the projection of the origin onto a face of K."""

import numpy as np

from hardmax.clustering.leadership import converging_layers
from hardmax.clustering.mirrored import exact_limit_kind, run_exactly
from hardmax.clustering.trajectories import model_holds, scale, trajectory
from hardmax.exact import floats, rationals
from hardmax.falsify import Inputs, Instances, Outcome, Violation, compare
from hardmax.geometry import distances_to_hull, minimal_face, project_onto_hull

TOLERANCE = 1e-6
"""On lengths, relative to the cloud: the projections are solved to about 1e-8."""


def face_distance(limit: np.ndarray, vertices: np.ndarray, A: np.ndarray, exposed: bool = False) -> float:
    """How far a limit p is, in A-norm, from what it may be; infinite outside K.

    If <A p, x> <= <A p, p> for all x of K, then p is the projection of the origin onto the face that A p exposes. Up to rounding this is
    the rule, and by how much a vertex fails it is the answer. Where the rule fails, p is compared with the projection onto the smallest face that
    contains it: a projection onto a face is also that onto each of its faces that contains it.

    Args:
        limit: p.
        vertices: those of K.
        A: symmetric positive definite.
        exposed: ask for the rule, which is more than CL-4 does.
    """
    size = float(np.sqrt(np.einsum("nd,de,ne->n", vertices, A, vertices).max())) or 1.0
    outside = float(distances_to_hull(vertices, limit[None], A)[0])
    if outside > TOLERANCE * size:
        return np.inf
    beyond = float(((vertices - limit) @ A @ limit).max()) / size
    if exposed or beyond <= TOLERANCE * size:
        return max(beyond, outside)
    face = minimal_face(vertices, limit)
    if not face.size:
        return np.inf
    difference = project_onto_hull(vertices[face], A=A).point - limit
    return float(np.sqrt(difference @ A @ difference))


def limits_on_faces(x: Instances, exposed: bool = False) -> Outcome:
    """CL-4 for each token: the largest of how far it still moves late in a long run, its distance from what its limit may be, and,
    for leaders, by how much another leader's value scores at least as high (leaders' values are the vertices of K).

    The limit is taken to be the mean of the tokens followed at the last layer, which a token approaches by a fixed factor a layer.
    With `exposed` a limit must be the projection onto the face that A p exposes.
    """
    layers = converging_layers(x)
    run = trajectory(x, layers)
    limits, leads, size = run.means[-1], run.leads[-1], scale(x)
    moves = np.abs(limits - run.means[layers // 2]).max(axis=-1) / size[:, None]
    distance = np.zeros(leads.shape)
    for trial in range(len(leads)):
        A = np.asarray(x["A"][trial], dtype=float)
        polytope = np.unique(limits[trial][leads[trial]], axis=0)
        gaps = np.abs(limits[trial][:, None] - polytope).max(axis=-1).min(axis=-1) if len(polytope) else np.full(leads.shape[1], np.inf)
        for token in np.flatnonzero(gaps > 1e-9 * size[trial]):
            distance[trial, token] = face_distance(limits[trial, token], polytope, A, exposed) / size[trial] if len(polytope) else np.inf
        if len(polytope) > 1:
            products = polytope @ A @ polytope.T
            merged = (np.abs(polytope[:, None] - polytope).max(axis=-1) <= 1e-9 * size[trial]) & ~np.eye(len(polytope), dtype=bool)
            np.fill_diagonal(merged, True)
            rivals = np.where(merged, -np.inf, products).max(axis=1) - np.diagonal(products)
            distance[trial] = np.maximum(distance[trial], max(float(rivals.max()) / size[trial] ** 2, 0.0))
    left = np.maximum(moves, distance)
    return compare(left[:, None], "<=", 0.0, tie=run.tied[-1].any(axis=-1), first_step=layers)


def _limits_exactly(inputs: Inputs, exposed: bool) -> Violation | None:
    """Left is 1 where a token's limit is not what it may be; None also where the run does not come to rest."""
    if not model_holds(inputs):
        return None
    A = rationals(inputs["A"])
    run = run_exactly(rationals(inputs["tokens"]), inputs["alpha"], A)
    if run.limits is None:
        return None
    polytope = [run.limits[token] for token in run.leaders]
    for token, limit in enumerate(run.limits):
        if exact_limit_kind(limit, polytope, A) == "neither":
            vertices = np.unique(floats(polytope), axis=0)
            if exposed or face_distance(floats([limit])[0], vertices, floats(A)) > TOLERANCE:
                return Violation(1, "<=", 0, None, token, True)
    return None


def limits_on_faces_exactly(inputs: Inputs) -> Violation | None:
    """CL-4 as written, in rationals, for distinct nonzero tokens."""
    tokens = [tuple(row) for row in inputs["tokens"]]
    if len(set(tokens)) < len(tokens) or not all(any(row) for row in tokens):
        return None
    return _limits_exactly(inputs, exposed=False)


def limits_exposed(x: Instances) -> Outcome:
    """CL-4 for any tokens, each limit being the projection onto the face that it exposes."""
    return limits_on_faces(x, exposed=True)


def limits_exposed_exactly(inputs: Inputs) -> Violation | None:
    """The same in rationals."""
    return _limits_exactly(inputs, exposed=True)
