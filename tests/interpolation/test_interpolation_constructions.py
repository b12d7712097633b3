"""Both constructions send every sequence exactly to its targets, by an evaluator independent of the library."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hardmax.errors import InputError
from hardmax.interpolation import certificate, certify, interpolate
from hardmax.interpolation.block import feed_forward, matrix
from hardmax.interpolation.complexity import compact_depth_bound, extra_blocks, leaders_depth_bound, paper_depth, parameter_count, rank
from hardmax.interpolation.network import Network


def as_set(rows: object) -> set[tuple[Fraction, ...]]:
    return {tuple(Fraction(value) for value in row) for row in rows}


def check(literal: Callable, net: object, X: list, Y: list) -> None:
    for tokens, target in zip(X, Y, strict=True):
        images = literal(net.blocks, tokens)
        assert as_set(images) == as_set(target)
        assert [list(row) for row in net.exact(tokens)] == images


@pytest.mark.parametrize("construction", ["compact", "leaders"])
@pytest.mark.parametrize("d", [2, 3])
def test_images_are_the_targets(family: Callable, literal: Callable, construction: str, d: int) -> None:
    for seed in range(4):
        X, Y = family(np.random.default_rng(seed), 7, d, 2)
        net = interpolate(X, Y, construction=construction, seed=seed)
        check(literal, net, X, Y)
        report = certify(net, X, Y)
        assert report.exact and not report.failures
        assert all((net.exact(x) == net.exact(x, skip=False)).all() for x in X)


def test_one_dimension(family: Callable, literal: Callable) -> None:
    X, Y = family(np.random.default_rng(5), 6, 1, 2)
    check(literal, interpolate(X, Y), X, Y)


@pytest.mark.parametrize("targets", [1, 2, 3])
def test_depth_is_within_the_bounds(targets: int) -> None:
    for n in (1, 2, 5, 8, 13, 40):
        for seed in range(3):
            rng = np.random.default_rng([n, seed, targets])
            X = [rng.normal(size=(6, 3)) for _ in range(n)]
            Y = [rng.normal(size=(targets, 3)) for _ in range(n)]
            net = interpolate(X, Y)
            assert net.depth <= compact_depth_bound([targets] * n) < paper_depth([targets] * n)
            assert all(block.neurons <= 4 for block in net.blocks)
            assert net.parameter_count <= 2 * 3 * targets * n + 3 * targets * n + 4 * 3 + 8
            assert interpolate(X, Y, construction="leaders").depth <= leaders_depth_bound([targets] * n)


def test_runs_of_one_label_save_blocks() -> None:
    X = [np.array([[float(k), 0.0]]) for k in range(40)]
    assert interpolate(X, [k // 20 for k in range(40)]).depth == 2
    assert interpolate(X, [k % 2 for k in range(40)]).depth == 1 + 10


def test_length_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    Y = [rng.normal(size=(1, 2)) for _ in range(9)]
    depths = {interpolate([rng.normal(size=(n, 2)) for _ in range(9)], Y).depth for n in (1, 10, 300)}
    assert depths == {1 + 3}


def test_attention_has_low_rank() -> None:
    rng = np.random.default_rng(3)
    X, Y = [rng.normal(size=(5, 6)) for _ in range(4)], [rng.normal(size=(2, 6)) for _ in range(4)]
    attending = [block for block in interpolate(X, Y).blocks if block.V is not None]
    assert [(rank(block.V), block.B) for block in attending] == [(1, None)]
    attending = [block for block in interpolate(X, Y, construction="leaders").blocks if block.V is not None]
    assert [rank(block.V) for block in attending] == [1, 6] and rank(attending[1].B) == 2


def test_many_kinks_take_blocks_of_their_own(literal: Callable) -> None:
    """Sequences that differ pairwise in a place of their own, all with equal means: one kink cannot split them all."""
    points = np.arange(40.0)
    X = [np.delete(points, [4 * k + 1, 4 * k + 2])[:, None] for k in range(7)]
    X += [np.delete(points, [4 * k, 4 * k + 3])[:, None] for k in range(7)]
    shift = [(78 - x.sum()) for x in X]
    X = [np.concatenate([x, [[s]]]) for x, s in zip(X, shift, strict=True)]
    Y = [[[k]] for k in range(14)]
    net = interpolate(X, Y)
    check(literal, net, X, Y)
    assert extra_blocks(net.blocks) >= 1 and net.depth <= extra_blocks(net.blocks) + compact_depth_bound([1] * 14)


@given(st.data())
@settings(max_examples=60)
def test_small_integers_with_ties_and_duplicates(literal: Callable, data: st.DataObject) -> None:
    d = data.draw(st.integers(1, 3))
    coordinates = st.lists(st.integers(-2, 2), min_size=d, max_size=d)
    X = data.draw(st.lists(st.lists(coordinates, min_size=1, max_size=4), min_size=1, max_size=4))
    Y = [data.draw(st.lists(coordinates, min_size=1, max_size=len(set(map(tuple, x))))) for x in X]
    for construction in ("compact", "leaders") if d > 1 else ("compact",):
        try:
            net = interpolate(X, Y, construction=construction)
        except InputError as error:
            assume("normalised multisets" not in str(error))
            raise
        check(literal, net, X, Y)


@given(st.fractions(min_value=-9, max_value=9).filter(bool), st.fractions(min_value=-9, max_value=9))
@settings(max_examples=20)
def test_units_and_origin_are_free(literal: Callable, scale: Fraction, shift: Fraction) -> None:
    X = [[[1, 2], [3, 5]], [[2, 2], [2, 5], [3, 5]], [[0, 0], [0, 7]]]
    Y = [[[1, 1]], [[0, 0], [5, 5]], [[1, 1], [0, 0]]]
    moved = (
        [[[scale * v + shift for v in row] for row in rows] for rows in X],
        [[[scale * v + shift for v in row] for row in rows] for rows in Y],
    )
    for construction in ("compact", "leaders"):
        check(literal, interpolate(*moved, construction=construction), *moved)


def test_order_and_repetition_of_tokens_are_free() -> None:
    rng = np.random.default_rng(0)
    X, Y = [rng.normal(size=(4, 2)) for _ in range(5)], [rng.normal(size=(2, 2)) for _ in range(5)]
    net = interpolate(X, Y)
    for x in X:
        order = rng.permutation(8)
        assert (net.exact(np.tile(x, (2, 1))[order]) == np.tile(net.exact(x), (2, 1))[order]).all()
    merged = interpolate([*X, np.tile(X[0], (3, 1))], [*Y, Y[0][::-1]])
    assert merged.depth == net.depth


def test_extreme_floats_are_exact(literal: Callable) -> None:
    X = [[[1e-300, 1e300]], [[5e-324, -1e300]], [[0.1, 1e300], [0.2, -0.0]]]
    Y = [[[1e300, 0.1]], [[-1e-300, 0.3]], [[0.0, 0.0], [-0.0, 5e-324]]]
    check(literal, interpolate(X, Y), X, Y)


def test_certificate_finds_failures() -> None:
    X, Y = [[[0, 0], [1, 0]], [[0, 1]]], [[[1, 1], [2, 2]], [[3, 3]]]
    net = interpolate(X, Y)
    report = certify(net, X, [Y[0], [[3, 4]]])
    assert not report.exact and [f.sequence for f in report.failures] == [1]
    assert report.failures[0].missing == ((3, 4),) and report.failures[0].unexpected == ((3, 3),)
    wrong = certify(net, X, [[[1, 1]], Y[1]])
    assert [f.sequence for f in wrong.failures] == [0]
    fewer = certify(net, X, [[[1, 1], [2, 2], [9, 9]], Y[1]])
    assert [f.sequence for f in fewer.failures] == [0] and fewer.failures[0].missing == ((9, 9),) and fewer.failures[0].unexpected == ()


def test_certificate_in_parts_is_the_worst_of_all_sequences(family: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    X, Y = family(np.random.default_rng(3), 5, 2, 2)
    net = interpolate(X, Y)
    shifted = [*Y[:2], np.asarray(Y[2]) + 1, *Y[3:]]
    whole = certify(net, X, shifted)
    monkeypatch.setattr(certificate, "MEMBERS_AT_ONCE", 1)
    parts, backwards = certify(net, X, shifted), certify(net, X[::-1], shifted[::-1])
    assert [f.sequence for f in parts.failures] == [f.sequence for f in whole.failures] == [2]
    assert (parts.scale, parts.margins) == (whole.scale, whole.margins) == (backwards.scale, backwards.margins)
    assert parts.float64_error == backwards.float64_error > 0


def test_blocks_made_by_hand_are_the_formulas(literal: Callable) -> None:
    """A ramp that stays up beyond its last kink, to the right and to the left; attention that ties between repeated tokens."""
    empty = feed_forward([1, 0], [], [])
    tie = empty.attending(Fraction(1), matrix([[1, 2], [0, 1]], (2, 2)), matrix([[1, 0], [0, 1]], (2, 2)))
    for direction in ([1, 0], [-1, 2]):
        ramp = feed_forward(direction, [Fraction(0), Fraction(1)], [(Fraction(1), Fraction(3)), (Fraction(-1), Fraction(-3))])
        for blocks in ([ramp], [ramp, ramp], [tie], [ramp, tie]):
            net = Network(blocks, 2)
            for tokens in ([[5, 0]], [[-5, 1]], [[1, 0], [1, 1], [1, 1], [1, -1], [-3, 0]]):
                assert [list(row) for row in net.exact(tokens)] == literal(blocks, tokens)
                images = np.array(literal(blocks, tokens))
                assert net(tokens) == pytest.approx(images.astype(float))
                report = certify(net, [tokens], [images])
                assert report.exact and report.float64_error < 1e-12
                assert certificate.final_points(net, [tokens])[0] == pytest.approx(images.mean(axis=0).astype(float))


def test_formulas_by_hand() -> None:
    assert paper_depth([1, 2]) == 2 * 3 + 2 * 2 + 1 and paper_depth([1, 2], softmax=True) == 2 * 3 + 3 * 2
    assert [compact_depth_bound(targets) for targets in ([1], [1] * 4, [1] * 5, [1, 2], [2, 2, 2])] == [2, 2, 3, 3, 4]
    assert [leaders_depth_bound(targets) for targets in ([1] * 4, [1] * 5, [2, 2])] == [3, 4, 6]


def test_parameters_by_hand() -> None:
    """One direction (3), two biases, a column of W along it (1) and one elsewhere (3), V of rank one (3), rho (1); then B = 2 I (1) and eta (1)."""
    V = matrix([[1, 2, 3], [2, 4, 6], [0, 0, 0]], (3, 3))
    columns = [(Fraction(1), Fraction(2), Fraction(0)), (Fraction(0), Fraction(0), Fraction(1))]
    block = feed_forward([1, 2, 0], [Fraction(0), Fraction(1)], columns)
    assert parameter_count([block.attending(Fraction(1), V, None)]) == 3 + 2 + 1 + 3 + 3 + 1
    halved = feed_forward([1, 2, 0], [Fraction(0), Fraction(1)], columns, Fraction(1, 2))
    assert (
        parameter_count([halved.attending(Fraction(0), V, 2 * matrix(np.eye(3, dtype=int).tolist(), (3, 3)))]) == 3 + 2 + 1 + 3 + 3 + 1 + 1
    )
