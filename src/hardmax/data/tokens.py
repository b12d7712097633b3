"""The token table: one row a review, written by the data job and read by every job that needs reviews."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from jaxtyping import Bool, Int32, Int64

from hardmax.data.preparation import Preparation, Vocabulary
from hardmax.errors import InputError

POSITIONS = 128
"""Positions of a review in the paper: longer reviews are cut, shorter ones padded with index 0."""


class Tokens(NamedTuple):
    """Reviews as arrays, in the order of the table.

    Attributes:
        ids: index of each word in the vocabulary, 0 = padding at the end.
        labels: 1 = positive, 0 = negative.
        train: whether the review belongs to the training split; the others are test reviews.
        review: number of the review in the table (the column `review`).
    """

    ids: Int32[np.ndarray, "reviews positions"]
    labels: Int64[np.ndarray, " reviews"]
    train: Bool[np.ndarray, " reviews"]
    review: Int64[np.ndarray, " reviews"]


def token_table(prepared: Preparation, positions: int = POSITIONS) -> pd.DataFrame:
    """One row a review: number, row in the source, split, label, number of words, and the first `positions` token ids."""
    if positions < 1:
        raise InputError(f"data.positions: expected at least 1, found {positions!r}")
    return pd.DataFrame(
        {
            "review": np.arange(len(prepared.rows)),
            "source_row": prepared.rows,
            "split": np.where(prepared.train, "train", "test"),
            "label": np.array(prepared.positive, dtype=np.int64),
            "words": [len(review) for review in prepared.words],
            "tokens": prepared.vocabulary.encode([review[:positions] for review in prepared.words]),
        }
    )


def vocabulary_table(vocabulary: Vocabulary) -> pd.DataFrame:
    """Index, word and count (over all kept reviews, uncut); index 0 is padding, the empty word."""
    return pd.DataFrame(
        {
            "index": np.arange(len(vocabulary.words) + 1),
            "word": ["", *vocabulary.words],
            "count": [0, *vocabulary.counts],
        }
    )


def load_tokens(table: str | Path, positions: int = POSITIONS) -> Tokens:
    """Read the token table into padded arrays; 25,000 reviews take a fraction of a second.

    Args:
        table: the Parquet file of the token table.
        positions: positions of a review; longer ones are cut.

    Raises:
        InputError: the file is missing, has other columns or no rows.
    """
    if not Path(table).is_file():
        raise InputError(f"{table}: expected the token table, found no file")
    columns = ["review", "split", "label", "tokens"]
    found = pq.read_schema(table).names
    if missing := [column for column in columns if column not in found]:
        raise InputError(f"{table}: expected columns {','.join(columns)}, found no {','.join(missing)}")
    read = pq.read_table(table, columns=columns)
    if not len(read):
        raise InputError(f"{table}: expected at least one review, found none")
    lists = read["tokens"].combine_chunks()
    starts = lists.offsets.to_numpy()
    lengths = np.minimum(np.diff(starts), positions)
    place = np.arange(positions)
    filled = place < lengths[:, None]
    ids = np.zeros((len(lengths), positions), dtype=np.int32)
    ids[filled] = lists.values.to_numpy()[(starts[:-1, None] + place)[filled]]
    return Tokens(
        ids=ids,
        labels=read["label"].to_numpy().astype(np.int64),
        train=np.asarray(read["split"].to_numpy() == "train"),
        review=read["review"].to_numpy().astype(np.int64),
    )


def load_vocabulary(table: str | Path) -> list[str]:
    """Words by index, padding (the empty word) first; words such as `null` stay words.

    Raises:
        InputError: the file is missing or its indices are not 0, 1, 2, ...
    """
    if not Path(table).is_file():
        raise InputError(f"{table}: expected the vocabulary table, found no file")
    read = pd.read_csv(table, keep_default_na=False, dtype={"word": str})
    if not np.array_equal(read["index"], np.arange(len(read))):
        raise InputError(f"{table}: expected column index to count 0, 1, 2, ..., found another order")
    return read["word"].tolist()
