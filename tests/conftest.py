"""Shapes and types of every function are checked while the tests run."""

from pathlib import Path

from hypothesis import settings
from jaxtyping import install_import_hook

SOURCE = Path(__file__).parents[1] / "src"


def _checked_modules() -> list[str]:
    """Modules to check: all but packages, whose name would stand for all below, and compiled kernels, which numba needs bare."""
    files = [path for path in SOURCE.rglob("*.py") if path.name != "__init__.py"]
    bare = [path for path in files if "import numba" in (text := path.read_text(encoding="utf-8")) or "from numba" in text]
    return [".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in files if path not in bare]


install_import_hook(_checked_modules(), "beartype.beartype")

settings.register_profile("house", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("house")
