"""The summary of networks against a literal sum over rows."""

import math
import statistics

import numpy as np
import pandas as pd

from hardmax.interpolation.summary import COUNTS, LENGTHS, POINT, summarise


def _networks() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    rows = []
    for sweep, construction, sequences in (
        ("sequences", "compact", 4),
        ("sequences", "leaders", 4),
        ("length", "compact", 8),
        ("family", "compact", 8),
    ):
        for repetition in range(4):
            row = {"sweep": sweep, "construction": construction, "targets": 2, "sequences": sequences, "tokens": 5, "dimension": 3}
            row |= {"target_points": 2 * sequences, "repetition": repetition, "scale": 1.0 + repetition}
            row |= {name: int(rng.integers(1, 50)) for name in COUNTS} | {name: float(rng.uniform(0.1, 2)) for name in LENGTHS}
            rows.append(row)
    rows[1]["float32_error"] = math.nan
    return pd.DataFrame(rows)


def test_summary_is_that_of_the_rows_of_its_point() -> None:
    networks = _networks()
    table = summarise(networks)
    assert list(table.columns) == [*POINT, "quantity", "data_sets", "mean", "median", "low", "high"]
    assert set(table["sweep"]) == {"sequences", "length"}
    assert len(table) == 3 * len([*COUNTS, *LENGTHS])
    for row in table.to_dict("records"):
        own = [each for each in networks.to_dict("records") if all(each[key] == row[key] for key in POINT)]
        values = [each[row["quantity"]] / (each["scale"] if row["quantity"] in LENGTHS else 1) for each in own]
        values = [value for value in values if not math.isnan(value)]
        assert row["data_sets"] == len(values)
        assert (row["low"], row["high"]) == (min(values), max(values))
        assert math.isclose(row["mean"], statistics.fmean(values), rel_tol=1e-12)
        assert math.isclose(row["median"], statistics.median(values), rel_tol=1e-12)
