"""An undisturbed run to compare with, and fresh copies of the workflow to disturb."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import Sandbox

TARGETS = ("results/figures/clustering_panels.pdf", "results/tables/clustering_reviews.csv")
"""A small part of the workflow that has all it takes: a raw file, tables made of tables, figures of tables, cards."""


TABLE, FIGURE = "results/tables/clustering_panels.csv", "results/figures/clustering_panels.pdf"
"""A table of the small part, and the figure made of it."""


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """A run that nothing disturbed. To look at and to copy."""
    sandbox = Sandbox(tmp_path_factory.mktemp("undisturbed") / "run", TARGETS)
    sandbox.finish()
    return sandbox


@pytest.fixture
def fresh(undisturbed: Sandbox, tmp_path: Path) -> Sandbox:
    """The workflow without results."""
    return undisturbed.copy(tmp_path / "run", finished=False)


@pytest.fixture
def finished(undisturbed: Sandbox, tmp_path: Path) -> Sandbox:
    """The workflow with all its results."""
    return undisturbed.copy(tmp_path / "run", finished=True)


@pytest.fixture
def begun(finished: Sandbox) -> Sandbox:
    """The workflow with all but one table and its figure, and their cards, and so with two jobs to do."""
    for path in (TABLE, FIGURE):
        for output in (finished.folder / path).parent.glob(f"{Path(path).stem}.*"):
            output.unlink()
    return finished


@pytest.fixture
def same(undisturbed: Sandbox) -> Callable[[Sandbox], None]:
    """Checks that a run ended with the files and bytes of the undisturbed one, nothing half-written, and nothing left to do."""

    def check(sandbox: Sandbox) -> None:
        assert sandbox.bytes() == undisturbed.bytes()
        assert not [path for path in (sandbox.folder / "results").rglob(".*") if path.name[1:2].isdigit()]
        assert "Nothing to be done" in sandbox.run("-n").stdout

    return check
