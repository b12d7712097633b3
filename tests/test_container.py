"""The Containerfile, as far as it can be checked without building it."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
KNOWN = {"FROM", "WORKDIR", "COPY", "RUN", "ENV"}


def _instructions() -> list[tuple[str, str]]:
    lines = [line for line in (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(name, " ".join(rest.split())) for name, rest in (line.split(maxsplit=1) for line in joined.splitlines() if line.strip())]


def test_instructions_are_known_and_start_from_a_pinned_python_of_the_supported_versions() -> None:
    instructions = _instructions()
    assert {name for name, _ in instructions} <= KNOWN
    assert instructions[0][0] == "FROM"
    image = re.fullmatch(r"python:(3\.\d+)-slim-[a-z]+", instructions[0][1])
    assert image, "an official image with its version and distribution, and no registry"
    assert image[1] in {"3.11", "3.12", "3.13"}


def test_the_environment_is_that_of_the_lock() -> None:
    runs = " && ".join(rest for name, rest in _instructions() if name == "RUN").split(" && ")
    runs = [run.strip() for run in runs]
    assert "pip install --no-cache-dir --require-hashes --no-deps -r requirements.txt" in runs
    required = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    torch = next(requirement for requirement in required if requirement.startswith("torch=="))
    assert f"pip install --no-cache-dir {torch}" in runs
    assert all(run.startswith("pip install --no-cache-dir ") for run in runs)


def test_what_it_copies_is_in_the_repository() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name, rest in _instructions():
        if name == "COPY":
            *sources, target = rest.split()
            assert target.startswith("./")
            for source in sources:
                assert any(path == source or path.startswith(f"{source}/") for path in tracked), json.dumps(source)


def test_jobs_use_the_image_that_it_says_how_to_build() -> None:
    image = re.search(r'^container: "(.+)"$', (ROOT / "Snakefile").read_text(encoding="utf-8"), re.M)
    assert image
    assert f"apptainer build {image[1]} " in (ROOT / "Containerfile").read_text(encoding="utf-8")
    environment = re.search(r'^conda: "(.+)"$', (ROOT / "Snakefile").read_text(encoding="utf-8"), re.M)
    assert environment
    assert (ROOT / environment[1]).is_file()
