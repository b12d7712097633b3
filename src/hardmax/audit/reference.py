"""A summary of a run that is small enough to commit, and the comparison of another machine's run with it, within tolerances."""

import hashlib
import json
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hardmax.audit.card import sha256
from hardmax.audit.differences import Difference, comparable
from hardmax.audit.formats import read, serialise
from hardmax.audit.provenance import Provenance, of_this_run
from hardmax.configuration import load_yaml, validate
from hardmax.errors import InputError

FILE = Path(__file__).with_name("reference.json")
TOLERANCES = Path(__file__).with_name("tolerances.yaml")
MOMENTS = ("mean", "deviation", "least", "largest")

_RULE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["tables", "columns", "relative", "absolute", "why"],
    "properties": {
        "tables": {"type": "string"},
        "columns": {"type": "string"},
        "relative": {"type": ["number", "null"], "minimum": 0},
        "absolute": {"type": ["number", "null"], "minimum": 0},
        "why": {"type": "string", "minLength": 10},
    },
}


def load_tolerances(path: Path | str = TOLERANCES) -> list[dict[str, Any]]:
    """The rules that say how far a column's summary may be from the reference; the first that matches holds.

    Raises:
        InputError: a rule lacks a field or has an unknown one.
    """
    rules = load_yaml(path)
    for number, rule in enumerate(rules):
        validate(rule, _RULE, f"{path}: rule {number}")
    return list(rules)


def digest(config: dict[str, Any]) -> str:
    """Checksum of a configuration's values, whatever their order or comments."""
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()


def _column(values: pd.Series) -> dict[str, Any]:
    missing = int(values.isna().sum())
    if pd.api.types.is_bool_dtype(values) or not pd.api.types.is_numeric_dtype(values):
        text = "\n".join(map(str, values))
        return {"kind": "text", "missing": missing, "checksum": hashlib.sha256(text.encode()).hexdigest()[:16]}
    numbers = values.to_numpy(dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    moments = (numbers.mean(), numbers.std(), numbers.min(), numbers.max()) if numbers.size else (None,) * 4
    return {"kind": "number", "missing": missing} | {
        name: None if value is None else float(f"{value:.12g}") for name, value in zip(MOMENTS, moments, strict=True)
    }


def summary(results: Path, config: dict[str, Any], name: str) -> dict[str, Any]:
    """Checksums of all results, and each table's rows and columns in a few numbers, with the host that made them.

    Args:
        results: folder of results of a finished run.
        config: its configuration.
        name: the configuration's file name.
    """
    provenance, current = Provenance.of_folder(results), of_this_run(results.parent)
    left_over = {path for path in provenance.by_output if path not in current}
    files = {path: sha256(file) for path, file in comparable(results).items() if f"results/{path}" not in left_over}
    tables = {}
    for path in files:
        if path.endswith((".csv", ".parquet")):
            table = read(results / path)
            tables[path] = {"rows": len(table), "columns": {str(column): _column(table[column]) for column in table.columns}}
    cards = [card for path, card in provenance.by_output.items() if path in current]
    host = {key: cards[0]["host"][key] for key in ("platform", "machine")} if cards else {}
    versions = dict(sorted({key: value for card in cards for key, value in card["versions"].items()}.items()))
    return {"config": name, "digest": digest(config), "host": host, "versions": versions, "files": files, "tables": tables}


def write(path: Path, value: dict[str, Any]) -> None:
    """Write a summary."""
    path.write_bytes(serialise(value, ".json"))


def load(path: Path = FILE) -> dict[str, Any] | None:
    """The committed summary, or None where there is none."""
    if not path.is_file():
        return None
    value = read(path)
    if not isinstance(value, dict) or "digest" not in value:
        raise InputError(f"{path}: expected a summary of a run, found something else")
    return value


def _rule_for(rules: list[dict[str, Any]], path: str, column: str) -> dict[str, Any]:
    for rule in rules:
        if fnmatch(path, rule["tables"]) and fnmatch(column, rule["columns"]):
            return rule
    raise InputError(f"tolerances: expected a rule for {path}, column {column}, found none")


def compare(reference: dict[str, Any], ours: dict[str, Any], rules: list[dict[str, Any]]) -> tuple[int, list[Difference]]:
    """How many files have the reference's bytes, and what is beyond the tolerances.

    Files' names, tables' rows and columns, and every number's missing values and moments and every text are compared; a rule whose
    tolerances are null frees its columns.
    """
    found = [
        Difference(path, f"only in {'the reference' if path in reference['files'] else 'this run'}")
        for path in sorted(reference["files"].keys() ^ ours["files"].keys())
    ]
    same = sum(ours["files"].get(path) == checksum for path, checksum in reference["files"].items())
    for path, expected in reference["tables"].items():
        table = ours["tables"].get(path)
        if table is None or ours["files"][path] == reference["files"][path]:
            continue
        if list(table["columns"]) != list(expected["columns"]):
            found.append(Difference(path, f"columns {', '.join(table['columns'])}; the reference has {', '.join(expected['columns'])}"))
            continue
        free = _rule_for(rules, path, "(rows)")["relative"] is None
        if table["rows"] != expected["rows"] and not free:
            found.append(Difference(path, f"{table['rows']} rows; the reference has {expected['rows']}"))
            continue
        found += _columns(path, expected["columns"], table["columns"], rules)
    return same, found


def _columns(path: str, expected: dict[str, Any], found: dict[str, Any], rules: list[dict[str, Any]]) -> list[Difference]:
    differences = []
    for name, column in expected.items():
        rule = _rule_for(rules, path, name)
        if rule["relative"] is None or rule["absolute"] is None:
            continue
        spread = max((abs(column[key]) for key in ("least", "largest") if column.get(key) is not None), default=0.0)
        for key, value in column.items():
            ours = found[name].get(key)
            if isinstance(value, float) and isinstance(ours, float):
                allowed = rule["absolute"] + rule["relative"] * spread
                if abs(ours - value) <= allowed:
                    continue
                differences.append(
                    Difference(
                        path, f"column {name}, {key}: {ours!r}; the reference has {value!r}, and {allowed:.3g} is allowed: {rule['why']}"
                    )
                )
            elif ours != value:
                differences.append(Difference(path, f"column {name}, {key}: {ours!r}; the reference has {value!r}"))
    return differences
