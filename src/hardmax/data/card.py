"""The data card: what the raw file was, what was left out, and what the prepared reviews look like."""

from importlib.metadata import version

import numpy as np

from hardmax.data.preparation import Preparation
from hardmax.data.sources import RawReviews
from hardmax.data.stopwords import STOP_WORDS

_NOTES = {
    "cleaning": "HTML, links, punctuation, digits and non-ASCII characters each become a blank, so that a contraction "
    "falls into two parts that are both stop words; letters repeated more than twice become two; case is kept.",
    "stop_words": "English function words by word class (hardmax.data.stopwords), compared in lower case; close to the "
    "list of NLTK, which also holds the pieces ma, o and y. Removed before and after lemmatisation.",
    "lemmas": "WordNet, asked without part of speech as in the paper, takes every word for a noun and knows lower case "
    "only. simplemma knows all word classes and would turn worst into bad, found into find and enjoyed into enjoy, "
    "which are leaders in the paper. So only lower-case plural forms are given to simplemma. Where both still differ: "
    "WordNet takes the final s off a few words that are no plurals (was, has, as, us), all stop words here; and "
    "simplemma reads some plurals as verbs (lives becomes live, wives wive) and knows words that WordNet does not (mins).",
    "split": "Drawn from the seed after repeated reviews were dropped, keeping the first of each.",
    "vocabulary": "Every word of every kept review, training and test, uncut; index 0 is padding.",
}


def data_card(raw: RawReviews, prepared: Preparation, positions: int) -> dict[str, object]:
    """The card as nested plain values, ready for JSON. Lengths are numbers of words after preparation, before the cut."""
    lengths = np.array([len(review) for review in prepared.words])
    positive = np.array(prepared.positive)
    counts = np.array(prepared.vocabulary.counts)
    quantiles = np.quantile(lengths, [0.05, 0.25, 0.5, 0.75, 0.95], method="lower")
    return {
        "source": {"origin": raw.origin, "sha256": raw.checksum, "licence": raw.licence},
        "reviews": {
            "read": len(raw.texts),
            "read_positive": int(sum(raw.positive)),
            "repeated_texts": prepared.repeated_texts,
            "not_drawn": prepared.not_drawn,
            "emptied": prepared.emptied,
            "repeated_after_preparation": prepared.repeated_words,
            "repeated_with_other_label": prepared.contradictory,
            "kept": len(lengths),
            "kept_positive": int(positive.sum()),
            "train": int(prepared.train.sum()),
            "train_positive": int((prepared.train & positive).sum()),
            "test": int((~prepared.train).sum()),
            "test_positive": int((~prepared.train & positive).sum()),
        },
        "lengths": {
            "positions": positions,
            "mean": float(lengths.mean()),
            "standard_deviation": float(lengths.std()),
            "minimum": int(lengths.min()),
            **{f"quantile_{share}": int(value) for share, value in zip((5, 25, 50, 75, 95), quantiles, strict=True)},
            "maximum": int(lengths.max()),
            "cut": int((lengths > positions).sum()),
            "padded": int((lengths < positions).sum()),
            "padding_share": float(np.maximum(positions - lengths, 0).sum() / (positions * len(lengths))),
        },
        "vocabulary": {
            "words": len(counts),
            "occurrences": int(counts.sum()),
            "occurring_once": int((counts == 1).sum()),
        },
        "preparation": {
            **_NOTES,
            "stop_words_count": len(STOP_WORDS),
            "simplemma": version("simplemma"),
        },
    }
