"""Preparing the 25,000 reviews of the embedded source on two cores: cleaning, lemmas, vocabulary and token table."""

import time

from report import report

from hardmax.data import prepare, read_reviews, token_table
from hardmax.randomness import stream

GOAL_SECONDS = 60.0
POSITIONS = 128


def main():
    """Time it once, reading the file included."""
    start = time.perf_counter()
    raw = read_reviews("embedded")
    table = token_table(prepare(raw, stream(0, "bench_data"), threads=2), POSITIONS)
    seconds = time.perf_counter() - start
    report(
        "bench_data",
        [
            ("reviews read", len(raw.texts), "reviews", ">= 25000", len(raw.texts) >= 25_000),
            ("reviews kept", len(table), "reviews", "", None),
            ("wall time", seconds, "s", f"< {GOAL_SECONDS:g}", seconds < GOAL_SECONDS),
        ],
    )


if __name__ == "__main__":
    main()
