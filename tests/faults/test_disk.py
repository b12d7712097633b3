"""The disk is full: one line says so, nothing looks finished, and with space the run ends with the same bytes."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox import Sandbox

pytestmark = pytest.mark.faults


def _mount(*options: str) -> None:
    subprocess.run(["mount", *options], check=True, capture_output=True)


@pytest.fixture
def disk() -> Iterator[Callable[[Path, str], None]]:
    """Puts a folder on a disk of its own, of a given size; again with another size, resizes it."""
    mounted: list[Path] = []

    def put(folder: Path, size: str) -> None:
        folder.mkdir(exist_ok=True)
        try:
            if folder in mounted:
                _mount("-o", f"remount,size={size}", str(folder))
            else:
                _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
                mounted.append(folder)
        except (subprocess.CalledProcessError, FileNotFoundError):
            pytest.skip("mounting a small disk needs root")

    yield put
    for folder in mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


def test_full_disk(fresh: Sandbox, same: Callable[[Sandbox], None], disk: Callable[[Path, str], None]) -> None:
    results = fresh.folder / "results"
    disk(results, "300k")
    full = fresh.run()
    assert full.returncode != 0
    assert "no space left on the disk; free some and run again" in full.stdout
    assert not (results / "tables/data_vocabulary.csv").exists()
    disk(results, "500m")
    fresh.finish()
    same(fresh)


@pytest.mark.long
@pytest.mark.parametrize("size", ["40k", "200k", "700k", "900k"])
def test_full_disk_under_snakemake_itself(
    fresh: Sandbox, same: Callable[[Sandbox], None], disk: Callable[[Path, str], None], size: str
) -> None:
    for name in ("results", ".snakemake"):
        disk(fresh.folder / name, size)
    assert fresh.run().returncode != 0
    for name in ("results", ".snakemake"):
        disk(fresh.folder / name, "500m")
    recovered = fresh.recover()
    assert recovered.returncode == 0, recovered.stdout
    same(fresh)
