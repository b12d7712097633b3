"""Which source files a module's results depend on, from the import graph."""

from functools import cache
from pathlib import Path

import grimp

import hardmax

PACKAGE = "hardmax"
ROOT = Path(hardmax.__file__).parent


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph(PACKAGE, cache_dir=None)


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def source_files(*modules: str) -> tuple[Path, ...]:
    """Source files that the modules import, transitively, themselves included.

    The `__init__.py` of a package on the way counts as a file, but what it re-exports for users does not.

    Args:
        modules: dotted names, `hardmax.clustering.ensembles`.

    Returns:
        absolute paths, sorted.

    Raises:
        ValueError: a name is not a module of the package.
    """
    graph = _graph()
    closure: set[str] = set()
    todo = list(modules)
    while todo:
        module = todo.pop()
        if module in closure:
            continue
        if module not in graph.modules:
            raise ValueError(f"no module {module!r} in the package {PACKAGE}")
        closure.add(module)
        todo += graph.find_modules_directly_imported_by(module)
    parents = {module.rsplit(".", depth)[0] for module in closure for depth in range(1, module.count(".") + 1)}
    return tuple(sorted({_file(module) for module in closure | parents}))
