"""Verification on a small workflow of its own: equal runs, runs that depend on the number of cores, another machine's run."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hardmax.audit import formats, reference, verify
from hardmax.audit.differences import comparable, compare_folders, first_difference
from hardmax.errors import InputError

SNAKEFILE = """
configfile: "config.yaml"
rule all:
    input: "results/audit/claims.csv"
rule numbers:
    input: config["data"]["path"]
    output: "results/tables/numbers.csv"
    params: n=config["n"]
    threads: 2
    run:
        import shutil
        with open(output[0], "w") as f:
            f.write("n,square\\n")
            for i in range(params.n):
                f.write(f"{i},{EXPRESSION}\\n")
rule claims:
    input: "results/tables/numbers.csv"
    output: "results/audit/claims.csv"
    shell: "cp {input} {output}"
"""


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(formats.serialise(value, path.suffix))
    return path


@pytest.fixture
def project(tmp_path, monkeypatch):
    def make(expression: str) -> Path:
        root = tmp_path / "project"
        root.mkdir()
        (root / "Snakefile").write_text(SNAKEFILE.replace("EXPRESSION", expression))
        (root / "config.yaml").write_text("n: 5\ndata: {path: raw/reviews.txt}\n")
        (root / "raw").mkdir()
        (root / "raw/reviews.txt").write_text("x")
        (root / ".gitignore").write_text("raw/\nresults/\n.snakemake/\n")
        git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
        for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
            subprocess.run([*git, *arguments], check=True)
        monkeypatch.chdir(root)
        return root

    return make


@pytest.mark.parametrize(
    ("expression", "code", "words"),
    [
        ("i * i", 0, ("2 files are the same byte for byte, 0 differ", "nothing differs")),
        (
            "i * i if i != 3 else threads",
            1,
            ("0 files are the same byte for byte, 2 differ", "tables/numbers.csv: row 4, column square: '1' and '2'"),
        ),
    ],
)
def test_one_core_against_two(project, capsys, expression, code, words) -> None:
    project(expression)
    assert verify.main(["--config", "config.yaml", "--cores", "1", "2"]) == code
    out = capsys.readouterr().out
    assert [each in out for each in words] == [True, True]


@pytest.mark.parametrize(
    ("second", "wrong"),
    [({"a": 1, "b": 2}, 0), ({"a": 1, "b": 3}, 1), ({"a": 2, "b": 3}, 3), ({"a": 1}, 1), ({"a": 1, "b": 2, "c": 3}, 1), (None, 1)],
)
def test_each_file_that_differs_counts_and_so_does_having_none_alike(tmp_path, monkeypatch, second, wrong) -> None:
    """Two new runs (a and b hold 1 and 2 in the first); none alike counts by itself, for two runs without a table agree on nothing."""
    for number, values in enumerate(({"a": 1, "b": 2} if second is not None else {}, second or {}), 1):
        (tmp_path / f"run_{number}_cores_{number}/results/tables").mkdir(parents=True)
        for name, value in values.items():
            write(tmp_path / f"run_{number}_cores_{number}/results/tables/{name}.csv", pd.DataFrame({"n": [value]}))
    monkeypatch.setattr(verify, "finished", lambda root, config: False)
    monkeypatch.setattr(verify, "rerun", lambda root, config, cores, folder: folder / "results")
    monkeypatch.setattr(verify, "against_reference", lambda results, config, root: 0)
    assert verify.verify(tmp_path, "config.yaml", [1, 2], tmp_path) == wrong
    monkeypatch.setattr(verify, "against_reference", lambda results, config, root: 7)
    assert verify.verify(tmp_path, "config.yaml", [1, 2], tmp_path) == wrong + 7


def test_results_at_hand_are_compared_and_left_alone(project, capsys) -> None:
    root = project("i * i")
    assert verify.snakemake(root, "config.yaml", "--cores", "1").returncode == 0
    table = root / "results/tables/numbers.csv"
    stamp = table.stat().st_mtime_ns
    write(root / "results/tables/other.csv", pd.DataFrame({"of": ["another configuration"]}))
    assert verify.main(["--config", "config.yaml", "--cores", "1"]) == 0
    assert table.stat().st_mtime_ns == stamp
    out = capsys.readouterr().out
    assert str(root / "results") in out
    assert "1 files at hand are of no job of config.yaml and are not compared" in out


def test_a_file_that_only_the_new_run_has_is_a_difference(tmp_path, monkeypatch) -> None:
    for folder, names in (("results", "a"), ("run_1_cores_1/results", "ab")):
        for name in names:
            write(tmp_path / folder / f"tables/{name}.csv", pd.DataFrame({"n": [1]}))
    monkeypatch.setattr(verify, "finished", lambda root, config: True)
    monkeypatch.setattr(verify, "rerun", lambda root, config, cores, folder: folder / "results")
    monkeypatch.setattr(verify, "against_reference", lambda results, config, root: 0)
    assert verify.verify(tmp_path, "config.yaml", [1], tmp_path) == 1


@pytest.mark.parametrize(("beyond", "code"), [(0, 0), (3, 1)])
def test_the_reference_alone_decides_where_it_alone_is_asked(tmp_path, monkeypatch, beyond, code) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verify, "finished", lambda root, config: True)
    monkeypatch.setattr(verify, "against_reference", lambda results, config, root: beyond)
    assert verify.main(["--reference-only"]) == code


def test_a_failing_run_is_one_line(project, capsys) -> None:
    project("1 / 0")
    assert verify.main(["--config", "config.yaml"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "the run failed" in error


def test_outside_the_project_is_one_line(tmp_path, monkeypatch) -> None:
    with pytest.raises(InputError, match="Snakefile"):
        verify.tree(tmp_path)


@pytest.mark.parametrize(
    ("name", "first", "second", "where"),
    [
        (
            "t.csv",
            pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5]}),
            pd.DataFrame({"a": [1, 2], "b": [0.5, 2.5]}),
            "row 2, column b: '1.5' and '2.5'",
        ),
        ("t.csv", pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [1]}), "row 2: present in the first, missing in the second"),
        ("t.csv", pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]}), "header, column 0: 'a' and 'b'"),
        ("t.json", {"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "key a.b.1: 2 and 3"),
        ("t.json", {"a": 1}, {"a": 1, "b": 2}, "key b: only in the second"),
        ("t.npz", {"w": np.array([0.0, np.nan, 1.0])}, {"w": np.array([0.0, np.nan, 2.0])}, "array w, index (2,)"),
        ("t.parquet", pd.DataFrame({"x": [[1, 2], [3]]}), pd.DataFrame({"x": [[1, 2], [4]]}), "row 2, column x"),
        ("f.png", b"\x89PNG0", b"\x89PNG1", "byte 4 of 5 and 5"),
        ("f.pdf", b"%PDF", b"%PDF-", "byte 4 of 4 and 5"),
        ("t.csv", b"a\r\n1\r\n", b"a\n1\n", "byte 1 of 6 and 4, the same values in another writing"),
    ],
)
def test_where_two_files_first_differ(tmp_path, name, first, second, where) -> None:
    a, b = write(tmp_path / "a" / name, first), write(tmp_path / "b" / name, second)
    assert first_difference(a, a) is None
    assert where in (first_difference(a, b) or "")


def test_folders_are_compared_without_cards_and_pages(tmp_path) -> None:
    for side, stamp in (("a", 1), ("b", 2)):
        write(tmp_path / side / "tables/t.csv", pd.DataFrame({"a": [1]}))
        write(tmp_path / side / "tables/t.card.json", {"started": stamp})
        write(tmp_path / side / "audit/index.html", str(stamp))
        write(tmp_path / side / "logs/t.log", str(stamp).encode())
    write(tmp_path / "b/figures/f.png", b"1")
    assert list(comparable(tmp_path / "a")) == ["tables/t.csv"]
    same, differ = compare_folders(tmp_path / "a", tmp_path / "b")
    assert same == ["tables/t.csv"]
    assert [(d.path, d.where) for d in differ] == [("figures/f.png", f"only in {tmp_path / 'b'}")]


RULES = [
    {"tables": "tables/free.csv", "columns": "*", "relative": None, "absolute": None, "why": "drawn anew on every machine"},
    {"tables": "*", "columns": "*", "relative": 1e-6, "absolute": 1e-9, "why": "rounding of the libraries"},
]


@pytest.mark.parametrize(
    ("change", "beyond"),
    [
        ({}, []),
        ({"x": [1.0 + 1e-9, 2.0, 4.0]}, []),
        ({"x": [1.0 + 1e-3, 2.0, 4.0]}, ["column x, mean", "column x, deviation", "column x, least"]),
        ({"x": [1.0, np.nan, 4.0]}, ["column x, missing", "column x, mean", "column x, deviation"]),
        ({"w": ["a", None, "a"]}, ["column w, checksum"]),
        ({"x": [1.0, 2.0], "w": ["a", "b"]}, ["2 rows; the reference has 3"]),
    ],
)
def test_another_machine_is_compared_within_tolerances(tmp_path, change, beyond) -> None:
    table = {"x": [1.0, 2.0, 4.0], "w": ["a", None, "b"]}
    summaries = []
    for side, values, free in (("ref", table, 0.0), ("ours", table | change, 5.0)):
        write(tmp_path / side / "tables/t.csv", pd.DataFrame(values))
        write(tmp_path / side / "tables/free.csv", pd.DataFrame({"y": [free]}))
        summaries.append(reference.summary(tmp_path / side, {"seed": 1}, "c.yaml"))
    json.dumps(summaries, allow_nan=False)
    same, found = reference.compare(*summaries, RULES)
    assert same == (1 if not change else 0)
    assert [any(words in d.where for d in found) for words in beyond] == [True] * len(beyond)
    assert len(found) == len(beyond)


def test_a_digest_sees_values_and_not_their_order() -> None:
    assert reference.digest({"a": 1, "b": [1, 2]}) == reference.digest({"b": [1, 2], "a": 1})
    assert reference.digest({"a": 1}) != reference.digest({"a": 2})


def test_the_tolerances_cover_every_table() -> None:
    rules = reference.load_tolerances()
    assert (rules[-1]["tables"], rules[-1]["columns"]) == ("*", "*")
