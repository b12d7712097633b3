"""Published values beside ours: what the papers print, how it was read, and within what tolerance ours agrees."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hardmax.configuration import load_yaml, validate
from hardmax.errors import InputError
from hardmax.published import FILE

COLUMNS = (
    "id", "figure", "table", "row", "column", "published", "ours", "deviation", "tolerance", "agreement", "why", "source", "how_read", "remark",
)  # fmt: skip

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "figure", "table", "where", "column", "value", "tolerance", "why", "source", "how_read"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_.-]*$"},
        "figure": {"type": "string", "pattern": "^[a-z0-9_]*$"},
        "table": {"type": "string", "pattern": r"^results/tables/[\w/.-]+\.(csv|parquet)$"},
        "where": {"type": "object"},
        "column": {"type": "string"},
        "value": {"type": "number"},
        "out_of": {"type": "number", "exclusiveMinimum": 0},
        "tolerance": {"type": "number", "minimum": 0},
        "why": {"type": "string", "minLength": 10},
        "source": {"type": "string", "minLength": 3},
        "how_read": {"type": "string", "minLength": 3},
        "deviation_known": {"type": "string", "minLength": 10},
        "needs": {"type": "object", "minProperties": 1},
    },
}


def load_published(path: Path | str = FILE) -> list[dict[str, Any]]:
    """The comparisons of the file of published values.

    Raises:
        InputError: there are none, an entry lacks a field or has an unknown one, a value of another type, or an id that is taken.
    """
    document = load_yaml(path)
    entries = document.get("comparisons") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise InputError(f"{path}: expected a list of entries under the key 'comparisons', found {type(entries).__name__}")
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        name = f"{path}: entry {entry.get('id', number) if isinstance(entry, dict) else number}"
        validate(entry, _SCHEMA, name)
        if entry["id"] in seen:
            raise InputError(f"{name}: expected an id of its own, found it twice")
        seen.add(entry["id"])
    return entries


def tables_of(entries: Sequence[dict[str, Any]]) -> list[str]:
    """The tables that hold our values, each once, sorted."""
    return sorted({entry["table"] for entry in entries})


def find(table: pd.DataFrame, where: dict[str, Any], column: str, name: str) -> float:
    """The one number of a table that `where` and `column` name; NaN where no row matches.

    Raises:
        InputError: an unknown column, more than one row, or a value that is no number.
    """
    for needed in (*where, column):
        if needed not in table.columns:
            raise InputError(f"{name}: expected a column {needed!r}, found {', '.join(map(str, table.columns))}")
    chosen = np.ones(len(table), dtype=bool)
    for key, value in where.items():
        cells = table[key]
        if isinstance(value, float):
            chosen &= np.isclose(pd.to_numeric(cells, errors="coerce").to_numpy(dtype=float), value, rtol=1e-9, atol=0)
        else:
            chosen &= (cells == value).to_numpy(dtype=bool)
    if chosen.sum() > 1:
        raise InputError(f"{name}: expected one row where {describe(where)}, found {int(chosen.sum())}")
    if not chosen.any():
        return float("nan")
    value = table.loc[chosen, column].iloc[0]
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected a number in column {column!r} where {describe(where)}, found {value!r}") from None


def describe(where: dict[str, Any]) -> str:
    """A row's filter in words: `d = 2, epoch = 100`."""
    return ", ".join(f"{key} = {value}" for key, value in where.items()) or "any"


def needed(entries: Sequence[dict[str, Any]], config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration values that entries need to have, by dotted key, as they are in this configuration."""

    def look_up(key: str) -> Any:
        value: Any = config
        for part in key.split("."):
            if not isinstance(value, Mapping) or part not in value:
                raise InputError(f"published values: expected a configuration key {key!r}, found none")
            value = value[part]
        return value

    return {key: look_up(key) for key in sorted({key for entry in entries for key in entry.get("needs", {})})}


def compare(entries: Sequence[dict[str, Any]], read: Callable[[str], pd.DataFrame], values: Mapping[str, Any]) -> pd.DataFrame:
    """Each published value beside ours, in `COLUMNS`.

    `published` is the value, divided by `out_of` where it is a count; `deviation` is ours minus that; `agreement` is `within` or `beyond` the tolerance, or `not run` where this
    configuration's table has no such row, or the configuration is another experiment.

    Args:
        entries: from `load_published`.
        read: table's path -> table.
        values: of the configuration, from `needed`.

    Raises:
        InputError: an entry names a column that its table lacks, or several rows.
    """
    tables = {path: read(path) for path in tables_of(entries)}
    rows = []
    for entry in entries:
        ours = find(tables[entry["table"]], entry["where"], entry["column"], f"published value {entry['id']}, {entry['table']}")
        if any(values[key] != value for key, value in entry.get("needs", {}).items()):
            ours = float("nan")
        published = entry["value"] / entry.get("out_of", 1)
        deviation = ours - published
        word = "not run" if np.isnan(ours) else "within" if abs(deviation) <= entry["tolerance"] else "beyond"
        rows.append(
            {
                "id": entry["id"],
                "figure": entry["figure"],
                "table": entry["table"],
                "row": describe(entry["where"]),
                "column": entry["column"],
                "published": float(published),
                "ours": ours,
                "deviation": deviation,
                "tolerance": float(entry["tolerance"]),
                "agreement": word,
                "why": entry["why"],
                "source": entry["source"],
                "how_read": entry["how_read"],
                "remark": entry.get("deviation_known", ""),
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))
