import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from hardmax.audit import formats
from hardmax.audit.card import sha256
from hardmax.audit.job import job
from hardmax.errors import InputError
from hardmax.randomness import stream

REPOSITORY = Path(__file__).parents[2]


class Named(list):
    """Snakemake's named list, as far as scripts see it: iterable, with names as attributes, keys and items."""

    def __init__(self, **named):
        super().__init__(value for values in named.values() for value in (values if isinstance(values, list) else [values]))
        self._named = named
        self.__dict__.update(named)

    def __getitem__(self, key):
        return self._named[key] if isinstance(key, str) else super().__getitem__(key)

    def items(self):
        return self._named.items()

    def get(self, key, default=None):
        return self._named.get(key, default)


@pytest.fixture
def snakemake(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    schemas = tmp_path / "workflow/schemas/tables"
    schemas.mkdir(parents=True)
    (schemas / "numbers.schema.yaml").write_text(
        "type: object\nproperties:\n  n: {type: integer, minimum: 0}\n  x: {type: [number, 'null']}\nrequired: [n, x]\n"
    )
    shutil.copy(REPOSITORY / "workflow/schemas/card.schema.yaml", tmp_path / "workflow/schemas")
    return SimpleNamespace(
        rule="numbers",
        input=Named(),
        output=Named(table="results/tables/numbers.csv", card="results/tables/numbers.card.json"),
        params=Named(seed=5, size=3),
        wildcards=Named(point="a"),
        threads=1,
        log=[],
        scriptdir=str(tmp_path / "workflow/scripts"),
    )


def test_table_and_card_appear_when_the_job_ends(snakemake, tmp_path) -> None:
    with job(snakemake) as j:
        draws = j.stream("draws").standard_normal(j.params["size"])
        j.save("table", pd.DataFrame({"n": range(3), "x": draws}))
        assert not (tmp_path / "results/tables/numbers.csv").exists()
    table = formats.read("results/tables/numbers.csv")
    assert (table["x"].to_numpy() == stream(5, "numbers", point="a", label="draws").standard_normal(3)).all()
    card = json.loads((tmp_path / "results/tables/numbers.card.json").read_text())
    assert card["configuration"] == {"seed": 5, "size": 3}
    assert card["streams"] == ["numbers label=draws point=a"]
    assert card["outputs"] == [{"path": "results/tables/numbers.csv", "sha256": sha256("results/tables/numbers.csv")}]
    assert sorted(os.listdir("results/tables")) == ["numbers.card.json", "numbers.csv"]


def test_the_card_says_where_it_ran_and_what_it_cost(snakemake) -> None:
    snakemake.params = Named(size=3)
    with job(snakemake) as j:
        ballast = np.ones(40_000_000)
        j.save("table", pd.DataFrame({"n": [1], "x": [ballast[0]]}))
    card = json.loads(Path("results/tables/numbers.card.json").read_text())
    assert card["host"]["cores"] == os.cpu_count()
    assert card["host"]["threads"] == 1
    assert any(library["internal_api"] == "openblas" for library in card["host"]["libraries"])
    assert card["cost"]["peak_memory_mb"] > 40_000_000 * 8 / 2**20
    assert card["cost"]["wall_seconds"] > 0
    assert card["versions"]["numpy"] == np.__version__
    assert card["code"] == {"commit": None, "dirty": None}


@pytest.mark.parametrize("changed", [False, True])
def test_the_card_names_the_commit_and_whether_the_tree_differed(snakemake, changed) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    Path(".gitignore").write_text("results/\n")
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    if changed:
        Path("workflow/new.txt").write_text("x")
    with job(snakemake) as j:
        j.save("table", pd.DataFrame({"n": [1], "x": [0.5]}))
    card = json.loads(Path("results/tables/numbers.card.json").read_text())
    assert card["code"] == {"commit": head, "dirty": changed}


def test_a_list_of_outputs_is_saved_by_stem(snakemake) -> None:
    snakemake.output = Named(pages=["results/a.html", "results/b.html"])
    with job(snakemake) as j:
        j.save("pages", {"a": "A", "b": "B"})
    assert [Path(f"results/{name}.html").read_text() for name in "ab"] == ["A", "B"]


def test_a_failing_job_leaves_nothing(snakemake) -> None:
    with pytest.raises(RuntimeError), job(snakemake) as j:
        j.save("table", pd.DataFrame({"n": [1], "x": [0.5]}))
        raise RuntimeError
    assert os.listdir("results/tables") == []


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame({"n": [1], "y": [0.5]}), "expected columns n,x, found n,y"),
        (pd.DataFrame({"n": [1, -1], "x": [0.5, None]}), "column n, row 1"),
        (pd.DataFrame({"n": [1], "x": ["half"]}), "column x, row 0"),
    ],
)
def test_a_table_off_its_schema_is_one_line_and_nothing_is_written(snakemake, table, words, capfd) -> None:
    with pytest.raises(SystemExit), job(snakemake) as j:
        j.save("table", table)
    lines = {line for line in capfd.readouterr().err.splitlines() if "error" in line}
    assert len(lines) == 1
    assert words in lines.pop()
    assert not os.path.exists("results/tables") or os.listdir("results/tables") == []


def test_same_value_same_bytes_in_another_process(tmp_path) -> None:
    code = (
        "import sys, numpy as np, pandas as pd\nfrom hardmax.audit.formats import serialise\nfrom hardmax.figures import style\n"
        "t = pd.DataFrame({'a': [0.1, np.nan], 'w': ['x$', 'é']})\nf, ax = style.subplots()\nax.plot([1, 2]); ax.set_title('β')\n"
        "import hashlib\n"
        "vals = [(t, '.csv'), (t, '.parquet'), (f, '.pdf'), (f, '.png'), (f, '.svg'), ({'a': np.arange(3)}, '.npz'), ({'k': 1}, '.json')]\n"
        "print([hashlib.sha256(serialise(*v)).hexdigest() for v in vals])\n"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz", ".json"])
def test_a_truncated_file_is_one_line_that_names_it(tmp_path, suffix) -> None:
    path = tmp_path / f"t{suffix}"
    value = {".npz": {"a": np.arange(1000)}, ".json": {"a": list(range(1000))}}.get(suffix, pd.DataFrame({"a": ['he said "x"'] * 1000}))
    data = formats.serialise(value, suffix)
    path.write_bytes(data)
    formats.read(path)
    path.write_bytes(data[: len(data) // 2 + 3] if suffix != ".csv" else data[:-4])
    with pytest.raises(InputError) as caught:
        formats.read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_arxiv_number_is_no_decimal(tmp_path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("paper,x\n2502.02270,0.10\n2407.01602,\n")
    table = formats.read(path)
    assert list(table["paper"]) == ["2502.02270", "2407.01602"]
    assert table["x"].tolist()[0] == 0.1
    path.write_text("x\n1\n")
    assert list(formats.read(path).columns) == ["x"]
