"""What recovery refuses and clears, and what a job refuses to start from, without running the workflow."""

import json
import os
import time
from pathlib import Path

import pytest

from hardmax.audit.card import sha256
from hardmax.audit.guards import check_inputs, check_sources
from hardmax.audit.recover import check_no_driver, main, remove_fragments
from hardmax.errors import InputError


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table with its card."""
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n2\n")
    (tmp_path / "a.card.json").write_text(json.dumps({"outputs": [{"path": "results/tables/a.csv", "sha256": sha256(path)}]}))
    return path


def test_files_as_their_cards_say_and_files_without_cards_pass(table: Path, tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text("y\n")
    check_inputs([table, tmp_path / "raw.csv", tmp_path])


def test_a_changed_table_is_named_with_what_to_do(table: Path) -> None:
    table.write_text("x\n1\n")
    with pytest.raises(InputError) as caught:
        check_inputs([table])
    assert str(caught.value).startswith(f"{table}: expected the file its card describes")
    assert f"delete it (rm {table}) and run again" in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"outputs": [{"path": 1}]}'])
def test_a_broken_card_is_named(table: Path, content: str) -> None:
    table.with_suffix(".card.json").write_text(content)
    with pytest.raises(InputError, match=r"a\.card\.json: expected the card of a\.csv"):
        check_inputs([table])


def test_an_edited_source_is_named_and_an_old_one_passes(tmp_path: Path) -> None:
    source = tmp_path / "module.py"
    source.write_text("")
    os.utime(source, (time.time() - 10**6,) * 2)
    check_sources([source])
    source.write_text("# edit")
    with pytest.raises(InputError, match=r"module\.py: expected to stay as it was"):
        check_sources([source])


def test_a_lock_held_on_another_machine_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, lock = tmp_path / ".snakemake/log/2026.snakemake.log", tmp_path / ".snakemake/locks/0.output.lock"
    for path in (log, lock):
        path.parent.mkdir(parents=True)
    log.write_text("SNAKEMAKE\n=========\n  Date: 2026-01-01\n  Host: elsewhere\n")
    check_no_driver(tmp_path)
    lock.write_text("results/tables/a.csv\n")
    monkeypatch.chdir(tmp_path)
    assert main() == 1
    said = capsys.readouterr()
    assert "locked by a Snakemake on elsewhere" in said.err
    assert said.err.count("\n") == 1
    assert lock.exists()


def test_half_written_files_are_removed_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "results/tables"
    folder.mkdir(parents=True)
    kept = [folder / "a.csv", folder / ".snakemake_timestamp", folder / ".gitkeep", tmp_path / ".1.b.csv"]
    for path in (*kept, folder / ".123.a.csv"):
        path.write_text("x")
    (folder / ".77.counterexamples").mkdir()
    assert remove_fragments(tmp_path) == 2
    assert sorted(tmp_path.rglob("*.*")) == sorted(kept)
