import re
import sys
from pathlib import Path
from typing import NamedTuple

from hardmax.audit.sources import ROOT, source_files
from hardmax.configuration import load_yaml, validate
from hardmax.errors import InputError

REPOSITORY = Path(workflow.basedir)


class Figure(NamedTuple):
    """A figure: its topic's heading in the report, and the tables it is a function of, by argument name."""

    topic: str
    tables: dict
    animation: bool = False


class Claim(NamedTuple):
    """A claim: its package, the tables its verdict needs beside its falsification, the figure that shows it, and
    whether counterexamples can be searched for (a statistical claim rests on its tables alone).
    """

    topic: str
    tables: dict
    figure: str
    falsify: bool = True


FIGURES: dict[str, Figure] = {}
CLAIMS: dict[str, Claim] = {}


def check_config():
    """Stop before any job with one line where the configuration breaks its schema."""
    try:
        validate(config, load_yaml(REPOSITORY / "workflow/schemas/config.schema.yaml"))
    except InputError as error:
        sys.exit(f"error: {error}")


def from_here(file):
    """The file's path, relative to the working folder where that is possible."""
    return str(
        file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
    )


def modules(*names):
    """Source files of the package that the named modules depend on."""
    return [from_here(file) for file in source_files(*names)]


def caption(figure):
    """Text of a figure's caption."""
    return (REPOSITORY / f"workflow/report/{figure}.rst").read_text()


def figure_files(name):
    """The files of a figure: vector and PNG, or an animation."""
    endings = ["gif"] if FIGURES[name].animation else ["pdf", "png"]
    return [f"results/figures/{name}.{ending}" for ending in endings]


def topics():
    """Topics that have claims, in the order they are included."""
    return list(dict.fromkeys(claim.topic for claim in CLAIMS.values()))


def claims_of(topic):
    """Claims of one topic, in order."""
    return [name for name, claim in CLAIMS.items() if claim.topic == topic]


def published_tables():
    """Tables that figures draw and verdicts rest on."""
    drawn = [path for each in FIGURES.values() for path in each.tables.values()]
    judged = [path for claim in CLAIMS.values() for path in claim.tables.values()]
    searched = [
        f"results/tables/falsification/{claim}.csv" for claim in falsified(CLAIMS)
    ]
    return list(dict.fromkeys([*drawn, *judged, *searched]))


def falsified(claims):
    """Those of the claims that have a search for counterexamples."""
    return [name for name in claims if CLAIMS[name].falsify]


def any_of(names):
    """A wildcard constraint that matches exactly these names."""
    return "|".join(map(re.escape, names)) or "(?!)"


def growing(amount):
    """A resource that a job gets more of each time it is tried again."""
    return lambda wildcards, attempt: amount * attempt


def package_file(name):
    """A data file of the package."""
    return from_here(ROOT / name)


def package_files(folder):
    """The files of a folder of the package."""
    return [
        package_file(f"{folder}/{file.name}")
        for file in sorted((ROOT / folder).iterdir())
    ]


def configuration_file():
    """The configuration file of this run, as a reader would name it."""
    return " ".join(from_here(Path(file)) for file in workflow.configfiles)


def raw_reviews(wildcards):
    """The reviews as a file of the workflow, where they are one; a missing one is reported by the job itself."""
    path = config["data"]["path"]
    return [path] if path and Path(path).exists() else []
