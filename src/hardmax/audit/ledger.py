"""The ledger: every claim with its verdict and evidence, as tables."""

from collections.abc import Sequence

import pandas as pd

from hardmax.falsify import AS_WRITTEN


def ledger(verdicts: Sequence[pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The claims, and the amendments of those that do not stand as written, with the same columns."""
    rows = pd.concat(verdicts, ignore_index=True)
    written = rows["variant"] == AS_WRITTEN
    claims, amendments = (rows[mask].drop(columns="variant").reset_index(drop=True) for mask in (written, ~written))
    return claims, amendments
