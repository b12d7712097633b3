"""CL-3: the convex hulls of the tokens are nested, decreasing in the layer."""

from itertools import combinations, pairwise
from typing import Any

import numpy as np

from hardmax.clustering.trajectories import exact_trajectory, model_holds, scale, trajectory
from hardmax.exact import Rows
from hardmax.falsify import Inputs, Instances, Outcome, Violation, compare
from hardmax.geometry import project_onto_hull


def _plane_excess(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """How far each new token is beyond the hull of the old ones, for clouds (trials, tokens, dim) with dim <= 2.

    The facets of a hull in the plane have the normals and, where it is flat, the directions of segments between two tokens,
    so the greatest excess over these directions decides.
    """
    trials, tokens, dim = old.shape
    if dim == 1:
        return np.maximum(new[..., 0] - old.max(axis=1), old.min(axis=1) - new[..., 0])
    first, second = np.triu_indices(tokens, 1)
    segments = old[:, second] - old[:, first]
    normals = np.stack([-segments[..., 1], segments[..., 0]], axis=-1)
    axes = np.broadcast_to(np.eye(2), (trials, 2, 2))
    directions = np.concatenate([segments, normals, axes], axis=1)
    lengths = np.linalg.norm(directions, axis=-1, keepdims=True)
    directions = np.where(lengths > 0, directions / np.where(lengths > 0, lengths, 1.0), 0.0)
    directions = np.concatenate([directions, -directions], axis=1)
    reach = np.einsum("tkd,tnd->tkn", directions, old).max(axis=-1)
    return (np.einsum("tkd,tnd->tkn", directions, new) - reach[..., None]).max(axis=1)


def _excess(old: np.ndarray, new: np.ndarray) -> float:
    """How far a new token is beyond the hull of the old ones, along the direction that separates it best."""
    away = new - project_onto_hull(old, new).point
    length = float(np.linalg.norm(away))
    return float((new @ away - (old @ away).max()) / length) if length > 0 else 0.0


def hulls_shrink(x: Instances) -> Outcome:
    """CL-3: each token lies in the hull of the tokens of the layer before.

    In one and two dimensions at every layer; in more, where each token is projected on the hull, at the first layer and the last.
    """
    run = trajectory(x).tokens
    if run.shape[-1] <= 2:
        pairs = list(range(len(run) - 1))
        excess = np.stack([_plane_excess(run[k], run[k + 1]) for k in pairs])
    else:
        pairs = sorted({0, len(run) - 2})
        clouds = [[_cloud_excess(old, new) for old, new in zip(run[k], run[k + 1], strict=True)] for k in pairs]
        excess = np.array(clouds)
    return compare(excess.transpose(1, 0, 2), "<=", 0.0, scale(x)[:, None, None], first_step=1)


def _cloud_excess(old: np.ndarray, new: np.ndarray) -> list[float]:
    """Excess of each token; a token that did not move is in the hull."""
    return [0.0 if np.array_equal(z, w) else _excess(old, w) for z, w in zip(old, new, strict=True)]


def _separates(old: Rows, point: list[Any], direction: list[Any]) -> bool:
    def product(z: list[Any]) -> Any:
        return sum(a * b for a, b in zip(direction, z, strict=True))

    return bool(product(point) > max(product(z) for z in old))


def hulls_shrink_exactly(inputs: Inputs) -> Violation | None:
    """CL-3 in rationals, on the line and in the plane: left 1 says that a token lies outside, and right that none may."""
    dim = len(inputs["tokens"][0])
    if dim > 2 or not model_holds(inputs):
        return None
    run = exact_trajectory(inputs)
    for layer, (old, new) in enumerate(pairwise(run)):
        directions: list[list[Any]] = [[int(i == k) for i in range(dim)] for k in range(dim)]
        if dim == 2:
            for a, b in combinations(old.tokens, 2):
                step = [b[0] - a[0], b[1] - a[1]]
                directions += [step, [-step[1], step[0]]]
        for token, point in enumerate(new.tokens):
            for direction in directions:
                if any(_separates(old.tokens, point, [sign * part for part in direction]) for sign in (1, -1)):
                    return Violation(1, "<=", 0, layer + 1, token, len(old.sets[token]) > 1)
    return None
