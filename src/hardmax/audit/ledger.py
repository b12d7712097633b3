"""The ledger: every claim with its verdict and evidence, as tables and as a page."""

from collections.abc import Sequence

import pandas as pd
from jinja2 import Environment, PackageLoader, select_autoescape


def ledger(verdicts: Sequence[pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The claims, and the amendments of those that do not stand as written, with the same columns."""
    rows = pd.concat(verdicts, ignore_index=True)
    written = rows["variant"] == "as written"
    claims, amendments = (rows[mask].drop(columns="variant").reset_index(drop=True) for mask in (written, ~written))
    return claims, amendments


def page(claims: pd.DataFrame, amendments: pd.DataFrame) -> str:
    """The ledger as one HTML page; all text escaped."""
    environment = Environment(loader=PackageLoader("hardmax.audit"), autoescape=select_autoescape(default=True))
    rows = [row | {"amendments": amendments[amendments["claim"] == row["claim"]].to_dict("records")} for row in claims.to_dict("records")]
    return environment.get_template("ledger.html").render(claims=rows)
