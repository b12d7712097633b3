"""The provenance card beside every table and figure: which rule, configuration, seeds, data and code made it, where and at what cost."""

import hashlib
from pathlib import Path
from typing import Any

from hardmax.audit import facts
from hardmax.configuration import load_yaml, validate


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
    threads: int,
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
        "code": facts.commit(),
        "versions": facts.versions(),
        "host": facts.host() | {"threads": threads},
        "cost": facts.cost(),
    }


def check_card(found: dict[str, Any], schema: Path, name: str) -> None:
    """Check a card against its schema.

    Raises:
        InputError: names the card and the key that is wrong.
    """
    validate(found, load_yaml(schema), name)
