import math

import pandas as pd
import pytest
import yaml

from hardmax.audit.published import COLUMNS, compare, find, load_published, needed
from hardmax.audit.schemas import check_table
from hardmax.configuration import load_yaml
from hardmax.errors import InputError
from hardmax.interpolation.published import published_losses
from hardmax.sentiment.published import published_curves, published_words

ENTRY = {
    "id": "sentiment-accuracy",
    "figure": "sentiment_accuracy",
    "table": "results/tables/sentiment_accuracy.csv",
    "where": {"d": 2, "share": 0.1},
    "column": "accuracy",
    "value": 0.79,
    "tolerance": 0.02,
    "why": "sampling error of the test reviews",
    "source": "table 1",
    "how_read": "stated in the text",
}
TABLE = pd.DataFrame({"d": [2, 2, 4], "share": [0.1, 0.3, 0.1], "accuracy": [0.805, 0.5, 0.9], "word": ["a", "b", "c"]})


@pytest.mark.parametrize(
    ("change", "ours", "agreement"),
    [
        ({}, 0.805, "within"),
        ({"tolerance": 0.01}, 0.805, "beyond"),
        ({"where": {"d": 2, "share": 0.3}}, 0.5, "beyond"),
        ({"where": {"d": 16}}, math.nan, "not run"),
        ({"where": {"word": "c"}}, 0.9, "beyond"),
        ({"needs": {"data.reviews": None}}, 0.805, "within"),
        ({"needs": {"data.reviews": 1200}}, math.nan, "not run"),
        ({"where": {"d": 2, "share": 0.1 + 1e-12}}, 0.805, "within"),
        ({"value": 11850, "out_of": 15000}, 0.805, "within"),
        ({"value": 11850, "out_of": 15000, "tolerance": 0.01}, 0.805, "beyond"),
    ],
)
def test_ours_stands_beside_the_published_value(change, ours, agreement) -> None:
    table = compare([ENTRY | change], lambda path: TABLE, {"data.reviews": None})
    assert list(table.columns) == list(COLUMNS)
    row = table.iloc[0]
    assert row["ours"] == pytest.approx(ours, nan_ok=True)
    assert row["deviation"] == pytest.approx(ours - 0.79, nan_ok=True)
    assert row["agreement"] == agreement
    check_table(table, load_yaml("workflow/schemas/tables/published.schema.yaml"), "published")


def test_no_entry_is_an_empty_table() -> None:
    table = compare([], lambda path: TABLE, {"data.reviews": None})
    assert list(table.columns) == list(COLUMNS)
    assert len(table) == 0


@pytest.mark.parametrize(
    ("where", "column", "words"),
    [
        ({"d": 2}, "accuracy", "expected one row where d = 2, found 2"),
        ({"e": 2}, "accuracy", "expected a column 'e'"),
        ({"d": 4}, "loss", "expected a column 'loss'"),
        ({"d": 4}, "word", "expected a number in column 'word'"),
    ],
)
def test_an_entry_that_names_no_one_number_is_one_line(where, column, words) -> None:
    with pytest.raises(InputError) as caught:
        find(TABLE, where, column, "published value x")
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([ENTRY, ENTRY], "found it twice"),
        ([ENTRY | {"tolerance": -1}], "tolerance"),
        ([{key: value for key, value in ENTRY.items() if key != "why"}], "missing 'why'"),
        ([ENTRY | {"url": "x"}], "unknown key 'url'"),
        ([ENTRY | {"table": "data/x.csv"}], "table"),
        ([ENTRY | {"out_of": 0}], "out_of"),
        ({"a": 1}, "expected a list"),
    ],
)
def test_a_wrong_entry_is_one_line(tmp_path, entries, words) -> None:
    (tmp_path / "p.yaml").write_text(yaml.safe_dump({"comparisons": entries}))
    with pytest.raises(InputError, match=words):
        load_published(tmp_path / "p.yaml")


@pytest.mark.parametrize("document", [[ENTRY], {"values": [ENTRY]}, None])
def test_a_file_without_comparisons_is_one_line(tmp_path, document) -> None:
    (tmp_path / "p.yaml").write_text(yaml.safe_dump(document))
    with pytest.raises(InputError, match="expected a list of entries under the key 'comparisons'"):
        load_published(tmp_path / "p.yaml")


def test_the_projects_own_file_is_right() -> None:
    for entry in load_published():
        assert math.isfinite(entry["value"])


def test_what_is_compared_is_what_is_drawn() -> None:
    """Each comparison's number is the one in the tables that figures draw."""
    words, losses, curves = published_words().set_index("word"), published_losses(), published_curves()
    compared = {"words": 0, "losses": 0, "curves": 0}
    for entry in load_published():
        where = entry["where"]
        if entry["table"] == "results/tables/sentiment_words.csv":
            row = words.loc[where["word"]]
            assert (entry["column"], entry["value"], entry["out_of"]) == ("share", row["reviews"], row["test_reviews"])
            compared["words"] += 1
        elif entry["table"] == "results/tables/interpolation_tikhonov.csv":
            drawn = losses[(losses["quantity"] == entry["column"]) & (losses["weight_decay"] == where["weight_decay"])]
            assert drawn["value"].tolist() == [entry["value"]]
            compared["losses"] += 1
        elif entry["table"] == "results/tables/sentiment_history.csv":
            epoch = (where["epoch"] - 1) // 2
            drawn = curves[(curves["dim"] == where["dim"]) & (curves["quantity"] == entry["column"]) & (curves["epoch"] == epoch)]
            assert drawn["value"].tolist() == [entry["value"]]
            compared["curves"] += 1
    assert compared == {"words": len(words), "losses": len(losses), "curves": 24}


def test_published_losses_are_as_printed() -> None:
    table = published_losses()
    assert table.set_index(["quantity", "weight_decay", "epochs"])["value"].to_dict() == {
        ("threshold", 1e-4, 50000): 6.2e-3,
        ("final_loss", 1e-4, 50000): 4e-4,
        ("least_loss", 1e-1, 5000): 3.3e-2,
        ("least_loss", 1e-2, 10000): 1.3e-2,
        ("least_loss", 1e-3, 50000): 5e-4,
    }
    check_table(table, load_yaml("workflow/schemas/tables/interpolation_published.schema.yaml"), "published losses")
    check_table(published_words(), load_yaml("workflow/schemas/tables/sentiment_published_words.schema.yaml"), "published words")


def test_needs_are_looked_up_by_dotted_key() -> None:
    entries = [ENTRY | {"needs": {"data.reviews": None, "data.split.share": 0.7}}, ENTRY]
    assert needed(entries, {"data": {"reviews": None, "split": {"share": 0.5}}}) == {"data.reviews": None, "data.split.share": 0.5}
    with pytest.raises(InputError, match=r"'data\.split\.share'"):
        needed(entries, {"data": {"reviews": None}})
    for name in ("config", "smoke", "paper"):
        needed(load_published(), load_yaml(f"config/{name}.yaml"))
