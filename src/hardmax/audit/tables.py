"""A table as a reader meets it first: what its columns mean, how long it is, and how it begins."""

from pathlib import Path
from typing import Any

import pandas as pd

from hardmax.audit.schemas import schema_path
from hardmax.configuration import load_yaml

ROWS = 8
CELL = 120


def preview(path: str, table: pd.DataFrame, schemas: Path) -> dict[str, Any]:
    """A table's path, description, columns with meanings, number of rows and first rows as text, long cells cut.

    Args:
        path: repository-relative path.
        table: its content.
        schemas: folder of the tables' schemas.
    """
    schema_file = schema_path(path, schemas)
    schema = load_yaml(schema_file) if schema_file.is_file() else {"properties": {}}
    meaning = {name: str(column.get("description", "")) for name, column in schema["properties"].items()}
    return {
        "path": path,
        "description": schema.get("description", ""),
        "columns": [{"name": str(name), "meaning": meaning.get(str(name), "")} for name in table.columns],
        "length": len(table),
        "rows": [[_text(value) for value in row] for row in table.head(ROWS).itertuples(index=False)],
    }


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= CELL else text[: CELL - 1] + "…"
