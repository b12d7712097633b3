"""Cards as a graph: what made a file, from what, back to the raw data."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from hardmax.audit.formats import read

Card = dict[str, Any]


@dataclass
class Provenance:
    """The cards of a folder of results, found by the files they are about.

    Attributes:
        by_output: output's path -> card.
        paths: output's path -> the card's own path.
    """

    by_output: dict[str, Card] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_folder(cls, results: Path) -> "Provenance":
        """Read every card below a folder; their paths are as written from the folder's parent.

        Raises:
            InputError: a card is cut short.
        """
        found = cls()
        for path in sorted(results.rglob("*.card.json")):
            if path.name.startswith("."):
                continue
            card = read(path)
            for output in card["outputs"]:
                found.by_output[output["path"]] = card
                own = path.relative_to(results.parent).as_posix()
                if own.removesuffix(".card.json") == output["path"].rsplit(".", 1)[0]:
                    found.paths[output["path"]] = own
        return found

    def ancestry(self, paths: Iterable[str]) -> list[Card]:
        """Cards of the jobs behind these files, nearest first, each once."""
        seen: dict[str, Card] = {}
        level = list(paths)
        while level:
            cards = [self.by_output[path] for path in level if path in self.by_output]
            fresh = {name_of(card): card for card in cards if name_of(card) not in seen}
            seen |= fresh
            level = [item["path"] for card in fresh.values() for item in card["inputs"]]
        return list(seen.values())


def of_this_run(root: Path) -> set[str]:
    """Paths of the tables, figures, models and cards behind the pages of the site: what lies beside them is left over from another run."""
    provenance = Provenance.of_folder(root / "results")
    shown = {page.stem for page in (root / "results/audit/figures").glob("*.html")}
    ends = [path for path in provenance.by_output if path.startswith("results/figures/") and Path(path).stem in shown]
    ends += [path for path in provenance.by_output if path.startswith("results/audit/")] + ["results/tables/data_card.json"]
    made = {item["path"] for card in provenance.ancestry(ends) for item in card["outputs"]}
    return made | {provenance.paths[path] for path in made if path in provenance.paths}


def name_of(card: Card) -> str:
    """The job: its rule and the values of its wildcards, as `figure clustering_panels`."""
    return " ".join([card["rule"], *(value for _, value in sorted(card["wildcards"].items()))])


def runs(cards: Iterable[Card], idle_seconds: float = 600.0) -> list[dict[str, Any]]:
    """Jobs by start, split into runs where nothing ran for `idle_seconds`.

    Returns:
        for each run its length in `seconds`, and its `jobs`, each with `job`, `start` in seconds from the run's first start, `seconds`, `cpu_seconds`, `peak_memory_mb`,
        `threads`, `commit`, `dirty`, `began` (UTC, to the second).
    """
    jobs = sorted(((datetime.fromisoformat(card["cost"]["started"]), card) for card in cards), key=lambda pair: pair[0])
    found: list[dict[str, Any]] = []
    origin = end = None
    for started, card in jobs:
        if origin is None or end is None or started.timestamp() - end > idle_seconds:
            origin, end = started, started.timestamp()
            found.append({"seconds": 0.0, "jobs": []})
        cost = card["cost"]
        found[-1]["jobs"].append(
            {
                "job": name_of(card),
                "start": (started - origin).total_seconds(),
                "seconds": cost["wall_seconds"],
                "cpu_seconds": cost["cpu_seconds"],
                "peak_memory_mb": cost["peak_memory_mb"],
                "threads": card["host"]["threads"],
                "commit": card["code"]["commit"],
                "dirty": card["code"]["dirty"],
                "began": started.strftime("%Y-%m-%d %H:%M:%S"),
            }
        )
        end = max(end, started.timestamp() + cost["wall_seconds"])
        found[-1]["seconds"] = end - origin.timestamp()
    return found
