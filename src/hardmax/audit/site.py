"""The audit as a static site: a page a figure and a claim, the ledger, published values, data, timeline, notes and glossary."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined

from hardmax.audit import captions, drawing, notes
from hardmax.audit.checks import checks
from hardmax.audit.formats import read
from hardmax.audit.provenance import Card, Provenance, name_of, runs
from hardmax.audit.tables import preview
from hardmax.falsify import AS_WRITTEN

PAGES = ("index", "figures", "published", "data", "timeline", "notes", "glossary")


@dataclass(frozen=True)
class Site:
    """What the pages are made of.

    Attributes:
        root: folder that holds `results`.
        figures: name -> topic's heading, tables by argument name, animation, caption.
        claims: id -> topic's package, tables, figure, falsify.
        config: the configuration file, as given to Snakemake.
        values: the whole configuration of the run.
        schemas: folder of the tables' schemas.
        notes: file of the notes written by hand.
    """

    root: Path
    figures: Mapping[str, Mapping[str, Any]]
    claims: Mapping[str, Mapping[str, Any]]
    config: str
    values: Mapping[str, Any]
    schemas: Path
    notes: Path = notes.FILE

    def pages(self) -> dict[str, dict[str, str]]:
        """All pages as HTML: `pages` (`PAGES`), `figures` and `claims` by name, and `alone`: the ledger for the report, and the
        configuration as YAML.
        """
        return {
            "pages": {name: getattr(self, f"_{name}")() for name in PAGES},
            "figures": {name: self._figure_page(name) for name in self.figures},
            "claims": {claim: self._claim_page(claim) for claim in self.claims},
            "alone": {
                "ledger": self._render("ledger.html", "", claims=self._ledger, alone=True),
                "configuration": _yaml(dict(self.values)),
            },
        }

    @cached_property
    def _environment(self) -> Environment:
        environment = Environment(
            loader=PackageLoader("hardmax.audit"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        environment.filters |= {"num": number, "yaml": _yaml, "job": name_of, "missing": is_missing, "script": self._script}
        return environment

    def _render(self, template: str, up: str, **values: Any) -> str:
        here = template.removesuffix(".html").replace("ledger", "index")
        return self._environment.get_template(template).render(up=up, here=here, config=self.config, **values)

    def _read(self, path: str) -> Any:
        return read(self.root / path)

    @cached_property
    def _provenance(self) -> Provenance:
        return Provenance.of_folder(self.root / "results")

    @cached_property
    def _amendments(self) -> pd.DataFrame:
        return self._read("results/audit/amendments.csv").astype({"claim": str})

    @cached_property
    def _published_values(self) -> list[dict[str, Any]]:
        return self._read("results/audit/published.csv").to_dict("records")

    @cached_property
    def _ledger(self) -> list[dict[str, Any]]:
        rows = self._read("results/audit/claims.csv").to_dict("records")
        for row in rows:
            row["topic"] = self.figures[self.claims[row["claim"]]["figure"]]["topic"]
            row["figure_name"] = "" if is_missing(row["figure"]) else Path(row["figure"]).stem
            row["amendments"] = self._amendments[self._amendments["claim"] == row["claim"]].to_dict("records")
        return rows

    def _script(self, rule: str) -> str:
        """The rule's script, which names the module it calls; "" where the rule has none of its name."""
        path = self.schemas.parents[1] / "scripts" / f"{rule}.py"
        return path.read_text(encoding="utf-8").rstrip() if path.is_file() else ""

    def _targets(self, figure: str) -> list[str]:
        endings = ["gif"] if self.figures[figure]["animation"] else ["png", "pdf"]
        return [f"results/figures/{figure}.{ending}" for ending in endings]

    def _behind(self, paths: list[str]) -> list[Card]:
        return self._provenance.ancestry(paths)

    def _file(self, path: str) -> dict[str, Any]:
        """A file with the links to it and to its card, from a page one folder below `results/audit`."""
        card = self._provenance.paths.get(path)
        inside = path.removeprefix("results/")
        return {"path": path, "link": inside, "card": card.removeprefix("results/") if card else None}

    @cached_property
    def _previews(self) -> dict[str, dict[str, Any]]:
        """Each table that a figure is drawn from, once."""
        found = {}
        for path in sorted({path for figure in self.figures.values() for path in figure["tables"].values()}):
            value = self._read(path)
            shown = preview(path, value, self.schemas) if isinstance(value, pd.DataFrame) else {"path": path, "rows": None}
            found[path] = self._file(path) | shown
        return found

    def _figure_page(self, name: str) -> str:
        figure = self.figures[name]
        targets = self._targets(name)
        tables = list(dict.fromkeys(figure["tables"].values()))
        claims = [row for row in self._ledger if row["figure_name"] == name or row["table"] in tables]
        return self._render(
            "figure.html",
            "../",
            name=name,
            topic=figure["topic"],
            title=captions.title(figure["caption"]),
            words=captions.plain(figure["caption"]),
            caption=captions.html(figure["caption"]),
            image=self._file(targets[0]),
            files=[self._file(path) for path in targets],
            tables=[self._previews[path] for path in tables],
            claims=claims,
            published=[row for row in self._published_values if row["figure"] == name],
            cards=self._behind(targets),
            target=targets[0],
        )

    def _claim_page(self, claim: str) -> str:
        row = next((row for row in self._ledger if row["claim"] == claim), None)
        if row is None:
            raise KeyError(f"the ledger has no row for {claim}")
        entry = self.claims[claim]
        searched = f"results/tables/falsification/{claim}.csv" if entry["falsify"] else None
        families = self._read(searched).to_dict("records") if searched else []
        document = None if is_missing(row["counterexample"]) else self._read(row["counterexample"])
        tables = list(dict.fromkeys([*([searched] if searched else []), *entry["tables"].values()]))
        return self._render(
            "claim.html",
            "../",
            claim=row,
            checks=checks(entry["topic"], claim) if searched else [],
            accepted=_accepted(families),
            families=families,
            document=document,
            drawing=drawing.draw(document) if document else "",
            tables=[self._file(path) for path in tables],
            cards=self._behind([f"results/audit/verdicts/{entry['topic']}.csv"]) if not searched else self._behind([searched]),
            target=searched or f"results/audit/verdicts/{entry['topic']}.csv",
        )

    def _index(self) -> str:
        return self._render("ledger.html", "", claims=self._ledger, alone=False)

    def _figures(self) -> str:
        shown = [
            {
                "name": name,
                "topic": figure["topic"],
                "title": captions.title(figure["caption"]),
                "image": self._file(self._targets(name)[0]),
            }
            for name, figure in self.figures.items()
        ]
        topics = list(dict.fromkeys(figure["topic"] for figure in shown))
        return self._render("figures.html", "", topics=topics, figures=shown)

    def _published(self) -> str:
        return self._render("published.html", "", published=self._published_values, figures=self.figures)

    def _data(self) -> str:
        path = "results/tables/data_card.json"
        return self._render("data.html", "", card=self._read(path), file=self._file(path))

    def _timeline(self) -> str:
        ends = [
            *(target for name in self.figures for target in self._targets(name)),
            "results/audit/claims.csv",
            "results/audit/published.csv",
        ]
        cards = self._behind(ends)
        hosts = list({_yaml(card["host"] | {"threads": "", "libraries": ""}): card["host"] for card in cards}.values())
        return self._render("timeline.html", "", runs=runs(cards), hosts=hosts)

    def _notes(self) -> str:
        written = notes.load_notes(self.notes)
        return self._render(
            "notes.html",
            "",
            differences=notes.measured(written, self._read),
            untested=written["untested"],
            beyond=[row for row in self._published_values if row["agreement"] == "beyond"],
            **notes.standing(pd.DataFrame(self._ledger), self._amendments),
        )

    def _glossary(self) -> str:
        return self._render("glossary.html", "")


def _accepted(families: list[dict[str, Any]]) -> dict[str, int]:
    """How many trials of the statement as written each hypothesis accepts by itself, over all families."""
    total: dict[str, int] = {}
    for family in families:
        if family["variant"] == AS_WRITTEN:
            for words, count in json.loads(family["accepted"]).items():
                total[words] = total.get(words, 0) + count
    return total


def is_missing(value: Any) -> bool:
    """Whether a cell of a table is empty."""
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def number(value: Any, digits: int = 4) -> str:
    """A number for people: significant digits, a real minus sign, a dash where there is none."""
    if is_missing(value):
        return "–"
    if isinstance(value, bool | str):
        return str(value)
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}".replace("-", "−").replace(",", " ")
    return f"{value:.{digits}g}".replace("-", "−")


def _yaml(value: Any) -> str:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100, default_flow_style=None).strip()
