"""From the text of one review to its words, as the paper prepares them (arXiv 2407.01602, sentiment experiment)."""

import re
from functools import cache

from hardmax.data.stopwords import STOP_WORDS

# A tag or entity begins with a letter (or a number sign), so that "<3" and "rated < 5 and > 2" are not HTML.
_HTML = re.compile(r"</?[A-Za-z][^<>]*>|&(?:[A-Za-z]+|#[0-9]+|#x[0-9A-Fa-f]+);")
_LINK = re.compile(r"(?:https?://|www\.)[^\s<>]+")
_NOT_A_LETTER = re.compile(r"[^A-Za-z]+")
_REPEATED = re.compile(r"([A-Za-z])\1{2,}")
_PLURAL = re.compile(r"(?:s|men|children|feet|teeth|mice|geese)\Z")


def letters(text: str) -> str:
    """The text with HTML, links, punctuation, digits and non-ASCII characters each turned into a blank, and any letter
    repeated more than twice cut to two. Case is kept."""
    for pattern in (_HTML, _LINK, _NOT_A_LETTER):
        text = pattern.sub(" ", text)
    return _REPEATED.sub(r"\1\1", text)


@cache
def lemma(word: str) -> str:
    """The noun lemma of a word: `movies` becomes `movie`; `worst`, `enjoyed` and `found` stay.

    The paper's lemmatiser (WordNet, asked without part of speech) takes every word for a noun and knows lower case
    only. So only plural forms in lower case are given to the dictionary of simplemma; a capitalised word stays.
    """
    if not (word.islower() and _PLURAL.search(word)):
        return word
    from simplemma import lemmatize

    return lemmatize(word, lang="en").lower()


def is_stop_word(word: str) -> bool:
    """Whether a word is a stop word in any case."""
    return word.lower() in STOP_WORDS


def words(text: str) -> list[str]:
    """The words of a review in order: stop words removed, lemmatised, stop words removed again. May be empty."""
    lemmas = (lemma(word) for word in letters(text).split() if not is_stop_word(word))
    return [word for word in lemmas if not is_stop_word(word)]
