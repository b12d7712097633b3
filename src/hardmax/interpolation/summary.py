"""Networks of random data sets, summed up over the data sets of a point."""

import numpy as np
import pandas as pd

POINT = ["sweep", "construction", "targets", "sequences", "tokens", "dimension", "target_points"]
COUNTS = ["depth", "depth_bound", "paper_depth", "parameters", "nonzero_entries", "lower_bound"]
LENGTHS = ["least_gap", "float64_error", "float32_error"]
"""Quantities in the units of the data: summed up as shares of its scale."""


def summarise(networks: pd.DataFrame) -> pd.DataFrame:
    """Mean, median and range of each quantity at each point of the sweeps over one number.

    Args:
        networks: the table interpolation_networks; rows of the sweep over families have no axis and are left out.

    Returns:
        a row a point and quantity: the columns of `POINT`, `quantity`, `data_sets` (those with a finite value), `mean`, `median`, `low`, `high`.
    """
    swept = networks[networks["sweep"] != "family"]
    shares = swept[LENGTHS].div(swept["scale"], axis=0)
    values = pd.concat([swept[POINT], swept[COUNTS], shares], axis=1)
    long = values.melt(POINT, var_name="quantity", value_name="value")
    order = {name: place for place, name in enumerate([*COUNTS, *LENGTHS])}
    groups = long.groupby([*POINT, "quantity"])["value"]
    table = groups.agg(data_sets="count", mean="mean", median="median", low="min", high="max").reset_index()
    table = table.sort_values([*POINT, "quantity"], key=lambda column: column.map(order) if column.name == "quantity" else column)
    return table.replace([np.inf, -np.inf], np.nan).reset_index(drop=True)
