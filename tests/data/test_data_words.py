"""Preparation of one review, against cases worked by hand and properties that hold for any text."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardmax.data.stopwords import STOP_WORDS
from hardmax.data.words import lemma, letters, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A great film.<br /><br />Great!", ["great", "film", "Great"]),
        ("see http://a.b/c?d=1, or www.x.org/y now", ["see"]),
        ('<a href="http://x.y">link</a> text', ["link", "text"]),
        ("rated <3 by fans, and 9 > 2", ["rated", "fan"]),
        ("caf\u00e9 na\u00efve\u2026 \u201cquoted\u201d", ["caf", "na", "quoted"]),
        ("tom &amp; jerry&#8217;s", ["tom", "jerry"]),
        ("Sooooo goooood, zzz, 1000000", ["Soo", "good", "zz"]),
        ("The movies weren't the worst; I'd found it boring", ["movie", "worst", "found", "boring"]),
        ("THE The the", []),
        ("Movies movies MOVIES", ["Movies", "movie", "MOVIES"]),
        ("women, children and knives", ["woman", "child", "knife"]),
        ("", []),
    ],
)
def test_words_of_a_review(text, expected):
    assert words(text) == expected


def test_stop_words_come_back_through_lemmatisation_and_go_again():
    assert lemma("tis") == "this"
    assert words("tis great") == ["great"]


@pytest.mark.parametrize(
    "leader",
    [
        "great",
        "worst",
        "waste",
        "love",
        "awful",
        "money",
        "year",
        "amazing",
        "boring",
        "perfect",
        "left",
        "enjoyed",
        "people",
        "found",
        "poor",
    ],
)
def test_published_leaders_survive(leader):
    assert words(leader) == [leader]


def test_stop_words_are_lower_case_letters_in_one_word():
    assert all(re.fullmatch("[a-z]+", word) for word in STOP_WORDS)
    assert {"i", "the", "not", "t", "very", "ourselves"} <= STOP_WORDS


@given(st.text(alphabet=string.ascii_letters + string.digits + " .,<>&;'/\u00e9\u4e2d\U0001f600"))
def test_only_ascii_letters_without_long_runs_and_no_stop_words_remain(text):
    assert re.fullmatch("[A-Za-z ]*", letters(text))
    for word in words(text):
        assert re.fullmatch("[A-Za-z]+", word)
        assert not re.search(r"(.)\1\1", word)
        assert word.lower() not in STOP_WORDS


@given(st.text(), st.text())
def test_a_blank_separates_reviews(left, right):
    """Words of a joined text are those of the parts where no tag, entity or link reaches across."""
    parts = [re.sub(r"[<>&:.]", " ", part) for part in (left, right)]
    assert words(" ".join(parts)) == words(parts[0]) + words(parts[1])
