"""Files change under the workflow's feet: a damaged table, a module edited while jobs run."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import Sandbox, wait_for

pytestmark = pytest.mark.faults


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _shorten(path: Path) -> None:
    """A whole table, but not all of it: no parser would notice."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("clustering_panels.csv", _shorten),
        pytest.param("clustering_panels.csv", _flip, marks=pytest.mark.long),
        pytest.param("data_tokens.parquet", _truncate, marks=pytest.mark.long),
        pytest.param("data_tokens.parquet", _flip, marks=pytest.mark.long),
        pytest.param("clustering_panels.csv", _empty, marks=pytest.mark.long),
    ],
)
def test_damaged_table(finished: Sandbox, same: Callable[[Sandbox], None], name: str, damage: Callable[[Path], None]) -> None:
    table = finished.folder / "results/tables" / name
    damage(table)
    stopped = finished.run()
    assert stopped.returncode != 0
    line = f"results/tables/{name}: expected the file its card describes"
    assert [said for said in stopped.stdout.splitlines() if line in said and f"delete it (rm results/tables/{name}) and run again" in said]
    table.unlink()
    finished.finish()
    same(finished)


def test_module_edited_while_its_job_runs(begun: Sandbox, same: Callable[[Sandbox], None]) -> None:
    module = begun.folder / "src/hardmax/clustering/configurations.py"
    driver = begun.start()
    wait_for(begun.jobs, what="a running job")
    module.write_text(module.read_text(encoding="utf-8") + "\n# An edit.\n", encoding="utf-8")
    assert driver.wait(300) != 0
    assert (
        "src/hardmax/clustering/configurations.py: expected to stay as it was, found it edited while the job ran; run again" in begun.said
    )
    begun.finish()
    same(begun)
