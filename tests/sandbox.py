"""A copy of the project in a folder of its own, in which tests run, kill, starve and damage the workflow."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[1]
PARTS = ("Snakefile", "workflow", "config", "src", "profiles")
PART_OF_EVERY_TOPIC = (
    "results/tables/data_vocabulary.csv",
    "results/figures/clustering_panels.pdf",
    "results/tables/interpolation_stages.csv",
    "results/tables/frank_wolfe_energies.csv",
    "results/tables/metastability_medians.csv",
    "results/tables/sentiment_baseline.csv",
    *(f"results/tables/falsification/{claim}.csv" for claim in ("CL-1", "IN-1", "FW-1", "MS-1")),
)
"""Small tables and figures of every topic: what continuous integration has time to run again elsewhere."""


class Sandbox:
    """The workflow in a folder: its own sources, configuration and results.

    Attributes:
        folder: where it is.
        environment: of the processes started in it; a test may add to it.
        targets: what `run` makes where it is given no other targets.
    """

    def __init__(self, folder: Path, targets: tuple[str, ...] = (), source: Path = ROOT) -> None:
        for part in PARTS:
            if (source / part).is_dir():
                shutil.copytree(source / part, folder / part)  # with the caches of compiled code, which take long to make
            else:
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source / part, folder / part)
        self.folder, self.targets = folder.resolve(), targets
        self.environment = os.environ | {"PYTHONPATH": str(self.folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        self.environment["PATH"] = f"{Path(sys.executable).parent}:{self.environment['PATH']}"

    def copy(self, folder: Path, *, finished: bool) -> "Sandbox":
        """The same workflow in another folder, with its results and what Snakemake knows of them, or without."""
        copy = Sandbox(folder, self.targets, self.folder)
        for part in ("results", ".snakemake") if finished else ():
            shutil.copytree(self.folder / part, copy.folder / part)
        return copy

    @classmethod
    def at(cls, folder: Path) -> "Sandbox":
        """A folder in which the workflow has run already."""
        here = cls.__new__(cls)
        here.folder = folder.resolve()
        return here

    def command(self, *options: str) -> list[str]:
        """Snakemake on the smoke configuration, on two cores where the options do not say otherwise."""
        cores = () if {"--cores", "--workflow-profile"} & set(options) else ("--cores", "2")
        return [sys.executable, "-m", "snakemake", *cores, "--configfile", "config/smoke.yaml", *options, "--", *self.targets]

    def start(self, *options: str) -> subprocess.Popen[str]:
        """Start Snakemake; what it says goes to `said`."""
        log = (self.folder / "said.txt").open("w", encoding="utf-8")
        return subprocess.Popen(
            self.command(*options), cwd=self.folder, env=self.environment, stdout=log, stderr=log, text=True, start_new_session=True
        )

    @property
    def said(self) -> str:
        """What the last started Snakemake has said so far."""
        return (self.folder / "said.txt").read_text(encoding="utf-8")

    def _ended(self, command: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
        """A command run to its end; what it says is the result's `stdout`. After `seconds` it is killed and the test fails."""
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )

    def run(self, *options: str, seconds: int = 600) -> subprocess.CompletedProcess[str]:
        """Run Snakemake to its end."""
        return self._ended(self.command(*options), seconds)

    def finish(self, *options: str, seconds: int = 600) -> None:
        """Run Snakemake to its end and insist that it succeeds."""
        ended = self.run(*options, seconds=seconds)
        assert ended.returncode == 0, ended.stdout[-4000:]

    def recover(self, *options: str, seconds: int = 600) -> subprocess.CompletedProcess[str]:
        """The documented command for after a killed Snakemake, with the options of the run."""
        return self._ended([sys.executable, "-m", "hardmax.audit.recover", *self.command(*options)[3:]], seconds)

    def kill(self, process: subprocess.Popen[str]) -> None:
        """Kill a Snakemake alone, as `kill -9` does: its jobs go on."""
        process.send_signal(signal.SIGKILL)
        process.wait()

    def jobs(self) -> list[psutil.Process]:
        """Running processes of the workflow's scripts in this folder."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.cwd() == str(self.folder) and any("/.snakemake/scripts/" in part for part in process.cmdline()):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def bytes(self) -> dict[str, str]:
        """Checksum of each table, figure, verdict and counterexample; cards tell times and hosts, and stay out."""
        found = {}
        for pattern in ("tables/**/*", "figures/**/*", "models/**/*", "audit/**/*.csv", "audit/counterexamples/*"):
            for path in (self.folder / "results").glob(pattern):
                if path.is_file() and not path.name.startswith(".snakemake") and not path.name.endswith(".card.json"):
                    found[path.relative_to(self.folder).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found


def wait_for(condition, seconds: float = 120, what: str = "the condition") -> None:
    """Wait until a condition holds; the test fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not come within {seconds} s"
        time.sleep(0.02)
