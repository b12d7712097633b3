"""Bad input over configuration, data files, commands and library: one line that names the place, and nothing written."""

import codecs
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
import yaml

from hardmax import cli
from hardmax.configuration import load_yaml, validate
from hardmax.data import read_reviews
from hardmax.errors import InputError

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("bad_input.yaml")
CASES = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
KINDS = ("config", "file", "reviews", "command", "call")


def _content(path: Path, content: str) -> None:
    if content == "folder":
        path.mkdir()
    elif content == "locked":
        path.touch(mode=0)
    else:
        path.write_bytes(content.encode("latin-1").decode("unicode_escape").encode("latin-1"))


def _config(changes: dict) -> None:
    config = load_yaml(ROOT / "config/smoke.yaml")
    for key, value in changes.items():
        *parents, last = key.split(".")
        place = config
        for parent in parents:
            place = place[parent]
        if value == "-":
            del place[last]
        else:
            place[last] = value
    validate(config, load_yaml(ROOT / "workflow/schemas/config.schema.yaml"))


@pytest.fixture(scope="module")
def calls() -> dict[str, str]:
    """What the library says about each bad call."""
    command = [sys.executable, str(Path(__file__).with_name("bad_calls.py")), str(TABLE)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@contextmanager
def _unprivileged() -> Iterator[None]:
    """Without root's right to read everything."""
    if os.geteuid():
        yield
        return
    codecs.lookup("utf-8-sig")  # is loaded on demand, from where others may not read
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def _said(case: dict) -> str:
    """What is said about a case's configuration or data."""
    with pytest.raises(InputError) as caught:
        if "config" in case:
            _config(case["config"])
        elif "file" in case:
            _content(Path("config.yaml"), case["file"])
            load_yaml("config.yaml")
        else:
            _content(Path("reviews.csv"), case["reviews"])
            with _unprivileged() if case["reviews"] == "locked" else nullcontext():
                read_reviews("csv", "reviews.csv")
    return str(caught.value)


@pytest.mark.parametrize("case", CASES, ids=[case["case"].replace(" ", "-") for case in CASES])
def test_bad_input(
    case: dict, calls: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o755)
    for name, content in case.get("files", {}).items():
        Path(name).write_text(content, encoding="utf-8")
    if "command" in case:
        assert cli.main(case["command"]) == cli.USAGE, shlex.join(case["command"])
        captured = capsys.readouterr()
        assert captured.out == ""
        said = captured.err.removesuffix("\n")
    else:
        said = calls[case["case"]] if "call" in case else _said(case)
    assert "\n" not in said
    missing = [word for word in case["says"] if str(word) not in said]
    assert not missing, f"{said!r} does not name {missing}"
    given = set(case.get("files", {})) | {"config.yaml", "reviews.csv"}
    assert {path.name for path in tmp_path.iterdir()} <= given, "something was written"


@pytest.mark.workflow
def test_snakemake_stops_before_any_job_with_the_same_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--snakefile", str(ROOT / "Snakefile"), "--directory", str(tmp_path)]
    command += ["--configfile", str(ROOT / "config/smoke.yaml"), "--config", "seed=-1"]
    stopped = subprocess.run(command, capture_output=True, text=True, check=False)
    assert stopped.returncode == 1
    lines = (stopped.stdout + stopped.stderr).splitlines()
    assert "error: config: key seed: found -1; allowed: integer, >= 0, <= 18446744073709551615" in lines
    assert "Traceback" not in stopped.stderr
    assert not (tmp_path / "results").exists()


def test_the_table_holds_enough_of_each_kind() -> None:
    counts = {kind: sum(kind in case for case in CASES) for kind in KINDS}
    assert sum(counts.values()) == len(CASES) >= 40
    assert min(counts.values()) >= 4
    assert len({case["case"] for case in CASES}) == len(CASES)
