"""Counterexamples as pictures: the drawing's numbers against hand-made ones."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardmax.audit.drawing import draw, tokens_of
from hardmax.audit.paths import path


def document(inputs: dict, **fields) -> dict:
    return {"claim": "FW-1", "inputs": inputs, "step": None, "token": None, "left": 1, "relation": "<=", "right": "1/2"} | fields


def svg(text: str) -> ET.Element:
    return ET.fromstring(text)


def test_a_cloud_is_drawn_to_scale_with_its_hull_and_the_wrong_token() -> None:
    found = svg(draw(document({"tokens": [[0, 0], ["1/2", 0], [1, 0], [1, 1]], "B": [[1, 0], [0, 1]]}, token=3)))
    circles = [(c.get("class"), float(c.get("cx")), float(c.get("cy"))) for c in found.iter("circle")]
    assert [c[0] for c in circles] == ["token", "token", "token", "wrong"]
    unit = circles[2][1] - circles[0][1]
    assert circles[1][1] - circles[0][1] == pytest.approx(unit / 2, abs=0.02)
    assert circles[2][2] - circles[3][2] == pytest.approx(unit, abs=0.02)
    polygon = found.find("polygon").get("points").split()
    assert len(polygon) == 3
    assert "token 3" in found.find("desc").text


def test_paths_are_those_of_the_dynamics() -> None:
    """Two tokens on a line, B = -1: each follows the other, and a step of 1/4 brings them nearer; by hand."""
    inputs = {"tokens": [[1], [-1]], "B": [[-1]], "gamma": "1/4"}
    assert path(inputs, inputs["tokens"], 2) == [[[1.0], [-1.0]], [[0.5], [-0.5]], [[0.25], [-0.25]]]
    assert path(inputs | {"ratio": "1/2"}, inputs["tokens"], 2)[-1] == [[0.5 - 1 / 8], [-0.5 + 1 / 8]]
    assert path(inputs | {"gamma": ["1/4"]}, inputs["tokens"], 2) == [[[1.0], [-1.0]], [[0.5], [-0.5]]]
    leaders = {"tokens": [[2], [1]], "alpha": 1}
    assert path(leaders, leaders["tokens"], 1)[-1] == [[2.0], [1.5]]
    schedule = {"tokens": [[1], [-5]], "B": [[[1]], [[1]]], "decay": 1}
    assert path(schedule, schedule["tokens"], 2) == [[[1.0], [-5.0]], [[-5.0], [1.0]], [[-5 + 6 * 2 / 3], [1 - 6 * 2 / 3]]]
    assert path({"tokens": [[1]], "gamma": 1, "beta": 2}, [[1]], 3) == [[[1.0]]]
    assert path({"tokens": [[1]], "gamma": [["1/2"]]}, [[1]], 3) == [[[1.0]]]
    assert path({"tokens": [[1]], "gamma": "1/2", "B": [[1, 0], [0, 1]]}, [[1]], 3) == [[[1.0]]]


def test_a_path_ends_at_the_step_named_with_the_ring_there() -> None:
    found = svg(draw(document({"tokens": [[1], [-1]], "B": [[-1]], "gamma": "1/4"}, step=1, token=1)))
    lines = [line.get("points").split() for line in found.iter("polyline")]
    assert [len(line) for line in lines] == [3, 3]
    ring = next(c for c in found.iter("circle") if c.get("class") == "wrong")
    assert lines[1][-1] == f"{ring.get('cx')},{ring.get('cy')}"
    assert "paths over 2 steps" in found.find("desc").text


def test_a_rate_is_drawn_beside_its_bound() -> None:
    found = svg(draw(document({"family": "f", "successes": 3, "trials": 50, "confidence": "199/200"}, right="1/10")))
    assert re.search(r"rate found, 0\.06", found.find("desc").text)
    ring, bound = found.find("circle"), next(p for p in found.iter("path") if p.get("class") == "bound")
    low, high = 40.0, 380.0
    assert float(ring.get("cx")) == pytest.approx(low + 0.06 * (high - low), abs=0.01)
    assert float(re.match(r"M([\d.]+)", bound.get("d")).group(1)) == pytest.approx(low + 0.1 * (high - low), abs=0.01)


@pytest.mark.parametrize(
    ("inputs", "name", "counts"),
    [
        ({"x": [[1, 2]], "groups": [0], "beta": 3}, "x", [1]),
        ({"B": [[1, 0], [0, 1]], "gamma": [1]}, "", []),
        ({"sequences": [[[1, 2], [3, 4]], [[0, 1]]], "targets": [[[1, 1]], [[2, 2]]]}, "sequences", [2, 1]),
        ({"weights": [["1/2", "1/2"]], "words": ["<b>"]}, "", []),
        ({"tokens": [[1, 2], [3]]}, "", []),
    ],
)
def test_tokens_are_found_among_the_inputs(inputs, name, counts) -> None:
    found, sequences = tokens_of(inputs)
    assert (found, [len(points) for points in sequences]) == (name, counts)
    text = draw(document(inputs))
    assert bool(text) == bool(counts)


@given(st.lists(st.lists(st.fractions(-3, 3, max_denominator=4), min_size=2, max_size=2), min_size=1, max_size=5), st.integers(0, 3))
def test_every_drawing_is_well_formed(cloud, step) -> None:
    inputs = {"tokens": [[str(Fraction(v)) for v in row] for row in cloud], "B": [[1, 0], [0, 1]], "gamma": "1/2"}
    found = svg(draw(document(inputs, step=step, token=0)))
    numbers = [float(value) for circle in found.iter("circle") for value in (circle.get("cx"), circle.get("cy"))]
    assert all(0 <= value <= 420 for value in numbers)
