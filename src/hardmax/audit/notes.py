"""Reproduction notes: what is false as written, where published scripts differ from their papers, what was not tested."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from hardmax.audit.published import describe, find
from hardmax.configuration import load_yaml, validate

FILE = Path(__file__).with_name("notes.yaml")

_CELL = {
    "type": "object",
    "additionalProperties": False,
    "required": ["table", "where", "column"],
    "properties": {"table": {"type": "string", "pattern": "^results/tables/"}, "where": {"type": "object"}, "column": {"type": "string"}},
}
_TEXT = {"type": "string", "minLength": 3}
_EFFECT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["quantity", "paper", "script"],
    "properties": {"quantity": _TEXT, "paper": _CELL, "script": _CELL},
}
_DIFFERENCE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "paper", "paper_says", "script_does"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z0-9-]+$"},
        "paper": _TEXT,
        "paper_says": _TEXT,
        "script_does": _TEXT,
        "effects": {"type": "array", "items": _EFFECT, "minItems": 1},
        "unmeasured": _TEXT,
    },
    "anyOf": [{"required": ["effects"]}, {"required": ["unmeasured"]}],
}
_UNTESTED = {
    "type": "object",
    "additionalProperties": False,
    "required": ["what", "why", "paper"],
    "properties": {"what": _TEXT, "why": _TEXT, "paper": _TEXT},
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["script_differences", "untested"],
    "properties": {"script_differences": {"type": "array", "items": _DIFFERENCE}, "untested": {"type": "array", "items": _UNTESTED}},
}


def load_notes(path: Path | str = FILE) -> dict[str, Any]:
    """The notes that were written by hand.

    Raises:
        InputError: a note lacks a field or has an unknown one.
    """
    notes = load_yaml(path)
    validate(notes, _SCHEMA, str(path))
    return dict(notes)


def tables_of(notes: dict[str, Any]) -> list[str]:
    """The tables that the notes' effects are read from, each once, sorted."""
    effects = [effect for note in notes["script_differences"] for effect in note.get("effects", [])]
    return sorted({effect[side]["table"] for effect in effects for side in ("paper", "script")})


def measured(notes: dict[str, Any], read: Callable[[str], pd.DataFrame]) -> list[dict[str, Any]]:
    """The differences with both sides of each effect looked up in the tables; NaN where this configuration has no such row.

    Raises:
        InputError: a table lacks a column, or several rows match.
    """
    tables = {path: read(path) for path in tables_of(notes)}

    def cell(note: str, place: dict[str, Any]) -> dict[str, Any]:
        value = find(tables[place["table"]], place["where"], place["column"], f"note {note}, {place['table']}")
        return place | {"row": describe(place["where"]), "value": value}

    return [
        note
        | {
            "effects": [
                {"quantity": effect["quantity"], "paper": cell(note["id"], effect["paper"]), "script": cell(note["id"], effect["script"])}
                for effect in note.get("effects", [])
            ]
        }
        for note in notes["script_differences"]
    ]


def standing(claims: pd.DataFrame, amendments: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Claims that do not stand as written (`broken`, each with its `amendments`), those no trial decided (`undecided`), and refuted
    readings of claims that do stand (`misread`), as the words of an abstract."""
    rows = claims.to_dict("records")
    broken = [row for row in rows if row["verdict"] in ("amended", "refuted")]
    for row in broken:
        row["amendments"] = amendments[amendments["claim"] == row["claim"]].to_dict("records")
    supported = {row["claim"] for row in rows if row["verdict"] == "supported"}
    misread = amendments[amendments["claim"].isin(supported) & (amendments["verdict"] == "refuted")].to_dict("records")
    return {"broken": broken, "undecided": [row for row in rows if row["verdict"] == "inconclusive"], "misread": misread}
