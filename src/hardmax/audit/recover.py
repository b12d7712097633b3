"""Go on after a Snakemake that was killed: `python -m hardmax.audit.recover --cores 2` (or any other options of Snakemake).

A killed Snakemake leaves its jobs running, its folder locked and some files half done. The order that is safe: make sure that no
Snakemake is at work, end the orphaned jobs and wait until they are gone, release the lock, and only then run what is missing.
"""

import getpass
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from hardmax.errors import InputError

PATIENCE = 300
"""Seconds to wait for cancelled SLURM jobs to leave the queue."""


def _processes(folder: Path) -> Iterator[tuple[psutil.Process, str]]:
    """Snakemake's processes at work in a folder, each a `driver` or a `job`; neither this process nor those above it."""
    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    for process in psutil.process_iter():
        try:
            command = process.cmdline()
            if process.pid in own or not command or Path(process.cwd()) != folder or process.status() == psutil.STATUS_ZOMBIE:
                continue
        except (psutil.Error, OSError):
            continue
        if any("/.snakemake/scripts/" in part for part in command):
            yield process, "job"
        elif any(Path(part).name == "snakemake" for part in command[:3]):
            yield process, "job" if "--mode" in command else "driver"


def _last_run(folder: Path) -> str:
    logs = sorted((folder / ".snakemake" / "log").glob("*.snakemake.log"))
    return logs[-1].read_text(encoding="utf-8", errors="replace") if logs else ""


def check_no_driver(folder: Path) -> None:
    """Make sure that no Snakemake is at work in the folder, as far as this machine can tell.

    Raises:
        InputError: one is, or the last one ran on another machine.
    """
    for process, kind in _processes(folder):
        if kind == "driver":
            raise InputError(
                f"{folder}: a Snakemake is at work here (process {process.pid}); let it finish or interrupt it, then run again"
            )
    host = re.search(r"^\s*Host: (\S+)$", _last_run(folder), re.MULTILINE)
    if host and host[1] != socket.gethostname() and any((folder / ".snakemake" / "locks").glob("*.lock")):
        raise InputError(
            f"{folder}: locked by a Snakemake on {host[1]}, found this machine to be {socket.gethostname()}; run this on {host[1]}"
        )


def cancel_cluster_jobs(folder: Path) -> int:
    """Cancel the SLURM jobs that earlier runs in this folder left behind, and wait until they are gone; how many there were.

    Raises:
        InputError: some stay in the queue.
    """
    if not shutil.which("squeue"):
        return 0
    logs = (folder / ".snakemake" / "log").glob("*.snakemake.log")
    runs = {run for log in logs for run in re.findall(r"SLURM run ID: (\S+)", log.read_text(encoding="utf-8", errors="replace"))}

    def queued() -> list[str]:
        listed = subprocess.run(["squeue", "-h", "-u", getpass.getuser(), "-o", "%i %j"], capture_output=True, text=True, check=True)
        return [job for job, name in (line.split(maxsplit=1) for line in listed.stdout.splitlines()) if name.strip() in runs]

    if not runs or not (orphans := queued()):
        return 0
    subprocess.run(["scancel", *orphans], check=True)
    deadline = time.monotonic() + PATIENCE
    while left := queued():
        if time.monotonic() > deadline:
            raise InputError(
                f"SLURM jobs {' '.join(left)}: expected to be gone {PATIENCE} s after scancel, found them in the queue; run again later"
            )
        time.sleep(1)
    return len(orphans)


def end_local_jobs(folder: Path) -> int:
    """End the jobs that a killed Snakemake left running on this machine; how many processes there were."""
    jobs = [process for process, kind in _processes(folder) if kind == "job"]
    for process in jobs:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(jobs, timeout=30)
    return len(jobs)


def remove_fragments(folder: Path) -> int:
    """Remove the half-written files beside outputs (`.<process>.<name>`); how many there were."""
    fragments = [path for path in (folder / "results").rglob(".*") if re.match(r"\.\d+\.", path.name)]
    for path in fragments:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return len(fragments)


def recover(folder: Path, options: list[str]) -> int:
    """Clear up after a killed Snakemake in a folder and run it again with the given options; its exit status."""
    check_no_driver(folder)
    print(f"cancelled {cancel_cluster_jobs(folder)} SLURM jobs, ended {end_local_jobs(folder)} local processes", flush=True)
    print(f"removed {remove_fragments(folder)} half-written files, releasing the lock", flush=True)
    snakemake = [sys.executable, "-m", "snakemake"]
    unlocked = subprocess.run([*snakemake, "--unlock", *options], cwd=folder).returncode
    return unlocked or subprocess.run([*snakemake, "--rerun-incomplete", *options], cwd=folder).returncode


def main() -> int:
    """Recover the current folder; the arguments are Snakemake's."""
    try:
        return recover(Path.cwd(), sys.argv[1:])
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
