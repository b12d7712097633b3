"""Networks and data on disk, and the console commands."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from hardmax.cli import main
from hardmax.errors import InputError
from hardmax.interpolation import Network, interpolate
from hardmax.interpolation.io import read_data

X = [[[0, 1], [2, 3]], [[1, 1], [4, 0], [1, 1]]]
Y = [[[0, 0], [1, 1]], [[5, 5]]]


@pytest.mark.parametrize("construction", ["compact", "leaders"])
def test_network_round_trip(tmp_path: Path, construction: str) -> None:
    net = interpolate(X, Y, construction=construction)
    net.save(tmp_path / "net.json")
    back = Network.load(tmp_path / "net.json")
    assert (back.construction, back.dimension, back.depth) == (construction, 2, net.depth)
    for a, b in zip(net.blocks, back.blocks, strict=True):
        assert (a.eta, a.rho) == (b.eta, b.rho)
        for name in ("W", "U", "b", "V", "B"):
            one, other = getattr(a, name), getattr(b, name)
            assert one is other is None or (one.shape == other.shape and (one == other).all())
    assert all((net.exact(x) == back.exact(x)).all() for x in X)
    assert back.parameter_count == net.parameter_count


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c.update(format="other"), "expected a file of format"),
        (lambda c: c.update(dimension="2"), "dimension"),
        (lambda c: c["blocks"][0].update(eta="1/0"), "block 0, eta"),
        (lambda c: c["blocks"][1].update(W=[["1"]]), "block 1, W: expected shape"),
        (lambda c: c["blocks"][1]["U"][0].__setitem__(1, "x"), r"block 1, U\[0, 1\]"),
        (lambda c: c["blocks"].__setitem__(0, 3), "block 0"),
    ],
)
def test_bad_network_files(tmp_path: Path, change: object, words: str) -> None:
    path = tmp_path / "net.json"
    interpolate(X, Y).save(path)
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=words):
        Network.load(path)


def test_data_files(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"sequences": [[["1/3", 0.5]], [[1, "2"]]], "targets": [0, 1]}))
    sequences, targets = read_data(path)
    net = interpolate(sequences, targets)
    assert net.exact(sequences[1]).tolist() == [[1, 0]]
    assert net.exact(np.array([[Fraction(1, 3), Fraction(1, 2)]], dtype=object)).tolist() == [[0, 0]]
    for text in ("{", "[]", '{"sequences": 3, "targets": []}', '{"sequences": []}'):
        path.write_text(text)
        with pytest.raises(InputError):
            read_data(path)
    with pytest.raises(InputError):
        read_data(tmp_path / "missing.json")


def test_console_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, other, net = (str(tmp_path / name) for name in ("data.json", "other.json", "net.json"))
    Path(data).write_text(json.dumps({"sequences": X, "targets": Y}))
    Path(other).write_text(json.dumps({"sequences": X, "targets": [Y[0], [["11/2", 5]]]}))
    for construction in ("compact", "leaders"):
        assert main(["interpolate", data, "-o", net, "--construction", construction]) == 0
        assert main(["certify", net, data]) == 0
        assert "exact on 2 sequences" in capsys.readouterr().out
        assert main(["certify", net, other]) == 1
        assert "sequence 1: 1 targets missed" in capsys.readouterr().out
    assert main(["interpolate", str(tmp_path / "missing.json"), "-o", net]) == 2
    assert capsys.readouterr().err.count("\n") == 1
