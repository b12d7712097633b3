import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from hardmax.audit import archive, formats
from hardmax.audit.card import card
from hardmax.errors import InputError


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A repository with one module, and results made by it."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "Snakefile": "",
        "requirements.txt": "numpy==2\n",
        "src/hardmax/a.py": "x = 1\n",
        ".gitignore": "results/\n",
        "results/tables/t.csv": "a\n1\n",
        "results/figures/f.pdf": "%PDF",
        "results/audit/claims.csv": "claim\nCL-1\n",
        "results/tables/left_over.csv": "a\n2\n",
        "results/audit/figures/f.html": "f",
        "results/audit/index.html": "<a href='../figures/f.pdf'>f</a>",
        "results/audit/report.html": "report",
        "results/logs/t.log": "here",
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    for rule, inputs, output in (("t", [], "results/tables/t.csv"), ("figure", ["results/tables/t.csv"], "results/figures/f.pdf")):
        facts = card(
            rule=rule,
            wildcards={},
            configuration={},
            streams=[],
            inputs=inputs,
            sources=["src/hardmax/a.py"] if rule == "t" else [],
            outputs=[output],
            threads=1,
        )
        Path(output).with_suffix(".card.json").write_bytes(formats.serialise(facts, ".json"))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    return tmp_path


def test_the_archive_holds_everything_and_its_manifest_is_right(project, capsys) -> None:
    assert archive.main(["-o", "results/a.zip"]) == 0
    with zipfile.ZipFile("results/a.zip") as opened:
        names = opened.namelist()
        assert names == sorted(names)
        assert {"results/tables/t.csv", "results/tables/t.card.json", "results/figures/f.pdf", "results/audit/report.html"} <= set(names)
        assert {"source/requirements.txt", "source/src/hardmax/a.py", "README.txt"} <= set(names)
        assert "results/figures/f.card.json" in names
        assert not any("logs" in name or "left_over" in name or name.endswith(".zip") for name in names)
        manifest = dict(line.split("  ")[::-1] for line in opened.read("MANIFEST.sha256").decode().splitlines())
        assert manifest == {name: hashlib.sha256(opened.read(name)).hexdigest() for name in names if name != "MANIFEST.sha256"}
        head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        assert head in opened.read("README.txt").decode()
    assert hashlib.sha256(Path("results/a.zip").read_bytes()).hexdigest() in capsys.readouterr().out


def test_the_same_results_give_the_same_bytes(project) -> None:
    archive.write(project, project / "results/a.zip")
    for path in project.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            path.touch()
    archive.write(project, project / "elsewhere/b.zip")
    assert (project / "results/a.zip").read_bytes() == (project / "elsewhere/b.zip").read_bytes()


def test_results_of_other_source_are_refused(project) -> None:
    Path("src/hardmax/a.py").write_text("x = 2\n")
    with pytest.raises(InputError, match="1 changed"):
        archive.write(project, project / "a.zip")
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "second"], check=True)
    with pytest.raises(InputError, match=r"src/hardmax/a.py: expected the module that rule t ran"):
        archive.write(project, project / "a.zip")
    assert not list(project.glob("*.zip"))


def test_unfinished_results_are_one_line(project, capsys) -> None:
    Path("results/audit/index.html").unlink()
    assert archive.main(["-o", "a.zip"]) == 2
    assert capsys.readouterr().err.startswith("error: results/audit/index.html: expected the results of a finished run")
