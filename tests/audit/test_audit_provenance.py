import json
import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from hardmax.audit import captions, notes
from hardmax.audit.checks import checks
from hardmax.audit.facts import cost
from hardmax.audit.provenance import Provenance, name_of, runs
from hardmax.errors import InputError


def fake(rule: str, inputs: list[str], outputs: list[str], started: str = "2026-01-01T00:00:00.000+00:00", seconds: float = 1.0) -> dict:
    def files(paths: list[str]) -> list[dict]:
        return [{"path": path, "sha256": "0"} for path in paths]

    return {
        "rule": rule,
        "wildcards": {},
        "inputs": files(inputs),
        "outputs": files(outputs),
        "cost": {"started": started, "wall_seconds": seconds, "cpu_seconds": 1.0, "peak_memory_mb": 1.0},
        "host": {"threads": 1},
        "code": {"commit": None, "dirty": None},
    }


def test_ancestry_goes_back_to_the_raw_data_each_job_once(tmp_path) -> None:
    cards = {
        "results/figures/f.card.json": fake(
            "figure", ["results/tables/b.csv", "results/tables/a.csv"], ["results/figures/f.pdf", "results/figures/f.png"]
        ),
        "results/tables/b.card.json": fake("b", ["results/tables/a.csv"], ["results/tables/b.csv"]),
        "results/tables/a.card.json": fake("a", ["data/raw.csv"], ["results/tables/a.csv"]),
        "results/tables/other.card.json": fake("other", [], ["results/tables/other.csv"]),
    }
    for path, card in cards.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(json.dumps(card))
    found = Provenance.of_folder(tmp_path / "results")
    assert [name_of(card) for card in found.ancestry(["results/figures/f.png"])] == ["figure", "b", "a"]
    assert found.paths["results/figures/f.png"] == "results/figures/f.card.json"
    (tmp_path / "results/tables/a.card.json").write_text("{")
    with pytest.raises(InputError, match=r"a\.card\.json"):
        Provenance.of_folder(tmp_path / "results")


def test_runs_are_split_where_nothing_ran() -> None:
    cards = [
        fake("late", [], ["c"], "2026-01-02T00:00:00.000+00:00", 2.0),
        fake("second", [], ["b"], "2026-01-01T00:00:30.500+00:00", 10.0),
        fake("first", [], ["a"], "2026-01-01T00:00:00.000+00:00", 1500.0),
        fake("third", [], ["d"], "2026-01-01T00:30:00.000+00:00", 1.0),
    ]
    found = runs(cards)
    assert [[job["job"] for job in run["jobs"]] for run in found] == [["first", "second", "third"], ["late"]]
    assert [run["seconds"] for run in found] == [1801.0, 2.0]
    assert found[0]["jobs"][1]["start"] == 30.5
    assert runs([]) == []


def test_cost_is_of_this_process() -> None:
    import time

    import psutil

    before = psutil.Process().create_time()
    found = cost()
    assert found["started"].endswith("+00:00")
    assert 0 < found["wall_seconds"] < time.time() - before + 1
    assert found["peak_memory_mb"] >= psutil.Process().memory_info().rss / 2**20 * 0.5


def test_captions_become_html_and_nothing_of_them_runs() -> None:
    text = "Cells of *polytopes*, 3.5 wide: :math:`\\beta^2`. Then <script>alert(1)</script>.\n\n.. raw:: html\n\n   <b>no</b>\n"
    found = captions.html(text)
    assert "<em>polytopes</em>" in found and "<math" in found
    assert "<script>" not in found and "<b>no</b>" not in found
    assert "&lt;script&gt;" in found
    assert captions.title("Cells of polytopes, d = 3.5 wide. Then more.") == "Cells of polytopes, d = 3.5 wide"
    assert captions.plain("Two\nlines of ``code``.") == "Two lines of code."
    assert (
        captions.title("Where it leads, {x in K : x >= eta}, in [0, 1): white. Then more.")
        == "Where it leads, {x in K : x >= eta}, in [0, 1)"
    )


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "workflow/report").glob("*.rst")), ids=lambda path: path.stem)
def test_every_title_is_whole(path: Path) -> None:
    """Braces and brackets close (either kind of bracket, since an interval may be half open), and the end is a word or a bracket."""
    title = captions.title(path.read_text(encoding="utf-8"))
    assert title.count("{") == title.count("}")
    assert sum(map(title.count, "([")) == sum(map(title.count, ")]"))
    assert re.search(r"[\w)}\]|]$", title)
    assert not re.search(r"\b(a|an|and|by|for|in|of|the|with)$", title)


def test_checks_show_the_code_that_runs(monkeypatch) -> None:
    from functools import partial
    from types import SimpleNamespace

    statement = SimpleNamespace(hypotheses={"named": fake, "bound": partial(fake, "x"), "built in": len})
    monkeypatch.setitem(__import__("sys").modules, "hardmax.specimen.statements", SimpleNamespace(STATEMENTS={"CL-1": statement}))
    found = checks("specimen", "CL-1")
    assert [each["words"] for each in found] == ["named", "bound", "built in"]
    assert found[0]["code"].startswith("def fake(") and found[0]["code"] == found[1]["code"]
    assert found[0]["place"].startswith("test_audit_provenance.py:")
    assert found[2]["place"] == ""


NOTE = {
    "id": "alpha-unconstrained",
    "paper": "2407.01602",
    "paper_says": "alpha is nonnegative.",
    "script_does": "clamps a copy.",
    "effects": [
        {
            "quantity": "accuracy",
            "paper": {"table": "results/tables/t.csv", "where": {"variant": "paper"}, "column": "accuracy"},
            "script": {"table": "results/tables/t.csv", "where": {"variant": "script"}, "column": "accuracy"},
        }
    ],
}


def test_effects_of_script_differences_are_looked_up() -> None:
    table = pd.DataFrame({"variant": ["paper", "script"], "accuracy": [0.8, 0.7]})
    written = {"script_differences": [NOTE], "untested": []}
    assert notes.tables_of(written) == ["results/tables/t.csv"]
    effect = notes.measured(written, lambda path: table)[0]["effects"][0]
    assert (effect["paper"]["value"], effect["script"]["value"]) == (0.8, 0.7)
    assert effect["script"]["row"] == "variant = script"


@pytest.mark.parametrize("drop", ["effects", "paper_says", "id"])
def test_a_note_without_its_effect_or_words_is_one_line(tmp_path, drop) -> None:
    note = {key: value for key, value in NOTE.items() if key != drop}
    (tmp_path / "n.yaml").write_text(yaml.safe_dump({"script_differences": [note], "untested": []}))
    with pytest.raises(InputError):
        notes.load_notes(tmp_path / "n.yaml")


def test_the_projects_own_notes_are_right() -> None:
    assert set(notes.load_notes()) == {"script_differences", "untested"}


def test_what_does_not_stand_comes_from_the_ledger() -> None:
    claims = pd.DataFrame({"claim": ["A", "B", "C", "D"], "verdict": ["supported", "amended", "refuted", "inconclusive"]})
    amendments = pd.DataFrame(
        {"claim": ["A", "A", "B", "B"], "statement": ["u", "v", "x", "y"], "verdict": ["supported", "refuted", "refuted", "supported"]}
    )
    found = notes.standing(claims, amendments)
    assert [(row["claim"], len(row["amendments"])) for row in found["broken"]] == [("B", 2), ("C", 0)]
    assert [row["claim"] for row in found["undecided"]] == ["D"]
    assert [(row["claim"], row["statement"]) for row in found["misread"]] == [("A", "v")]
