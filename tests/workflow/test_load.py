"""A sweep of two thousand points is planned in time and memory that a login node has, and travels as few, well-filled jobs."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.workflow
ROOT = Path(__file__).parents[2]
POINTS = 2000
PROFILE = yaml.safe_load((ROOT / "workflow/profiles/slurm/config.yaml").read_text(encoding="utf-8"))
GRID = {
    "shape": ["simplex3", "simplex4", "polygon4", "polygon5", "polygon6"],
    "tokens": [1, 2, 3, 4],
    "gamma": [0.02, 0.04, 0.06, 0.08, 0.1],
    "ratio": [3.5, 4, 5, 6],
    "beta": [8, 12, 16, 20, 24],
}


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """The smoke configuration with a sweep of two thousand points."""
    config = yaml.safe_load((ROOT / "config/smoke.yaml").read_text(encoding="utf-8"))
    config["metastability"]["sweep"]["grids"] = [GRID]
    path = tmp_path / "sweep.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


def test_sweep_is_planned_in_time_and_memory(sweep: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "-n",
        "--workflow-profile",
        str(ROOT / "workflow/profiles/slurm"),
        "--configfile",
        str(sweep),
    ]
    command += ["--snakefile", str(ROOT / "Snakefile"), "--directory", str(tmp_path), "--", "results/tables/metastability_exits.parquet"]
    before = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds, megabytes = time.monotonic() - before, usage.ru_maxrss / 1024
    assert os.waitstatus_to_exitcode(status) == 0, said[-3000:]
    assert ["metastability_point", str(POINTS)] in [line.split() for line in said.splitlines()]
    assert said.count("Group job metastability_points") == POINTS / PROFILE["group-components"]["metastability_points"]
    processor = usage.ru_utime + usage.ru_stime
    print(f"{POINTS} points planned in {seconds:.1f} s, {processor:.1f} s of processor time, with {megabytes:.0f} MB")
    assert processor < 30  # of processor time: other work on the machine is not ours
    assert megabytes < 1000
