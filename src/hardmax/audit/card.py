"""The provenance card beside every table and figure: which rule, configuration, seeds, data and code made it."""

import hashlib
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Any


def sha256(path: Path | str) -> str:
    """Checksum of a file; of a folder, over the names and checksums of its files."""
    path = Path(path)
    digest = hashlib.sha256()
    if path.is_dir():
        for file in sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith(".snakemake")):
            digest.update(f"{file.relative_to(path).as_posix()} {sha256(file)}\n".encode())
        return digest.hexdigest()
    with path.open("rb") as handle:
        while block := handle.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def versions() -> dict[str, str]:
    """Versions of Python, of this package and of the installed libraries the process has imported."""
    owners = metadata.packages_distributions()
    names = {distribution for module in list(sys.modules) if "." not in module for distribution in owners.get(module, [])}
    return {"python": platform.python_version()} | {name: metadata.version(name) for name in sorted(names)}


def files(paths: list[str]) -> list[dict[str, str]]:
    """Paths with their checksums."""
    return [{"path": path, "sha256": sha256(path)} for path in paths]


def card(
    *,
    rule: str,
    wildcards: dict[str, str],
    configuration: dict[str, Any],
    streams: list[str],
    inputs: list[str],
    sources: list[str],
    outputs: list[str],
) -> dict[str, Any]:
    """Everything needed to find the numbers, the code and the data behind an output, as a JSON-ready dict."""
    return {
        "rule": rule,
        "wildcards": wildcards,
        "configuration": configuration,
        "streams": streams,
        "inputs": files(inputs),
        "sources": files(sources),
        "outputs": files(outputs),
        "versions": versions(),
    }
