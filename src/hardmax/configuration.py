"""The configuration and its schema: a wrong key, type or range is one line, before any job starts."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from hardmax.errors import InputError


def load_yaml(path: Path | str) -> Any:
    """Parsed YAML file, by safe load.

    Raises:
        InputError: the file is missing, is a folder, can't be read or isn't YAML.
    """
    try:
        return yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: expected a readable YAML file, found: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8 text, found byte {error.object[error.start]:#04x} at {error.start}") from None
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f", line {place.line + 1}" if place else ""
        raise InputError(f"{path}{line}: expected YAML, found: {getattr(error, 'problem', error)}") from None


def _allowed(schema: Mapping[str, Any]) -> str:
    """What a schema allows, in a few words."""
    words = []
    if "enum" in schema:
        words.append("one of " + ", ".join(map(repr, schema["enum"])))
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        words.append(" or ".join(types))
    for key, sign in (("minimum", ">="), ("exclusiveMinimum", ">"), ("maximum", "<="), ("exclusiveMaximum", "<")):
        if key in schema:
            words.append(f"{sign} {schema[key]}")
    for key, word in (("minItems", "at least {} items"), ("maxItems", "at most {} items"), ("pattern", "text like {}")):
        if key in schema:
            words.append(word.format(schema[key]))
    if schema.get("uniqueItems"):
        words.append("no item twice")
    if "const" in schema.get("contains", {}):
        words.append(f"with {schema['contains']['const']!r} among them")
    return ", ".join(words) or "see the schema"


def _numbers(value: Any, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Floating-point numbers within, each with its keys: to a JSON schema, NaN is in every range."""
    if isinstance(value, float):
        yield place, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _numbers(item, (*place, str(key)))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _numbers(item, (*place, str(number)))


def validate(config: Mapping[str, Any], schema: Mapping[str, Any], name: str = "config") -> None:
    """Check a configuration against its JSON schema.

    Raises:
        InputError: names the key, the value found and what is allowed, in one line.
    """
    for place, value in _numbers(config, ()):
        if not math.isfinite(value):
            raise InputError(f"{name}: key {'.'.join(place)}: found {value}; allowed: a finite number")
    validator = jsonschema.Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(config), key=lambda error: (len(error.absolute_path), str(error.absolute_path)))
    if not errors:
        return
    error = jsonschema.exceptions.best_match(errors)
    key = ".".join(map(str, error.absolute_path)) or "(top level)"
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        extra = sorted(set(error.instance) - set(known))
        raise InputError(f"{name}: key {key}: unknown key {', '.join(map(repr, extra))}; allowed: {', '.join(sorted(known))}")
    if error.validator == "required":
        missing = [part for part in error.validator_value if part not in error.instance]
        raise InputError(f"{name}: key {key}: missing {', '.join(map(repr, missing))}")
    found = " ".join(repr(error.instance).split())
    found = found if len(found) <= 120 else found[:117] + "..."
    raise InputError(f"{name}: key {key}: found {found}; allowed: {_allowed(error.schema)}")
