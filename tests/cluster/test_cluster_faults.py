"""What clusters do: cancel jobs, lose nodes, run out of memory; and what users do: kill Snakemake. The bytes stay the same."""

import re
import subprocess
from pathlib import Path

import pytest
from slurm_cluster import PROFILE, queue, records, run_id, running, script

from sandbox import Sandbox, wait_for

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("slurm")]

TARGETS = ("results/figures/clustering_panels.pdf", "results/tables/clustering_reviews.csv")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Checksum of every file of an undisturbed local run."""
    undisturbed = Sandbox(tmp_path_factory.mktemp("undisturbed") / "run", TARGETS)
    undisturbed.finish()
    return undisturbed.bytes()


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """A copy of the workflow without results."""
    return Sandbox(tmp_path / "run", TARGETS)


def _begin(sandbox: Sandbox) -> tuple[subprocess.Popen[str], str, str]:
    """A Snakemake with a running job, the job and its node."""
    driver = sandbox.start(*PROFILE)
    begun: list[tuple[str, str]] = []
    wait_for(lambda: begun.extend(running(sandbox.said)) or begun, what="a running job")
    return driver, *begun[0]


def test_killed_driver(sandbox: Sandbox, reference: dict[str, str]) -> None:
    driver, *_ = _begin(sandbox)
    sandbox.kill(driver)
    killed = run_id(sandbox.said)
    assert queue(killed), "the jobs of a killed Snakemake go on"
    recovered = sandbox.recover(*PROFILE)
    assert recovered.returncode == 0, recovered.stdout
    assert re.search(r"cancelled [1-9]\d* SLURM jobs", recovered.stdout)
    assert queue(killed) == []
    ends = [job["EndTime"] for job in records(killed)]
    starts = [job["StartTime"] for job in records(run_id(recovered.stdout))]
    assert max(ends) <= min(starts), "an orphan was still there when its files were made again"
    assert sandbox.bytes() == reference


@pytest.mark.long
def test_cancelled_job(sandbox: Sandbox, reference: dict[str, str]) -> None:
    driver, job, _ = _begin(sandbox)
    subprocess.run(["scancel", job], check=True)
    assert driver.wait(600) == 0, sandbox.said[-5000:]
    states = {record["JobState"] for record in records(run_id(sandbox.said))}
    assert states == {"CANCELLED", "COMPLETED"}
    assert sandbox.bytes() == reference


@pytest.mark.long
def test_lost_node(sandbox: Sandbox, reference: dict[str, str]) -> None:
    driver, _, node = _begin(sandbox)
    try:
        assert "jobs []" not in script("crash", node)
        assert driver.wait(900) == 0, sandbox.said[-5000:]
    finally:
        script("boot", node)
    assert sandbox.bytes() == reference


@pytest.mark.long
def test_too_little_memory(sandbox: Sandbox, reference: dict[str, str]) -> None:
    ended = sandbox.run(*PROFILE, "--set-resources", "data_reviews:mem_mb=150*attempt**4")
    assert ended.returncode == 0, ended.stdout[-5000:]
    states = [record["JobState"] for record in records(run_id(ended.stdout))]
    assert set(states) == {"FAILED", "COMPLETED"} or set(states) == {"OUT_OF_MEMORY", "COMPLETED"}, states
    assert sandbox.bytes() == reference
