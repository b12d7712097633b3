"""Exact runs: mirrored clouds, the certificate that ends a run, limits on faces."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardmax.clustering.mirrored import exact_cloud, exact_limit_kind, mirrored_cloud, run_exactly
from hardmax.exact import floats, followed_sets, hardmax_step, leaders, rational, rationals


def literal_run(tokens: list[list[Fraction]], alpha: Fraction, A: list[list[Fraction]], layers: int):
    """Followed sets and tokens at each layer, by the definitions, in fractions."""
    run = []
    for _ in range(layers + 1):
        query = [[sum(A[i][j] * z[j] for j in range(len(z))) for i in range(len(z))] for z in tokens]
        scores = [[sum(a * b for a, b in zip(q, z, strict=True)) for z in tokens] for q in query]
        sets = [[j for j, score in enumerate(row) if score == max(row)] for row in scores]
        run.append((tokens, sets))
        means = [[sum(tokens[j][k] for j in followed) / len(followed) for k in range(len(tokens[0]))] for followed in sets]
        tokens = [[(z + alpha * m) / (1 + alpha) for z, m in zip(row, mean, strict=True)] for row, mean in zip(tokens, means, strict=True)]
    return run


def distance(a: list[list[Fraction]], b: np.ndarray) -> float:
    return float(np.abs(np.array([[float(v) for v in row] for row in a]) - b).max())


@pytest.mark.parametrize(("dim", "orbits", "axis"), [(2, 1, 1), (2, 4, 2), (3, 2, 2), (4, 1, 1)])
def test_mirrored_clouds_are_closed_under_their_mirrors(dim, orbits, axis):
    rng = np.random.default_rng(1)
    for _ in range(20):
        cloud = mirrored_cloud(rng, dim, orbits, axis, size=3)
        rows = {tuple(row) for row in cloud.tolist()}
        assert len(rows) == len(cloud) and tuple([0] * dim) not in rows
        assert np.abs(cloud).max() <= 3
        for k in range(1, dim):
            assert {tuple(-v if i == k else v for i, v in enumerate(row)) for row in rows} == rows


@pytest.mark.parametrize("alpha", ["1/2", "2"])
def test_limits_and_leaders_are_those_of_a_long_literal_run(alpha):
    rng = np.random.default_rng(2)
    kinds = set()
    for _ in range(12):
        cloud = mirrored_cloud(rng, 2, 2, 1)
        A = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(int(rng.integers(1, 4)))]]
        run = run_exactly(exact_cloud(cloud), alpha, rationals(A))
        literal = literal_run([[Fraction(int(v)) for v in row] for row in cloud], Fraction(alpha), A, 70)
        tokens, sets = literal[-1]
        assert run.limits is not None
        assert distance(tokens, floats(run.limits)) < 1e-11
        assert run.leaders == [i for i, followed in enumerate(sets) if followed == [i]]
        assert run.first_leaders == [i for i, followed in enumerate(literal[0][1]) if followed == [i]]
        by_layer = [[i for i, followed in enumerate(s) if followed == [i]] for _, s in literal]
        assert run.final_layer == next(k for k, led in enumerate(by_layer) if led == by_layer[-1])
        if run.settled_layer is not None:
            assert all(s == sets for _, s in literal[run.settled_layer :])
        polytope = [run.limits[i] for i in run.leaders]
        kinds |= {exact_limit_kind(limit, polytope, rationals(A)) for limit in run.limits}
    assert kinds == {"vertex", "face"}


@given(
    st.integers(1, 2).flatmap(lambda d: st.lists(st.lists(st.integers(-3, 3), min_size=d, max_size=d), min_size=1, max_size=6)),
    st.sampled_from(["1/2", "1", "3"]),
)
def test_nothing_followed_changes_after_the_certificate(rows, alpha):
    """Any small cloud, repeated tokens and the origin included: thirty more layers, exactly."""
    x = rationals(rows)
    run = run_exactly(x, alpha)
    weight = rational(alpha)
    share = weight / (1 + weight)
    if run.settled_layer is None:
        return
    for _ in range(run.settled_layer):
        x = hardmax_step(x, share)
    settled = followed_sets(x)
    for _ in range(30):
        x = hardmax_step(x, share, sets=settled)
        assert followed_sets(x) == settled
    assert leaders(x, settled) == run.leaders
    assert run.limits is not None
    assert np.abs(floats(x) - floats(run.limits)).max() < 20 * float(Fraction(int(share.q - share.p), int(share.q))) ** 30


def test_a_leader_emerges_late_where_a_token_overtakes_the_pair_it_follows():
    """(5, 0) follows (11, 1) and (11, -1), which move to the leaders (10, 40) and (10, -40), and passes them at layer 13.

    With u, w the first coordinates less 10: w_k = r^k and u_k = -5 r^k + k r^(k-1)/3 for r = 2/3, so u_k > w_k first for k = 13.
    """
    x = rationals([[5, 0], [11, 1], [11, -1], [10, 40], [10, -40]])
    run = run_exactly(x, "1/2", layers=30)
    assert (run.first_leaders, run.leaders, run.final_layer, run.settled_layer) == ([3, 4], [0, 3, 4], 13, 13)
    r = Fraction(2, 3)
    first = 10 - 5 * r**13 + 13 * r**12 / 3
    assert run.limits == rationals([[first, 0], [10, 40], [10, -40], [10, 40], [10, -40]])
    assert run_exactly(x, "1/2", layers=12).limits is None


def test_kinds_of_points_known_in_advance():
    square = rationals([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    assert exact_limit_kind(rationals([[1, -1]])[0], square) == "vertex"
    assert exact_limit_kind(rationals([[1, 0]])[0], square) == "face"
    assert exact_limit_kind(rationals([[0, 0]])[0], square) == "face"
    assert exact_limit_kind(rationals([["1/2", 0]])[0], square) == "neither"
    assert exact_limit_kind(rationals([[1, "1/2"]])[0], square) == "neither"
    A = rationals([[2, 0], [0, 1]])
    slanted = rationals([[2, 0], [0, 2], [-3, -3]])
    assert exact_limit_kind(rationals([["2/3", "4/3"]])[0], slanted, A) == "face"
    assert exact_limit_kind(rationals([[1, 1]])[0], slanted, A) == "neither"


def test_one_token_and_the_origin():
    for row in ([3, 1], [0, 0]):
        run = run_exactly(rationals([row]), "1/2")
        assert run.leaders == [0] and run.settled_layer == 0 and run.limits == rationals([row])
