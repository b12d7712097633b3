"""What Snakemake takes to plan: a finished run of the default configuration, and a sweep of 2,000 points on a cluster."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import report

ROOT = Path(__file__).parents[1]
GOAL, SWEEP_GOAL = 8.0, 30.0
SWEEP = (
    *("--workflow-profile", str(ROOT / "workflow/profiles/slurm"), "--snakefile", str(ROOT / "Snakefile")),
    *("--configfile", str(ROOT / "config/smoke.yaml"), str(ROOT / "benchmarks/sweep.yaml")),
    *("--", "results/tables/metastability_exits.parquet"),
)


def plan(folder: Path, *options: str) -> tuple[str, float, float]:
    """What a dry run says, its seconds and its peak memory in MB."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "snakemake", "-n", *options]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(said[-3000:])
    return said, time.perf_counter() - start, usage.ru_maxrss / 1024


def finished_run() -> float:
    """Seconds of one dry run of the project's folder; it has to find nothing to do."""
    said, seconds, _ = plan(ROOT)
    if "Nothing to be done" not in said:
        raise SystemExit("bench_snakemake: run `make reproduce` first; the benchmark is of a finished run")
    return seconds


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        _, sweep, memory = plan(Path(folder), *SWEEP)
    median = statistics.median(finished_run() for _ in range(3))
    report(
        "bench_snakemake",
        [
            ("dry run of a finished run, median of 3", median, "s", f"< {GOAL:g}", median < GOAL),
            ("plan of a sweep of 2,000 points", sweep, "s", f"< {SWEEP_GOAL:g}", sweep < SWEEP_GOAL),
            ("its memory in the main process", memory, "MB", "", None),
        ],
    )
