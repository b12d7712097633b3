"""Networks and data sets on disk: JSON with rationals as "p/q"; data only, never code."""

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from hardmax.errors import InputError
from hardmax.interpolation.block import Block
from hardmax.interpolation.network import Network
from hardmax.interpolation.rationals import exact

FORMAT = "hardmax interpolation network, version 1"
SHAPES = {"W": ("dim", "neurons"), "U": ("neurons", "dim"), "b": ("neurons",), "V": ("dim", "dim"), "B": ("dim", "dim")}


def check_destination(path: str | Path) -> None:
    """Make sure that a file can be written there.

    Raises:
        InputError: it is a folder, or its folder is not there or may not be written to.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path}: expected the path of a file to write, found a folder")
    if not path.parent.is_dir():
        raise InputError(f"{path}: expected folder {path.parent} to exist, found none")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path}: expected folder {path.parent} to be writable, found no permission")


def write_network(network: Network, path: str | Path) -> None:
    """Write a network as JSON; the file appears whole or not at all.

    Raises:
        InputError: nothing can be written there.
    """
    check_destination(path)
    blocks = [
        {"eta": str(block.eta), "rho": str(block.rho)} | {name: _text(getattr(block, name)) for name in SHAPES} for block in network.blocks
    ]
    content = {
        "format": FORMAT,
        "construction": network.construction,
        "dimension": network.dimension,
        "blocks": blocks,
    }
    path = Path(path)
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(json.dumps(content), encoding="utf-8")
    os.replace(temporary, path)


def read_network(path: str | Path) -> Network:
    """Read a network.

    Raises:
        InputError: not such a file; names the block and entry that is wrong.
    """
    content = _read_json(path)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{path}: expected a file of format {FORMAT!r}")
    d, construction = content.get("dimension"), content.get("construction")
    if not isinstance(d, int) or d < 1 or construction not in ("compact", "leaders") or not isinstance(content.get("blocks"), list):
        raise InputError(f"{path}: expected keys dimension (integer >= 1), construction (compact or leaders) and blocks (list)")
    return Network([_block(entry, d, f"{path}, block {k}") for k, entry in enumerate(content["blocks"])], d, construction)


def read_data(path: str | Path) -> tuple[list, list]:
    """Read `{"sequences": [[[...], ...], ...], "targets": [...]}`, numbers or "p/q".

    Raises:
        InputError: not such a file.
    """
    content = _read_json(path)
    if not isinstance(content, dict):
        raise InputError(f"{path}: expected a JSON object with keys sequences and targets")
    for key in ("sequences", "targets"):
        if not isinstance(content.get(key), list):
            raise InputError(f"{path}, key {key}: expected a list, found {type(content.get(key)).__name__}")
    return content["sequences"], content["targets"]


def _read_json(path: str | Path) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: expected a readable JSON file, found {error}") from None


def _text(entries: np.ndarray | None) -> Any:
    if entries is None:
        return None
    return [str(value) for value in entries] if entries.ndim == 1 else [[str(value) for value in row] for row in entries]


def _block(entry: object, d: int, name: str) -> Block:
    if not isinstance(entry, dict) or not isinstance(entry.get("b"), list):
        raise InputError(f"{name}: expected an object with keys eta, W, U, b, rho, V and B")
    sizes = {"dim": d, "neurons": len(entry["b"])}
    fields: dict[str, Any] = {}
    for key in ("eta", "rho"):
        fields[key] = _rational(entry.get(key), f"{name}, {key}")
    for key, axes in SHAPES.items():
        value = entry.get(key)
        if value is None and key in "VB":
            fields[key] = None
            continue
        shape = tuple(sizes[axis] for axis in axes)
        array = np.empty(shape, dtype=object)
        nested = np.array(value, dtype=object) if isinstance(value, list) else np.empty(0)
        if nested.shape != shape and not (array.size == 0 and nested.size == 0):
            raise InputError(f"{name}, {key}: expected shape {shape}, found {nested.shape}")
        for index, text in np.ndenumerate(nested):
            array[index] = _rational(text, f"{name}, {key}{list(index)}")
        fields[key] = array
    return Block(**fields)


def _rational(value: object, name: str) -> Fraction:
    try:
        return exact(value)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
