"""How a benchmark says what it measured: printed, and as a table in results/benchmarks/."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).parents[1] / "results" / "benchmarks"


def report(benchmark: str, rows: Iterable[tuple[str, float, str, str, bool | None]]) -> None:
    """Print and write rows of (quantity, value, unit, goal, met); a row that only informs has an empty goal and `met` None."""
    table = pd.DataFrame(rows, columns=["quantity", "value", "unit", "goal", "met"])
    table.insert(0, "benchmark", benchmark)
    FOLDER.mkdir(parents=True, exist_ok=True)
    table.to_csv(FOLDER / f"{benchmark}.csv", index=False)
    for row in table.itertuples():
        verdict = "" if row.met is None else "  met" if row.met else "  NOT MET"
        print(f"{row.quantity}: {row.value:.4g} {row.unit}{f'  (goal {row.goal})' if row.goal else ''}{verdict}")
