import ast
from pathlib import Path

import pytest

from hardmax.audit.sources import ROOT, source_files


def _literal_closure(path: Path) -> set[Path]:
    """The files a module imports, transitively, read from the syntax trees."""
    found, todo = set(), [path]
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found.add(path)
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                parts = name.split(".")
                if parts[0] != "hardmax" or len(parts) == 1:
                    continue
                base = ROOT.joinpath(*parts[1:])
                if base.with_suffix(".py").is_file():
                    todo.append(base.with_suffix(".py"))
                elif (base / "__init__.py").is_file() and isinstance(node, ast.ImportFrom) and name == node.module:
                    submodules = [(base / alias.name).with_suffix(".py") for alias in node.names]
                    if not all(sub.is_file() or (base / alias.name).is_dir() for sub, alias in zip(submodules, node.names, strict=True)):
                        todo.append(base / "__init__.py")
    return found


@pytest.mark.parametrize("module", ["hardmax.audit.job", "hardmax.claims.verdict", "hardmax.randomness", "hardmax.configuration"])
def test_closure_is_the_one_read_from_the_syntax(module: str) -> None:
    path = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")
    literal = _literal_closure(path)
    found = set(source_files(module))
    assert literal <= found
    assert all(file.name == "__init__.py" for file in found - literal)


def test_unknown_module_is_named() -> None:
    with pytest.raises(ValueError, match=r"hardmax\.nowhere"):
        source_files("hardmax.nowhere")


def test_a_module_outside_the_closure_is_not_listed() -> None:
    names = {path.name for path in source_files("hardmax.randomness")}
    assert names == {"__init__.py", "randomness.py", "errors.py"}
