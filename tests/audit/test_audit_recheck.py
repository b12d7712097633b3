"""`hardmax recheck`: a counterexample stands or falls by its file alone. The one here is checked by hand.

Tokens (0, 1) and (1, 0), B_* = [[0, 1], [-2, 0]], which is not symmetric: attention with -B_* sends token 0 to itself, where the symmetric
part [[0, -1/2], [-1/2, 0]] of the energy's gradient gives 0; at token 1 it gives -1/2, which is less.
"""

import json

import numpy as np
import pytest

from hardmax.claims.statements import statement
from hardmax.cli import main

DOCUMENT = {
    "claim": "FW-1",
    "variant": "as written",
    "inputs": {"tokens": [[0, 1], [1, 0]], "B": [[0, 1], [-2, 0]]},
    "step": None,
    "token": 0,
    "left": 0,
    "right": "-1/2",
    "relation": "==",
    "exact": True,
    "on_tie": False,
}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, 0),
        ({"right": "-1/3"}, 1),
        ({"token": 1}, 1),
        ({"inputs": {"tokens": [[0, 1], [1, 0]], "B": [[1, 0], [0, 1]]}}, 1),
        ({"claim": "FW-99"}, 2),
        ({"claim": 3}, 2),
        ({"variant": "amended by nobody"}, 2),
        ({"extra": 1}, 2),
        ({"inputs": {"tokens": [[0, 1], [1, 0]]}}, 2),
        ({"inputs": {"tokens": "none", "B": [[0, 1], [-2, 0]]}}, 2),
        ({"inputs": [1]}, 2),
        ({"inputs": {"family": "general", "successes": 0, "trials": 100, "confidence": 0.99}}, 2),
    ],
)
def test_a_counterexample_is_judged_from_its_file(tmp_path, capsys, change, code) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(DOCUMENT | change))
    assert main(["recheck", str(path)]) == code
    out, err = capsys.readouterr()
    assert (out + err).count("\n") == 1


def test_a_file_that_is_no_counterexample_is_one_line(tmp_path, capsys) -> None:
    path = tmp_path / "c.json"
    for text in ("[1", "[]", "{}"):
        path.write_text(text)
        assert main(["recheck", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert main(["recheck", str(tmp_path / "none.json")]) == 2


@pytest.mark.parametrize(
    ("claim", "successes", "right", "code"),
    [
        ("FW-9", 0, 0.0, 0),  # the event never happened, and the claim says that it has a positive probability
        ("FW-9", 1000, 0.0, 1),  # what it says
        ("FW-9", 0, 0.5, 1),  # below a bound that the claim does not state
        ("FW-3", 0, 0.0, 2),  # no claim about a rate
    ],
)
def test_a_rate_is_judged_by_the_bound_of_its_claim(tmp_path, capsys, claim, successes, right, code) -> None:
    stated = statement(claim)
    family = next(iter(stated.families))
    if claim == "FW-9":
        bounds = {
            name: float(np.mean(stated.conclusion(drawn(np.random.default_rng(1), 5)).bound)) for name, drawn in stated.families.items()
        }
        family = max(bounds, key=bounds.get)
        assert 0.9 < bounds[family] < 1.0
        right = right or bounds[family]
    inputs = {"family": family, "successes": successes, "trials": 1000, "confidence": 0.99}
    path = tmp_path / "c.json"
    path.write_text(
        json.dumps(DOCUMENT | {"claim": claim, "inputs": inputs, "left": "0", "right": str(right), "relation": ">=", "exact": False})
    )
    assert main(["recheck", str(path)]) == code
    out, err = capsys.readouterr()
    assert (out + err).count("\n") == 1
