"""A public sentiment lexicon, VADER's, read as data."""

from collections.abc import Sequence
from importlib.resources import files

import numpy as np
from jaxtyping import Float

from hardmax.errors import InputError


def load_lexicon() -> dict[str, float]:
    """Word -> mean valence from -4 (most negative) to 4, from the file that comes with the package vaderSentiment.

    Raises:
        InputError: a line of the file is not `word<tab>valence<tab>...`.
    """
    text = files("vaderSentiment").joinpath("vader_lexicon.txt").read_text(encoding="utf-8")
    lexicon = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        fields = line.split("\t")
        try:
            lexicon[fields[0].lower()] = float(fields[1])
        except (IndexError, ValueError):
            raise InputError(f"vader_lexicon.txt, line {number}: expected word, tab, valence, found {line[:60]!r}") from None
    return lexicon


def valences(words: Sequence[str]) -> Float[np.ndarray, " words"]:
    """Valence of each word, case ignored; NaN for words outside the lexicon."""
    lexicon = load_lexicon()
    return np.array([lexicon.get(word.lower(), np.nan) for word in words], dtype=np.float64)
