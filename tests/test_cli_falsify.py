"""`hardmax falsify`: exit codes, and the counterexample on the last line of standard output."""

import json

import pytest

from hardmax.claims.statements import MODULES, statement, statements
from hardmax.cli import main
from hardmax.errors import InputError
from hardmax.falsify import reverify

# beartype draws the items it checks with the module random, which hypothesis takes for part of a strategy
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")


def test_counterexample_is_the_last_line_and_verifies(capsys):
    assert main(["falsify", "FW-3", "--trials", "40", "--seed", "1"]) == 1
    document = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert document["claim"] == "FW-3" and document["variant"] == "as written" and document["exact"]
    assert len(document["inputs"]["tokens"]) <= 3
    assert reverify(statement("FW-3"), document)


def test_the_same_seed_prints_the_same(capsys):
    first, second = ((main(["falsify", "FW-8", "--trials", "12", "--seed", "3"]), capsys.readouterr().out) for _ in range(2))
    assert first == second


def test_a_claim_that_stands_ends_with_zero(capsys):
    assert main(["falsify", "FW-9", "--trials", "10", "--seed", "1"]) == 0
    assert not capsys.readouterr().out.splitlines()[-1].startswith("{")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["falsify", "FW-99"], "FW-99"),
        (["falsify", "nonsense"], "nonsense"),
        (["falsify"], "expected a claim"),
        (["falsify", "FW-3", "--trials", "0"], "expected at least 1"),
        (["falsify", "FW-3", "--seed", "-1"], "seed"),
    ],
)
def test_bad_input_is_one_line_and_exit_two(arguments, message, capsys):
    assert main(arguments) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1 and message in errors[0]


@pytest.mark.parametrize("arguments", [["falsify", "FW-3", "--trials", "many"], ["unheard-of"], []])
def test_bad_usage_is_exit_two(arguments):
    with pytest.raises(SystemExit) as leaving:
        main(arguments)
    assert leaving.value.code == 2


def test_list_names_the_claims(capsys):
    assert main(["falsify", "--list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert [claim for claim in listed if claim.startswith("FW")] == [f"FW-{number}" for number in range(1, 14)]
    assert listed[-1] == "SE"


@pytest.mark.parametrize("prefix", MODULES)
def test_statements_go_by_their_claims_and_have_words_and_families(prefix):
    for claim, stated in statements(prefix).items():
        assert claim == stated.claim and claim.startswith(f"{prefix}-")
        names = [variant.variant for variant in stated.variants()]
        assert names == ["as written", *(f"amendment-{number}" for number in range(1, len(names)))]
        assert all(variant.text and variant.families for variant in stated.variants())


def test_an_unknown_claim_is_named():
    with pytest.raises(InputError, match="expected one of FW-1, FW-2"):
        statement("FW-0")
    with pytest.raises(InputError, match="no random trials; the workflow judges it"):
        statement("SE-1")
