"""Counterexamples out of the falsification tables, a file a claim."""

import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from hardmax.audit.formats import serialise
from hardmax.falsify import AS_WRITTEN


def write_counterexamples(tables: Iterable[pd.DataFrame], folder: Path) -> None:
    """Write `<claim>.json` for each claim whose statement as written was violated; the folder is new.

    Args:
        tables: falsification tables; the first counterexample of the statement as written is the smallest found.
        folder: where to.
    """
    folder.mkdir()
    for table in tables:
        found = table.loc[(table["variant"] == AS_WRITTEN) & table["counterexample"].notna(), ["claim", "counterexample"]]
        if len(found):
            claim, text = found.iloc[0]
            (folder / f"{claim}.json").write_bytes(serialise(json.loads(text), ".json"))
