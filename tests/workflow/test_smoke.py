"""The workflow as its users run it: end to end, again, after an edit, after a deletion."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
import yaml

from hardmax.audit.card import sha256
from hardmax.claims.verdict import COLUMNS
from sandbox import PART_OF_EVERY_TOPIC, Sandbox

pytestmark = pytest.mark.workflow
Run = Callable[..., subprocess.CompletedProcess[str]]


def _planned(folder: Path, run: Run) -> set[str]:
    """The outputs that a run would make again, by Snakemake's summary."""
    summary = run(folder, "--summary")
    assert summary.returncode == 0, summary.stderr[-2000:]
    rows = [line.split("\t") for line in summary.stdout.splitlines()]
    plan = rows[0].index("plan")
    return {row[0] for row in rows[1:] if row[plan] == "update pending"}


def _cards(folder: Path) -> dict[str, dict]:
    """Cards by each output they speak of."""
    cards = {}
    for path in folder.glob("results/**/*.card.json"):
        card = json.loads(path.read_text())
        cards |= {output["path"]: card for output in card["outputs"]}
    return cards


def _downstream(cards: dict[str, dict], changed: set[str]) -> set[str]:
    """Outputs made, directly or through others, from any of the changed files."""
    found: set[str] = set()
    while True:
        more = {
            output
            for output, card in cards.items()
            if output not in found and {entry["path"] for entry in card["inputs"] + card["sources"]} & (changed | found)
        }
        if not more:
            return found
        found |= more


def test_smoke_ends_with_a_verdict_for_every_claim(smoke: Path) -> None:
    claims = pd.read_csv(smoke / "results/audit/claims.csv", keep_default_na=False)
    assert list(claims.columns) == COLUMNS
    expected = [
        f"{topic}-{number}" for topic, count in (("CL", 6), ("IN", 7), ("FW", 13), ("MS", 5), ("SE", 5)) for number in range(1, count + 1)
    ]
    assert sorted(claims["claim"]) == sorted(expected)
    assert set(claims["verdict"]) <= {"supported", "amended", "refuted", "inconclusive"}
    for column in ("counterexample", "table", "figure"):
        missing = [path for path in claims[column] if path and not (smoke / path).exists()]
        assert not missing


def test_every_table_and_figure_has_a_card_that_tells_its_bytes(smoke: Path) -> None:
    cards = _cards(smoke)
    published = [p.relative_to(smoke).as_posix() for p in smoke.glob("results/figures/*") if p.suffix in {".pdf", ".png", ".gif"}]
    published += [p.relative_to(smoke).as_posix() for p in smoke.glob("results/tables/**/*") if p.suffix in {".csv", ".parquet"}]
    assert len(published) > 50
    assert set(published) <= set(cards)
    for path in published:
        entry = next(output for output in cards[path]["outputs"] if output["path"] == path)
        assert entry["sha256"] == sha256(smoke / path)


def test_second_run_does_nothing_and_says_so(smoke: Path, run_snakemake: Run) -> None:
    again = run_snakemake(smoke)
    assert again.returncode == 0
    assert "Nothing to be done" in again.stdout + again.stderr


def test_an_edited_module_reruns_exactly_what_it_feeds(smoke_copy: Path, run_snakemake: Run) -> None:
    cards = _cards(smoke_copy)
    for module in ("src/hardmax/figures/clustering_panels.py", "src/hardmax/frank_wolfe/statements/owners.py"):
        path = smoke_copy / module
        before = path.read_text()
        path.write_text(before + "\n# an edit\n")
        expected = _downstream(cards, {module})
        assert expected
        assert _planned(smoke_copy, run_snakemake) & set(cards) == expected, module
        path.write_text(before)


def test_a_deleted_output_reruns_its_producer_and_what_is_downstream(smoke_copy: Path, run_snakemake: Run) -> None:
    cards = _cards(smoke_copy)
    table = "results/tables/clustering_panels.csv"
    (smoke_copy / table).unlink()
    made_by_one_job = {output["path"] for output in cards[table]["outputs"]}
    assert _planned(smoke_copy, run_snakemake) & set(cards) == made_by_one_job | _downstream(cards, made_by_one_job)


def test_changing_one_number_reruns_only_what_depends_on_it(smoke_copy: Path, run_snakemake: Run) -> None:
    cards = _cards(smoke_copy)
    config = smoke_copy / "config/smoke.yaml"
    text = config.read_text()
    trials = re.search(r"(?m)^  trials: (\d+)$", text)
    assert trials
    config.write_text(text.replace(trials.group(0), f"  trials: {int(trials.group(1)) + 1}"))
    by_themselves = yaml.safe_load(text)["falsification"]["claims"]
    changed = {path for path, card in cards.items() if card["rule"] == "falsify" and card["wildcards"]["claim"] not in by_themselves}
    assert changed
    assert _planned(smoke_copy, run_snakemake) & set(cards) == changed | _downstream(cards, changed)


def test_results_do_not_depend_on_cores_or_the_order_of_jobs(smoke: Path, tmp_path: Path, run_snakemake: Run) -> None:
    """Tables and figures of every topic, made alone and on one core, have the bytes they have in the whole run on two."""
    folder = tmp_path / "one"
    shutil.copytree(smoke, folder, copy_function=shutil.copy2, ignore=shutil.ignore_patterns("results", ".snakemake"))
    run = run_snakemake(folder, *PART_OF_EVERY_TOPIC, cores=1)
    assert run.returncode == 0
    found = Sandbox.at(folder).bytes()
    whole = Sandbox.at(smoke).bytes()
    assert set(PART_OF_EVERY_TOPIC) <= set(found)
    assert found == {path: whole[path] for path in found}
