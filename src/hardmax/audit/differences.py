"""Two folders of results, byte for byte: which files differ, and where each first does."""

import csv
import io
import json
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hardmax.audit.formats import read
from hardmax.errors import InputError

KINDS = {
    "tables": (".csv", ".parquet", ".json", ".npz"),
    "figures": (".pdf", ".png", ".svg", ".gif"),
    "models": (".safetensors", ".npz", ".json"),
    "audit": (".csv", ".json"),
}
"""Folder of results -> endings of what must be the same in every run; cards and pages carry dates and costs."""
PASSING = {"checkpoints"}
"""Folders of what a run keeps for itself while it is at work."""


class Difference(NamedTuple):
    """A file that is not the same in both, and where it first differs."""

    path: str
    where: str


def comparable(results: Path) -> dict[str, Path]:
    """Tables, figures, models and the ledger below a folder of results, by path from it."""
    found = {}
    for folder, endings in KINDS.items():
        for path in sorted((results / folder).rglob("*")):
            parts = path.relative_to(results).parts
            hidden = any(part.startswith(".") or part in PASSING for part in parts)
            if path.is_file() and path.suffix in endings and not path.name.endswith(".card.json") and not hidden:
                found[path.relative_to(results).as_posix()] = path
    return found


def compare_folders(first: Path, second: Path) -> tuple[list[str], list[Difference]]:
    """Paths that both folders of results hold with the same bytes, and the differences, missing files among them."""
    ours, theirs = comparable(first), comparable(second)
    same, differ = [], []
    for path in sorted(ours.keys() | theirs.keys()):
        if path not in ours or path not in theirs:
            differ.append(Difference(path, f"only in {first if path in ours else second}"))
        elif (where := first_difference(ours[path], theirs[path])) is None:
            same.append(path)
        else:
            differ.append(Difference(path, where))
    return same, differ


def first_difference(first: Path, second: Path) -> str | None:
    """Where two files of one kind first differ, in the terms of that kind; None where they are the same byte for byte."""
    a, b = first.read_bytes(), second.read_bytes()
    if a == b:
        return None
    inside = {".csv": _csv, ".json": _json, ".parquet": _parquet, ".npz": _npz}.get(first.suffix)
    try:
        where = inside(first, second) if inside else None
    except (InputError, ValueError) as error:
        where = f"not readable: {error}"
    offset = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return where or f"byte {offset} of {len(a)} and {len(b)}" + (", the same values in another writing" if inside else "")


def _csv(first: Path, second: Path) -> str | None:
    """Row (counted from 1 below the header) and column of the first cell that differs."""
    tables = [list(csv.reader(io.StringIO(path.read_text(encoding="utf-8")))) for path in (first, second)]
    header = tables[0][0] if tables[0] else []
    for number, (x, y) in enumerate(zip_longest(*tables)):
        if x is None or y is None:
            return (
                f"row {number}: {'missing' if x is None else 'present'} in the first, {'missing' if y is None else 'present'} in the second"
            )
        for column, (u, v) in enumerate(zip_longest(x, y)):
            if u != v:
                name = header[column] if column < len(header) else column
                return f"header, column {column}: {u!r} and {v!r}" if number == 0 else f"row {number}, column {name}: {u!r} and {v!r}"
    return None


def _json(first: Path, second: Path) -> str | None:
    a, b = (json.loads(path.read_text(encoding="utf-8")) for path in (first, second))
    return _inside(a, b, "")


def _inside(a: Any, b: Any, place: str) -> str | None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            if key not in a or key not in b:
                return f"key {place}{key}: only in the {'first' if key in a else 'second'}"
            if found := _inside(a[key], b[key], f"{place}{key}."):
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        for number, (x, y) in enumerate(zip(a, b, strict=False)):
            if found := _inside(x, y, f"{place}{number}."):
                return found
        return None if len(a) == len(b) else f"key {place.rstrip('.')}: {len(a)} and {len(b)} items"
    return None if type(a) is type(b) and a == b else f"key {place.rstrip('.')}: {a!r} and {b!r}"


def _parquet(first: Path, second: Path) -> str | None:
    a, b = pd.read_parquet(first), pd.read_parquet(second)
    if list(a.columns) != list(b.columns):
        return f"columns {list(a.columns)} and {list(b.columns)}"
    for number, (x, y) in enumerate(zip(a.itertuples(index=False), b.itertuples(index=False), strict=False), 1):
        for name, u, v in zip(a.columns, x, y, strict=True):
            if not np.array_equal(np.asarray(u), np.asarray(v)) and not (np.isscalar(u) and pd.isna(u) and pd.isna(v)):
                return f"row {number}, column {name}: {u!r} and {v!r}"
    return None if len(a) == len(b) else f"{len(a)} and {len(b)} rows"


def _npz(first: Path, second: Path) -> str | None:
    a, b = read(first), read(second)
    for name in [*a, *(name for name in b if name not in a)]:
        if name not in a or name not in b:
            return f"array {name}: only in the {'first' if name in a else 'second'}"
        if a[name].shape != b[name].shape or a[name].dtype != b[name].dtype:
            return f"array {name}: {a[name].dtype} {a[name].shape} and {b[name].dtype} {b[name].shape}"
        differs = a[name] != b[name]
        if a[name].dtype.kind == "f":
            differs &= ~(np.isnan(a[name]) & np.isnan(b[name]))
        if differs.any():
            place = tuple(int(i) for i in np.argwhere(differs)[0])
            return f"array {name}, index {place}: {a[name][place]!r} and {b[name][place]!r}"
    return None
