"""A sweep of two thousand points is planned in time and memory that a login node has, and travels as few, well-filled jobs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.workflow
ROOT = Path(__file__).parents[2]
POINTS = 2000
PROFILE = yaml.safe_load((ROOT / "workflow/profiles/slurm/config.yaml").read_text(encoding="utf-8"))


def test_sweep_is_planned_in_time_and_memory(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "snakemake", "-n", "--workflow-profile", str(ROOT / "workflow/profiles/slurm")]
    command += ["--configfile", str(ROOT / "config/smoke.yaml"), str(ROOT / "benchmarks/sweep.yaml")]
    command += ["--snakefile", str(ROOT / "Snakefile"), "--directory", str(tmp_path), "--", "results/tables/metastability_exits.parquet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, said[-3000:]
    assert ["metastability_point", str(POINTS)] in [line.split() for line in said.splitlines()]
    assert said.count("Group job metastability_points") == POINTS / PROFILE["group-components"]["metastability_points"]
    assert usage.ru_utime + usage.ru_stime < 30  # of processor time: other work on the machine is not ours
    assert usage.ru_maxrss / 1024 < 1000
