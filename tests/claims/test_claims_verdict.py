from math import isnan

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

from hardmax.claims.verdict import COLUMNS, falsification_verdict
from hardmax.falsify import AS_WRITTEN
from hardmax.falsify import COLUMNS as FALSIFICATION_COLUMNS


def _rows(*rows: dict) -> pd.DataFrame:
    base = {"claim": "FW-3", "paper": "2508.09628", "variant": AS_WRITTEN, "statement": "as it stands", "hypotheses": "B >= 0"}
    base |= {
        "family": "generic",
        "trials": 100,
        "met": 100,
        "violations": 0,
        "on_tie": 0,
        "worst_margin": -0.5,
        "measured": 1.0,
        "bound": 2.0,
    }
    base |= {"relation": "<=", "interval_low": np.nan, "interval_high": np.nan, "confidence": np.nan, "counterexample": None}
    return pd.DataFrame([base | row for row in rows], columns=list(FALSIFICATION_COLUMNS))


AMENDMENT = {"variant": "amendment-1", "statement": "mended"}


@pytest.mark.parametrize(
    ("rows", "word", "amendment"),
    [
        ([{}], "supported", ""),
        ([{}, AMENDMENT], "supported", ""),
        ([{"met": 0}], "inconclusive", ""),
        ([{"violations": 1, "counterexample": "{}"}], "refuted", ""),
        ([{"violations": 1, "counterexample": "{}"}, AMENDMENT], "amended", "mended"),
        ([{"violations": 1, "counterexample": "{}"}, AMENDMENT | {"violations": 2}], "refuted", "mended"),
        ([{"violations": 1, "counterexample": "{}"}, AMENDMENT | {"met": 0}], "refuted", "mended"),
    ],
)
def test_words(rows: list[dict], word: str, amendment: str) -> None:
    verdict = falsification_verdict(_rows(*rows))
    assert (verdict.verdict, verdict.amendment) == (word, amendment)
    assert verdict.counterexample == ("results/audit/counterexamples/FW-3.json" if "counterexample" in rows[0] else "")


def test_families_are_summed_and_the_worst_one_is_shown() -> None:
    verdict = falsification_verdict(
        _rows(
            {},
            {"family": "edge", "worst_margin": -0.1, "measured": 3.0, "bound": 3.1},
            {"family": "none", "met": 0, "worst_margin": np.nan},
        )
    )
    assert (verdict.trials, verdict.violations, verdict.measured, verdict.bound) == (200, 0, 3.0, 3.1)
    assert verdict.interval_low == 0.0
    assert verdict.interval_high == pytest.approx(beta.ppf(0.975, 1, 200), rel=1e-12)


def test_a_row_of_the_ledger_has_the_fixed_columns() -> None:
    fixed = "claim,paper,statement,hypotheses,verdict,trials,violations,measured,bound,interval_low,interval_high,amendment,counterexample,table,figure"
    assert ",".join(COLUMNS) == fixed
    verdict = falsification_verdict(_rows({"met": 0, "measured": np.nan, "bound": np.nan, "worst_margin": np.nan}))
    assert list(verdict.row()) == COLUMNS
    assert isnan(verdict.measured)


def test_the_interval_of_a_rate_is_kept_and_a_counterexample_is_the_written_statements() -> None:
    broken = {"violations": 1, "counterexample": "{}"}
    verdict = falsification_verdict(_rows(broken | {"interval_low": 0.2, "interval_high": 0.3}, AMENDMENT | broken))
    assert (verdict.interval_low, verdict.interval_high) == (0.2, 0.3)
    assert verdict.counterexample and verdict.amendments[0].counterexample == ""
    assert verdict.amendments[0].interval_low == pytest.approx(beta.ppf(0.025, 1, 100))
