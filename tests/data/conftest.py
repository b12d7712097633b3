import csv
from pathlib import Path

import pytest


@pytest.fixture
def write_csv(tmp_path: Path):
    """Write rows under a header as a CSV file and return its path."""

    def write(rows: list[tuple[str, ...]], header: tuple[str, ...] = ("review", "sentiment")) -> Path:
        file = tmp_path / "reviews.csv"
        with file.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([header, *rows])
        return file

    return write
