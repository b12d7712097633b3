"""Kernels kept on disk: used again as long as no kernel of the package has changed, and only so long."""

import importlib
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

from numba.core.dispatcher import Dispatcher

import hardmax
from hardmax import compilation

CALLEE = """from hardmax.compilation import njit


@njit
def callee(x):
    return x + {term}
"""
CALLER = """from hardmax.compilation import njit
from hardmax.callee import callee


@njit
def caller(x):
    return 10 * callee(x)
"""


def _call(folder: Path) -> tuple[int, int]:
    """The caller's value at 1, and how many of its kernels came from the disk, in a process of its own."""
    code = "from hardmax.caller import caller; value = caller(1); print(value, sum(caller.stats.cache_hits.values()))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env={"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=True
    )
    value, hits = run.stdout.split()
    return int(value), int(hits)


def test_an_edited_callee_in_another_file_is_compiled_into_its_callers(tmp_path: Path) -> None:
    package = tmp_path / "hardmax"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(compilation.__file__, package / "compilation.py")
    (package / "caller.py").write_text(CALLER)
    (package / "callee.py").write_text(CALLEE.format(term=1))
    assert _call(tmp_path) == (20, 0)
    assert _call(tmp_path) == (20, 1)
    (package / "callee.py").write_text(CALLEE.format(term=20))
    assert _call(tmp_path) == (210, 0)


def test_every_kernel_stands_in_a_file_that_is_watched() -> None:
    kernels = set()
    for found in pkgutil.walk_packages(hardmax.__path__, "hardmax."):
        if found.name != "hardmax.cli":
            module = importlib.import_module(found.name)
            kernels |= {Path(each.py_func.__code__.co_filename) for each in vars(module).values() if isinstance(each, Dispatcher)}
    assert len(kernels) > 5
    assert kernels == set(compilation.sources())
