"""Snakemake or one of its jobs is killed: at most the running jobs are lost, and `recover` ends with the same bytes."""

import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sandbox import Sandbox, wait_for

pytestmark = pytest.mark.faults
INJECT = Path(__file__).parent / "inject"


def _kill_and_recover(sandbox: Sandbox, moment: float) -> None:
    driver = sandbox.start()
    time.sleep(moment)
    sandbox.kill(driver)
    done = re.findall(r"^(\d+) of (\d+) steps", sandbox.said, re.M)
    recovered = sandbox.recover()
    assert recovered.returncode == 0, recovered.stdout
    rerun = re.search(r"^total +(\d+)$", recovered.stdout, re.M)
    if done:
        assert (int(rerun[1]) if rerun else 0) <= int(done[-1][1]) - int(done[-1][0]), "a finished job was lost"


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.long)])
def test_killed_driver_at_random_moments(fresh: Sandbox, same: Callable[[Sandbox], None], kills: int) -> None:
    started = time.monotonic()
    fresh.finish()
    whole = time.monotonic() - started
    for moment in np.random.default_rng(kills).uniform(0, whole, kills):
        for folder in ("results", ".snakemake"):
            shutil.rmtree(fresh.folder / folder)
        _kill_and_recover(fresh, moment)
        same(fresh)


def test_orphans_are_ended_before_their_files_are_made_again(begun: Sandbox, same: Callable[[Sandbox], None]) -> None:
    driver = begun.start()
    wait_for(begun.jobs, what="a running job")
    begun.kill(driver)
    orphans = begun.jobs()
    assert orphans
    refused = begun.run()
    assert refused.returncode != 0
    assert "cannot be locked" in refused.stdout
    recovered = begun.recover()
    assert recovered.returncode == 0, recovered.stdout
    assert not [process for process in orphans if process.is_running() and process.status() != "zombie"]
    same(begun)


@pytest.mark.parametrize(
    ("point", "name"),
    [
        ("half", "clustering_panels.csv"),
        pytest.param("before", "clustering_panels.csv", marks=pytest.mark.long),
        pytest.param("after", "clustering_panels.csv", marks=pytest.mark.long),
        pytest.param("half", "clustering_panels.card.json", marks=pytest.mark.long),
        pytest.param("half", "clustering_panels.png", marks=pytest.mark.long),
    ],
)
def test_job_killed_while_it_writes(begun: Sandbox, same: Callable[[Sandbox], None], point: str, name: str) -> None:
    clean = dict(begun.environment)
    spent = begun.folder / "spent"
    begun.environment |= {
        "PYTHONPATH": f"{INJECT}{os.pathsep}{clean['PYTHONPATH']}",
        "FAULT_POINT": f"{point} {name}",
        "FAULT_SPENT": str(spent),
    }
    failed = begun.run()
    assert spent.exists()
    assert failed.returncode != 0
    assert point == "after" or not list((begun.folder / "results").rglob(name)), "a killed job left a file that looks finished"
    begun.environment = clean
    recovered = begun.recover()
    assert recovered.returncode == 0, recovered.stdout
    same(begun)
