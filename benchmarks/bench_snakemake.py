"""How long `snakemake -n` takes on a finished run of the default configuration."""

import statistics
import subprocess
import time

from report import report

GOAL = 8.0


def dry_run() -> float:
    """Seconds of one dry run; it has to find nothing to do."""
    start = time.perf_counter()
    run = subprocess.run(["snakemake", "-n", "--cores", "2"], capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    if "Nothing to be done" not in run.stdout + run.stderr:
        raise SystemExit("bench_snakemake: run `make reproduce` first; the benchmark is of a finished run")
    return seconds


if __name__ == "__main__":
    median = statistics.median(dry_run() for _ in range(3))
    report("bench_snakemake", [("dry run of a finished run, median of 3", median, "s", f"< {GOAL:g}", median < GOAL)])
