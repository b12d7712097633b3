"""`hardmax recheck`: a counterexample stands or falls by its file alone. The one here is checked by hand.

Tokens (0, 1) and (1, 0), B_* = [[0, 1], [-2, 0]], which is not symmetric: attention with -B_* sends token 0 to itself, where the symmetric
part [[0, -1/2], [-1/2, 0]] of the energy's gradient gives 0; at token 1 it gives -1/2, which is less.
"""

import json

import pytest

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
