"""A small folder of results, as a run leaves it, with words in it that a careless page would run."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pandas as pd

from hardmax.audit import formats
from hardmax.audit.card import card
from hardmax.audit.counterexamples import write_counterexamples
from hardmax.audit.published import compare
from hardmax.audit.site import Site
from hardmax.claims.verdict import COLUMNS
from hardmax.figures import style

HOSTILE = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror="document.title=\'owned\'">',
    "{{ 7 * 7 }}",
    "' onmouseover='document.title=1",
    "javascript:document.title='owned'",
    "&lt;b&gt; & <b>",
)
CAPTION = "Values against steps, with the word {word}. The dashed line is the bound :math:`\\beta^2 < 1`.\n"
REPOSITORY = Path(__file__).parents[2]
FIGURES = {
    "specimen_curve": {"topic": "Clustering", "tables": {"curve": "results/tables/specimen_curve.csv"}, "animation": False},
    "specimen_words": {"topic": "Sentiment", "tables": {"words": "results/tables/specimen_words.csv"}, "animation": False},
    "specimen_moving": {"topic": "Sentiment", "tables": {"curve": "results/tables/specimen_curve.csv"}, "animation": True},
}
CLAIMS = {
    "CL-1": {"topic": "specimen", "tables": {}, "figure": "specimen_curve", "falsify": True},
    "FW-2": {"topic": "specimen", "tables": {}, "figure": "specimen_curve", "falsify": True},
    "FW-3": {"topic": "specimen", "tables": {}, "figure": "specimen_moving", "falsify": True},
    "SE-1": {"topic": "sentiment", "tables": {"words": "results/tables/specimen_words.csv"}, "figure": "specimen_words", "falsify": False},
}
PUBLISHED = [
    {
        "id": f"specimen-{step}",
        "figure": "specimen_curve",
        "table": "results/tables/specimen_curve.csv",
        "where": {"step": step},
        "column": "value",
        "value": value,
        "tolerance": 0.01,
        "why": "sampling error of 1,000 draws",
        "source": HOSTILE[0],
        "how_read": "read off a figure",
    }
    for step, value in ((0, 1.0), (1, 0.9), (99, 0.1))
]
NOTES = {
    "script_differences": [
        {
            "id": "one-step-more",
            "paper": "2407.01602",
            "paper_says": "One step.",
            "script_does": HOSTILE[0],
            "effects": [
                {
                    "quantity": "value",
                    "paper": {"table": "results/tables/specimen_curve.csv", "where": {"step": 1}, "column": "value"},
                    "script": {"table": "results/tables/specimen_curve.csv", "where": {"step": 2}, "column": "value"},
                }
            ],
        }
    ],
    "untested": [{"what": HOSTILE[4], "why": "no trial", "paper": "2407.01602"}],
}
DOCUMENTS = {
    "FW-2": {"inputs": {"tokens": [["1/2", 1], [-1, 0], [2, "-3/4"], [2, "-3/4"]], "B": [[1, 0], [0, 1]]}, "step": 1, "token": 2},
    "FW-3": {"inputs": {"family": "gaussian", "successes": 3, "trials": 50, "confidence": "199/200"}, "step": None, "token": None},
}


def _is_positive(instances: dict) -> np.ndarray:
    """Every coordinate is above zero: a check with a < and an & in its code."""
    return (instances["x"] > 0).all(axis=(1, 2)) & ~(instances["x"] < 0).any(axis=(1, 2))


def _write(path: str, value: object) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(formats.serialise(value, Path(path).suffix))


def _card(path: str, rule: str, inputs: list[str], outputs: list[str], **wildcards: str) -> None:
    facts = card(
        rule=rule,
        wildcards=wildcards,
        configuration={"seed": 7, "word": HOSTILE[0]},
        streams=[rule],
        inputs=inputs,
        sources=[],
        outputs=outputs,
        threads=1,
    )
    _write(path, facts)


def _falsification(claim: str) -> pd.DataFrame:
    document = DOCUMENTS.get(claim)
    if document is not None:
        document = {"claim": claim, "variant": "as written", **document, "left": "5/4", "relation": "<=", "right": "1/10"}
        document |= {"exact": claim == "FW-2", "on_tie": claim == "FW-2"}
    row = {
        "claim": claim, "paper": "2508.09628v1", "variant": "as written", "statement": f"x <= {HOSTILE[1]}", "hypotheses": "x > 0", "family": "total",
        "trials": 100, "accepted": json.dumps({"x > 0": 50, "always": 100}), "met": 50, "violations": int(document is not None), "on_tie": 0, "worst_margin": -0.25, "measured": 0.5, "bound": 0.75,
        "relation": "<=", "interval_low": np.nan, "interval_high": np.nan, "confidence": np.nan,
        "counterexample": json.dumps(document) if document else None,
    }  # fmt: skip
    return pd.DataFrame([row])


def _claims() -> tuple[pd.DataFrame, pd.DataFrame]:
    rows = []
    for number, (claim, verdict) in enumerate({"CL-1": "supported", "FW-2": "amended", "FW-3": "refuted", "SE-1": "inconclusive"}.items()):
        row = dict.fromkeys(COLUMNS, "") | {
            "claim": claim, "paper": "2407.01602" if claim in ("CL-1", "SE-1") else "2508.09628v1", "statement": f"Statement {HOSTILE[number]}",
            "hypotheses": "x > 0", "verdict": verdict, "trials": (5, 1000, 30, 0)[number], "violations": (0, 3, 1, 0)[number],
            "measured": (0.5, -2.0, 10.0, np.nan)[number], "bound": 1.0, "interval_low": 0.0, "interval_high": 0.1,
            "table": f"results/tables/falsification/{claim}.csv" if claim != "SE-1" else "results/tables/specimen_words.csv",
            "figure": f"results/figures/{CLAIMS[claim]['figure']}.{'gif' if claim == 'FW-3' else 'pdf'}",
            "counterexample": f"results/audit/counterexamples/{claim}.json" if claim in DOCUMENTS else "",
        }  # fmt: skip
        rows.append(row)
    claims = pd.DataFrame(rows, columns=COLUMNS)
    amendment = claims[claims["claim"] == "FW-2"].assign(statement="Statement for x > 1", verdict="supported", violations=0)
    return claims, amendment


def build(root: Path) -> Path:
    """Write tables, figures, cards, ledger and site below `root`; returns `results/audit` there."""
    before = Path.cwd()
    os.chdir(root)
    try:
        return _build(root)
    finally:
        os.chdir(before)


def _build(root: Path) -> Path:
    from hardmax.figures.animation import gif

    curve = pd.DataFrame({"step": range(3), "value": [1.0, 0.5, 0.25]})
    _write("results/tables/specimen_curve.csv", curve)
    _write("results/tables/specimen_words.csv", pd.DataFrame({"word": HOSTILE, "count": range(len(HOSTILE))}))
    data = {"source": {"origin": HOSTILE[1], "sha256": "0" * 64}, "reviews": {"read": 25000, "share": 0.5}}
    _write("results/tables/data_card.json", data)
    for name in ("specimen_curve", "specimen_words", "data_card"):
        ending = "json" if name == "data_card" else "csv"
        _card(f"results/tables/{name}.card.json", name, [], [f"results/tables/{name}.{ending}"])
    for name, entry in FIGURES.items():
        figure, axes = style.subplots(width="column", height=2.0)
        axes.plot(curve["step"], curve["value"])
        files = [f"results/figures/{name}.{ending}" for ending in (["gif"] if entry["animation"] else ["pdf", "png"])]
        for file in files:
            _write(file, gif([figure], 0.2) if entry["animation"] else figure)
        _card(f"results/figures/{name}.card.json", "figure", list(entry["tables"].values()), files, figure=name)
    searched = [claim for claim, entry in CLAIMS.items() if entry["falsify"]]
    for claim in searched:
        _write(f"results/tables/falsification/{claim}.csv", _falsification(claim))
        _card(f"results/tables/falsification/{claim}.card.json", "falsify", [], [f"results/tables/falsification/{claim}.csv"], claim=claim)
    claims, amendments = _claims()
    _write("results/audit/claims.csv", claims)
    _write("results/audit/amendments.csv", amendments)
    _card(
        "results/audit/claims.card.json",
        "ledger",
        [f"results/tables/falsification/{c}.csv" for c in searched],
        ["results/audit/claims.csv"],
    )
    _write("results/audit/published.csv", compare(PUBLISHED, formats.read, {}))
    write_counterexamples((_falsification(claim) for claim in searched), Path("results/audit/counterexamples"))
    statement = SimpleNamespace(hypotheses={"x > 0": _is_positive, "always": lambda instances: instances["x"] == instances["x"]})
    specimen = SimpleNamespace(STATEMENTS=dict.fromkeys(searched, statement))
    figures = {name: entry | {"caption": CAPTION.format(word=HOSTILE[0])} for name, entry in FIGURES.items()}
    Path("notes.yaml").write_text(json.dumps(NOTES))
    site = Site(root, figures, CLAIMS, "config/smoke.yaml", {"seed": 7}, REPOSITORY / "workflow/schemas/tables", Path("notes.yaml"))
    with mock.patch.dict("sys.modules", {"hardmax.specimen.statements": specimen}):
        for kind, pages in site.pages().items():
            for name, text in pages.items():
                ending = "yaml" if name == "configuration" else "html"
                _write(f"results/audit/{'' if kind in ('pages', 'alone') else kind + '/'}{name}.{ending}", text)
    return root / "results/audit"
