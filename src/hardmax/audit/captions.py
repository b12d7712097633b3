"""Captions in reStructuredText as HTML and as the plain text of an image's description."""

import re

from docutils.core import publish_doctree, publish_parts

_SETTINGS = {
    "_disable_config": True,
    "raw_enabled": False,
    "file_insertion_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "math_output": "MathML",
    "initial_header_level": 2,
}


def html(text: str) -> str:
    """HTML of a caption; formulas as MathML, and nothing of it is taken as HTML."""
    return str(publish_parts(text, writer="html5", settings_overrides=_SETTINGS)["body"])


def plain(text: str) -> str:
    """The caption's words on one line."""
    return re.sub(r"\s+", " ", publish_doctree(text, settings_overrides=_SETTINGS).astext()).strip()


def title(text: str) -> str:
    """The caption's first sentence up to its first stop outside brackets, without that stop.

    Brackets of either kind end one another, since an interval may be half open; braces do not.
    """
    words = plain(text)
    for stop in re.finditer(r"[.:;](?=\s|$)", words):
        if _closed(words[: stop.start()]):
            return words[: stop.start()]
    return words


def _closed(text: str) -> bool:
    """Whether every bracket and brace that the text opens is closed in it."""
    return all(sum(map(text.count, opening)) == sum(map(text.count, closing)) for opening, closing in (("([", ")]"), ("{", "}")))
