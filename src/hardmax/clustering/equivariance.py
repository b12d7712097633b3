"""CL-6: the model with A is the model with I after z -> A^(1/2) z, and permutations of tokens commute with a layer."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from jaxtyping import Bool

from hardmax.clustering import families
from hardmax.clustering.ensembles import random_definite
from hardmax.clustering.trajectories import exact_trajectory, model_holds, scale, trajectory
from hardmax.exact import rationals
from hardmax.falsify import Family, Inputs, Instances, Outcome, Violation, compare, strategies


def with_root(family: Callable[[np.random.Generator, int], Instances], layers: int | None = None) -> Family:
    """The family with a symmetric positive definite `root`, A = root^2, and an `order` of the tokens."""

    def draw(rng: np.random.Generator, trials: int) -> Instances:
        x = family(rng, trials)
        count, dim = x["tokens"].shape[1:]
        exact = float(x["tokens"].max()).is_integer() and float(x["tokens"].min()).is_integer()
        root = np.diag(rng.integers(1, 4, size=dim)).astype(float) if exact else random_definite(rng, dim, 10.0)
        orders = np.argsort(rng.random((trials, count)), axis=1)
        size = x["layers"] if layers is None else np.full(trials, layers)
        return x | {
            "A": np.broadcast_to(root @ root, (trials, dim, dim)).copy(),
            "root": np.broadcast_to(root, (trials, dim, dim)).copy(),
            "order": orders,
            "layers": size,
        }

    return draw


def root_squares_to_A(x: Instances) -> Bool[np.ndarray, " trials"]:
    """`root` is symmetric positive definite and its square is A."""
    root = np.asarray(x["root"], dtype=float)
    squares = np.isclose(root @ root, x["A"], rtol=1e-12, atol=1e-12).all(axis=(1, 2))
    return squares & np.isclose(root, root.mT, rtol=1e-12, atol=0).all(axis=(1, 2)) & (np.linalg.eigvalsh(root)[:, 0] > 0)


def commutes(x: Instances) -> Outcome:
    """CL-6: distance between root z under A and root z run under I, and between permuting before and after the layers."""
    run = trajectory(x)
    identity = np.broadcast_to(np.eye(x["A"].shape[-1]), x["A"].shape)
    mapped = x["tokens"] @ x["root"].mT
    under_identity = trajectory(x | {"tokens": mapped, "A": identity})
    order = np.asarray(x["order"], dtype=np.int64)
    rows = np.arange(len(order))[:, None]
    permuted = trajectory(x | {"tokens": x["tokens"][rows, order]})
    size = scale(x | {"tokens": mapped})
    apart = np.abs(run.tokens @ x["root"].mT - under_identity.tokens).max(axis=-1) / size[:, None]
    reordered = np.abs(run.tokens[:, rows, order] - permuted.tokens).max(axis=-1) / scale(x)[:, None]
    left = np.maximum(apart, reordered).transpose(1, 0, 2)
    return compare(left, "<=", 0.0, tie=run.tied.any(axis=(0, 2)))


def _times(rows: list, matrix: list) -> list:
    """Bare lists, since a strategy calls it: see `hardmax.falsify.strategies.definite`."""
    return [[sum(matrix[i][j] * row[j] for j in range(len(row))) for i in range(len(matrix))] for row in rows]


def commutes_exactly(inputs: Inputs) -> Violation | None:
    """CL-6 in rationals, where A has a rational root: left is the coordinate of the one run, right that of the other."""
    root, order = inputs["root"], [int(place) for place in inputs["order"]]
    A = _times(root, root)
    if (
        not model_holds(inputs)
        or not model_holds(inputs | {"A": root})
        or inputs["A"] != A
        or sorted(order) != list(range(len(inputs["tokens"])))
    ):
        return None
    dim = len(root)
    identity = [[Fraction(int(i == j)) for j in range(dim)] for i in range(dim)]
    run = exact_trajectory(inputs)
    others = exact_trajectory(inputs | {"tokens": _times(inputs["tokens"], root), "A": identity})
    permuted = exact_trajectory(inputs | {"tokens": [inputs["tokens"][place] for place in order]})
    for layer, (one, two, three) in enumerate(zip(run, others, permuted, strict=True)):
        mapped = _times(one.tokens, rationals(root))
        expected = [one.tokens[place] for place in order]
        for token, (left, right) in enumerate(zip([*mapped, *expected], [*two.tokens, *three.tokens], strict=True)):
            for a, b in zip(left, right, strict=True):
                if a != b:
                    tie = any(len(followed) > 1 for followed in one.sets)
                    return Violation(a, "==", b, layer, token % len(order), tie)
    return None


def _with_square(drawn: dict[str, Any]) -> dict[str, Any]:
    return drawn | {"A": _times(drawn["root"], drawn["root"])}


def small_rationals(layers: int = 4) -> st.SearchStrategy[dict[str, Any]]:
    """Few tokens with small whole coordinates, A the square of a small definite matrix, and an order of the tokens."""

    def of(shape: tuple[int, int]) -> st.SearchStrategy[dict[str, Any]]:
        count, dim = shape
        return st.fixed_dictionaries(
            {
                "tokens": strategies.vectors(count, dim, strategies.whole(-3, 3)),
                "root": strategies.definite(dim),
                "alpha": st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2)]),
                "order": st.permutations([Fraction(place) for place in range(count)]),
                "layers": st.just(Fraction(layers)),
            }
        ).map(_with_square)

    return st.tuples(st.integers(1, 5), st.integers(1, 2)).flatmap(of)


FAMILIES: dict[str, Family] = {
    "generic": with_root(families.generic),
    "asymmetric": with_root(families.asymmetric),
    "degenerate": with_root(families.degenerate, layers=1),
    "tied": with_root(families.tied, layers=1),
    "small": with_root(families.small),
    "large": with_root(families.large),
    "long": with_root(families.long),
}
"""Ties survive one layer in float64; later layers are tried in rationals."""
