"""Shapes and types of every function are checked while the tests run; the smoke configuration is run once for all that need it."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from jaxtyping import install_import_hook

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two test processes on two cores

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"


def _checked_modules() -> list[str]:
    """Modules to check: all but packages, whose name would stand for all below, and compiled kernels, which numba needs bare."""
    files = [path for path in SOURCE.rglob("*.py") if path.name != "__init__.py"]
    bare = [path for path in files if "from hardmax.compilation import njit" in path.read_text(encoding="utf-8")]
    return [".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in files if path not in bare]


install_import_hook(_checked_modules(), "beartype.beartype")

settings.register_profile("house", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("house")


def _copy_tree(target: Path) -> Path:
    """The files git tracks, or would track, as they are in the working tree, and the kernels that set-up compiled."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    kernels = [path.relative_to(ROOT).as_posix() for path in SOURCE.rglob("__pycache__/*.nb[ic]")]
    for name in filter(None, [*listed.stdout.decode().split("\0"), *kernels]):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def snakemake(folder: Path, *arguments: str, cores: int = 2, timeout: int = 900) -> subprocess.CompletedProcess[str]:
    """Run Snakemake on the smoke configuration in a folder whose own `src` is the package its jobs import."""
    command = ["snakemake", *arguments, "--cores", str(cores), "--configfile", "config/smoke.yaml"]  # which takes all that follows
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout, check=False)


@pytest.fixture(scope="session")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the working tree in which the smoke configuration has run. To look at; to change something, take `smoke_copy`."""
    folder = _copy_tree(tmp_path_factory.mktemp("smoke"))
    run = snakemake(folder)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-6000:]
    return folder


@pytest.fixture
def smoke_copy(smoke: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, times of files included, for a test to change."""
    return Path(shutil.copytree(smoke, tmp_path / "run", copy_function=shutil.copy2, symlinks=True))


@pytest.fixture
def run_snakemake() -> Callable[..., subprocess.CompletedProcess[str]]:
    """The function `snakemake`, for tests that run it in a folder of theirs."""
    return snakemake
