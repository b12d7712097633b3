"""Numba's `njit`, kept on disk between runs, and compiled again when the source of any kernel of the package changes.

Numba by itself looks at the file a kernel stands in: a kernel whose callee in another file was edited would go on as it was.
"""

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

PACKAGE = Path(__file__).parent
_IMPORT = re.compile(rb"^from hardmax\.compilation import", re.MULTILINE)


@cache
def sources() -> tuple[Path, ...]:
    """The files of the package that hold kernels: those that import `njit` from here."""
    return tuple(sorted(path for path in PACKAGE.rglob("*.py") if _IMPORT.search(path.read_bytes())))


@cache
def stamp() -> str:
    """Checksum over the source of all kernels, as it was when the process first asked for it."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(f"{path.relative_to(PACKAGE).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


class PackageCacheLocator(caching.InTreeCacheLocator):
    """Keeps the package's kernels in the `__pycache__` beside their source, where that can be written, under the stamp of all."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "PackageCacheLocator | None":
        return super().from_function(py_func, py_file) if Path(py_file).is_relative_to(PACKAGE) else None

    def get_source_stamp(self) -> str:
        return stamp()


# Numba asks these in turn (NUMBA_CACHE_LOCATOR_CLASSES in its manual); the others are its own, in its order.
numba.config.CACHE_LOCATOR_CLASSES = ",".join(  # type: ignore[attr-defined]  # set from the environment
    [f"{__name__}.{PackageCacheLocator.__name__}", *(locator.__name__ for locator in caching.CacheImpl._locator_classes)]
)


def njit(function: Callable | None = None, /, *, signature: Any = None, **options: Any) -> Callable:
    """Decorator as `numba.njit`, cached on disk: `@njit`, or `@njit(signature=..., fastmath=...)`.

    With a signature the kernel is compiled at once and for it alone. Where no folder can be written, kernels live in memory.
    """

    def decorate(function: Callable) -> Callable:
        try:
            return numba.njit(signature, cache=True, **options)(function)
        except (RuntimeError, OSError):  # no place for a cache
            return numba.njit(signature, **options)(function)

    return decorate if function is None else decorate(function)
