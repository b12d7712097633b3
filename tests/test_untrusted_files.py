"""Files from outside are data, never code: nothing in the project can execute what it reads."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardmax.audit import captions
from hardmax.audit.formats import read
from hardmax.errors import InputError

ROOT = Path(__file__).parents[1]
PYTHON = sorted(path for folder in ("src", "workflow", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
TEMPLATES = sorted((ROOT / "src/hardmax/audit/templates").glob("*.html"))
IMPORTS = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "jsonpickle"}
CALLS = {
    "eval",
    "exec",
    "compile",
    "os.system",
    "os.popen",
    "pd.read_pickle",
    "pandas.read_pickle",
    "shutil.unpack_archive",
    "yaml.unsafe_load",
}
METHODS = {"extractall", "to_pickle", "unsafe_load"}
# What templates may insert as it is: HTML and SVG made by the audit, whose texts are escaped, and formulas written in the template itself.
MADE_HERE = {"caption", "drawing", "symbol"}


def _name(node: ast.expr) -> str:
    """The dotted name of a call's function."""
    return f"{_name(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _keyword(call: ast.Call, name: str) -> object:
    return next((k.value.value for k in call.keywords if k.arg == name and isinstance(k.value, ast.Constant)), None)


def _unsafe(source: str) -> Iterator[str]:
    """What in a module could execute, or write outside its folder, what it reads."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (f"import {alias.name}" for alias in node.names if alias.name.split(".")[0] in IMPORTS)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in IMPORTS:
            yield f"from {node.module} import"
        elif isinstance(node, ast.Call):
            name = _name(node.func)
            if name in CALLS or name.rpartition(".")[2] in METHODS:
                yield name
            if name == "yaml.load" and not any(k.arg == "Loader" and _name(k.value).endswith("SafeLoader") for k in node.keywords):
                yield "yaml.load without a safe loader"
            if name == "torch.load" and _keyword(node, "weights_only") is not True:
                yield "torch.load without weights_only"
            if name in ("np.load", "numpy.load") and _keyword(node, "allow_pickle") is not False:
                yield "numpy.load that may unpickle"
            if _keyword(node, "shell") is True:
                yield f"{name} through a shell"


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from joblib import load",
        "yaml.load(text)",
        "torch.load(path)",
        "torch.load(path, weights_only=False)",
        "np.load(path)",
        "archive.extractall(folder)",
        "shutil.unpack_archive(path)",
        "subprocess.run(line, shell=True)",
        "eval(text)",
        "table.to_pickle(path)",
    ],
)
def test_the_search_finds_what_it_is_for(source: str) -> None:
    assert list(_unsafe(source))


def test_the_search_lets_safe_ways_pass() -> None:
    safe = "yaml.safe_load(t)\nyaml.load(t, Loader=yaml.CSafeLoader)\ntorch.load(p, weights_only=True)\nnp.load(p, allow_pickle=False)"
    assert not list(_unsafe(safe))


def test_nothing_executes_what_it_reads() -> None:
    assert len(PYTHON) > 50
    found = {str(path.relative_to(ROOT)): list(_unsafe(path.read_text(encoding="utf-8"))) for path in PYTHON}
    assert {path: what for path, what in found.items() if what} == {}


def test_arrays_that_hold_objects_are_refused(tmp_path: Path) -> None:
    import numpy as np

    path = tmp_path / "objects.npz"
    np.savez(path, a=np.array([{"an": "object"}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match=r"objects\.npz"):
        read(path)["a"]


def test_templates_escape_all_but_what_is_made_here() -> None:
    assert TEMPLATES
    for template in TEMPLATES:
        inserted = re.findall(r"\{\{\s*([^}|]+?)\s*\|\s*safe", template.read_text(encoding="utf-8"))
        assert set(inserted) <= MADE_HERE, template.name
        assert "autoescape false" not in template.read_text(encoding="utf-8")


def test_captions_are_text_not_html() -> None:
    html = captions.html(
        "<script>alert(1)</script> and *emphasis*\n\n.. raw:: html\n\n   <script>alert(2)</script>\n\n.. include:: /etc/hostname\n"
    )
    assert "<script" not in html
    assert "<em>emphasis</em>" in html
    assert Path("/etc/hostname").read_text(encoding="utf-8").strip() not in html
