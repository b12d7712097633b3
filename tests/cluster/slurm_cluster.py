"""The cluster of the tests, seen through SLURM's own commands and records."""

import re
import subprocess
from pathlib import Path

SCRIPTS = Path(__file__).parent / "slurm"
COMPLETED = Path("/var/log/slurm/jobcomp.log")
# The profile as users have it. A node here has two cores and no accounting, and its file system is not a network's: look sooner.
PROFILE = (
    *("--workflow-profile", "workflow/profiles/slurm"),
    *("--cores", "2", "--resources", "mem_mb=7000"),
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "4"),
    *("--seconds-between-status-checks", "4", "--latency-wait", "20"),
)


def script(name: str, *arguments: str) -> str:
    """Run one of the scripts in `slurm/`."""
    command = ["bash", str(SCRIPTS / f"{name}.sh"), *arguments]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def run_id(said: str) -> str:
    """The name that a Snakemake gave to its jobs, empty where it hasn't said so yet."""
    found = re.search(r"SLURM run ID: (\S+)", said)
    return found[1] if found else ""


def queue(run: str) -> list[tuple[str, str, str]]:
    """Job, state and node of the unfinished jobs of a run."""
    if not run:
        return []
    listed = subprocess.run(["squeue", "-h", "--name", run, "-o", "%i|%T|%N"], capture_output=True, text=True, check=True)
    return [(job, state, node) for job, state, node in (line.split("|") for line in listed.stdout.split())]


def running(said: str) -> list[tuple[str, str]]:
    """Job and node of the jobs of a run that are running."""
    return [(job, node) for job, state, node in queue(run_id(said)) if state == "RUNNING"]


def records(run: str) -> list[dict[str, str]]:
    """SLURM's own records of the ended jobs of a run."""
    rows = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in COMPLETED.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["Name"] == run]
