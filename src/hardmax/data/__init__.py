"""Movie reviews: read from one of three sources, prepared as in the paper, kept as tokens."""

from hardmax.data.card import data_card
from hardmax.data.preparation import Preparation, Vocabulary, prepare
from hardmax.data.sources import RawReviews, read_reviews
from hardmax.data.tokens import (
    POSITIONS,
    Tokens,
    load_tokens,
    load_vocabulary,
    token_table,
    vocabulary_table,
)

__all__ = [
    "POSITIONS",
    "Preparation",
    "RawReviews",
    "Tokens",
    "Vocabulary",
    "data_card",
    "load_tokens",
    "load_vocabulary",
    "prepare",
    "read_reviews",
    "token_table",
    "vocabulary_table",
]
