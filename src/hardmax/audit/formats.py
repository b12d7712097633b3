"""How values are written to files and read back: the same value gives the same bytes, and no file is ever executed."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hardmax.errors import InputError

_TEXT = {"paper": str}
"""Columns that stay text in every table: an arXiv number is no decimal fraction, 2502.02270 would lose its last digit."""


def read(path: Path | str) -> Any:
    """A table (`.csv`, `.parquet`) as DataFrame, `.json` as dict or list, `.npz` as dict of arrays.

    Raises:
        InputError: the file is missing, truncated or of another kind.
    """
    path = Path(path)
    readers: dict[str, Callable[[Path], Any]] = {
        ".csv": lambda p: pd.read_csv(p, keep_default_na=False, na_values=[""], dtype=_TEXT),
        ".parquet": pd.read_parquet,
        ".json": lambda p: json.loads(p.read_text(encoding="utf-8")),
        ".npz": lambda p: dict(np.load(p, allow_pickle=False)),
    }
    if path.suffix not in readers:
        raise InputError(f"{path}: expected one of {', '.join(readers)}, found {path.suffix or 'no ending'}")
    try:
        return readers[path.suffix](path)
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path}: expected a readable file, found: {error.strerror}") from None
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: expected a whole {path.suffix} file, found: {reason}; delete it and run again") from None


def _figure(figure: Any, suffix: str) -> bytes:
    buffer = io.BytesIO()
    metadata = {
        ".pdf": {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": None},
        ".png": {"Software": None},
        ".svg": {"Date": None},
    }
    figure.savefig(buffer, format=suffix[1:], metadata=metadata[suffix])
    return buffer.getvalue()


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def serialise(value: Any, suffix: str) -> bytes:
    """The bytes of a value in the format of a file ending; no dates, no host facts.

    Raises:
        TypeError: the value does not go into that format.
    """
    if isinstance(value, bytes):
        return value
    if isinstance(value, pd.DataFrame) and suffix == ".csv":
        return value.to_csv(index=False, lineterminator="\n").encode()
    if isinstance(value, pd.DataFrame) and suffix == ".parquet":
        buffer = io.BytesIO()
        value.to_parquet(buffer, index=False, compression="zstd")
        return buffer.getvalue()
    if suffix in (".pdf", ".png", ".svg") and hasattr(value, "savefig"):
        return _figure(value, suffix)
    if suffix == ".npz" and isinstance(value, dict):
        return _npz(value)
    if suffix == ".json" and isinstance(value, dict | list):
        return (json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()
    if isinstance(value, str):
        return value.encode()
    raise TypeError(f"a {type(value).__name__} does not go into a {suffix} file")
