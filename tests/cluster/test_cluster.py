"""The workflow on a real SLURM of two nodes: it runs there, and its bytes are those of the local run."""

from pathlib import Path

import pytest
from slurm_cluster import PROFILE, records, run_id

from sandbox import PART_OF_EVERY_TOPIC, Sandbox

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("slurm")]


def _run_and_compare(tmp_path: Path, targets: tuple[str, ...], smoke: Path) -> None:
    local = Sandbox.at(smoke).bytes()
    there = Sandbox(tmp_path / "there", targets)
    ended = there.run(*PROFILE, seconds=1500)
    assert ended.returncode == 0, ended.stdout[-5000:]
    jobs = records(run_id(ended.stdout))
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}, jobs
    assert {job["NodeList"] for job in jobs} == {"n1", "n2"}, jobs
    assert len(jobs) == ended.stdout.count("has been submitted with SLURM jobid")
    found = there.bytes()
    assert found
    assert found == {path: local[path] for path in found}


def test_part_of_every_topic(tmp_path: Path, smoke: Path) -> None:
    _run_and_compare(tmp_path, PART_OF_EVERY_TOPIC, smoke)


@pytest.mark.long
def test_everything(tmp_path: Path, smoke: Path) -> None:
    _run_and_compare(tmp_path, (), smoke)
