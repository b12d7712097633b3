"""Schemas of published tables: one JSON schema a table, describing a row."""

from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd

from hardmax.configuration import load_yaml
from hardmax.errors import InputError


def schema_path(table: Path | str, folder: Path) -> Path:
    """Where the schema of a table lies: named as the table, or as its sub-folder of `results/tables` for families of tables."""
    table = Path(table)
    stem = table.stem if table.parent.name in ("tables", "audit") else table.parent.name
    return folder / f"{stem}.schema.yaml"


def _plain(column: pd.Series) -> list[Any]:
    """Values as JSON sees them: missing as None, numpy scalars as Python ones."""
    values = column.astype(object).where(column.notna(), None).tolist()
    return [
        value.item() if isinstance(value, np.generic) else value.tolist() if isinstance(value, np.ndarray) else value for value in values
    ]


def check_table(table: pd.DataFrame, schema: dict[str, Any], name: str) -> None:
    """Check columns, their order and every value of a table against the schema of its rows.

    Raises:
        InputError: names the table, the column and the row, what was expected and what was found.
    """
    expected = list(schema["properties"])
    if list(table.columns) != expected:
        raise InputError(f"{name}: expected columns {','.join(expected)}, found {','.join(map(str, table.columns))}")
    for column, rule in schema["properties"].items():
        validator = jsonschema.Draft202012Validator(rule)
        values = _plain(table[column])
        distinct = {repr(value): row for row, value in reversed(list(enumerate(values)))}
        for row in sorted(distinct.values()):
            error = jsonschema.exceptions.best_match(validator.iter_errors(values[row]))
            if error is not None:
                raise InputError(f"{name}: column {column}, row {row}: {error.message}")


def load_schema(table: Path | str, folder: Path) -> dict[str, Any]:
    """The schema of a table's rows; every published table has one.

    Raises:
        InputError: there is none.
    """
    return load_yaml(schema_path(table, folder))
