"""What a job checks around its work: its inputs are what their cards say, and its source stayed the same while it ran."""

import json
from collections.abc import Iterable
from pathlib import Path

import psutil

from hardmax.audit.card import sha256
from hardmax.errors import InputError


def check_inputs(paths: Iterable[Path | str]) -> None:
    """Compare each file that has a card beside it with the checksum in the card; other files are not looked at.

    Raises:
        InputError: names the file that was changed, cut short or damaged after the job that made it, and what to do.
    """
    for path in map(Path, paths):
        beside = path.with_suffix(".card.json")
        if not path.is_file() or not beside.is_file():
            continue
        advice = f"delete it (rm {path}) and run again"
        try:
            expected = {Path(output["path"]).name: output["sha256"] for output in json.loads(beside.read_text(encoding="utf-8"))["outputs"]}
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{beside}: expected the card of {path.name}, found something else; {advice}") from None
        found = sha256(path)
        if expected.get(path.name, found) != found:
            raise InputError(
                f"{path}: expected the file its card describes (sha256 {expected[path.name][:12]}), found {found[:12]}; {advice}"
            )


def check_sources(paths: Iterable[Path | str]) -> None:
    """Make sure that no source file was edited since this process started: its result would look newer than the edit, and stay.

    Raises:
        InputError: names the file.
    """
    started = psutil.Process().create_time()
    for path in map(Path, paths):
        if not path.is_file() or path.stat().st_mtime > started:
            raise InputError(f"{path}: expected to stay as it was, found it edited while the job ran; run again")
