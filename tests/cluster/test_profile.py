"""The cluster profile, as far as it can be checked without a cluster."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROFILE = yaml.safe_load((ROOT / "workflow/profiles/slurm/config.yaml").read_text(encoding="utf-8"))
RULES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "workflow/rules").glob("*.smk")))


def test_every_option_is_one_of_this_snakemake() -> None:
    listed = subprocess.run([sys.executable, "-m", "snakemake", "--help"], capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"--([a-z][a-z-]+)", listed))
    assert set(PROFILE) <= known


def test_groups_are_of_rules_that_exist() -> None:
    rules = set(re.findall(r"^rule (\w+):", RULES, re.M))
    assert set(PROFILE["groups"]) <= rules
    assert set(PROFILE["group-components"]) <= set(re.findall(r'^    group:\n        "(\w+)"', RULES, re.M))


def test_every_job_asks_for_memory_and_time_that_grow_when_it_is_tried_again() -> None:
    jobs = [text for text in re.split(r"^(?:use )?rule ", RULES, flags=re.M)[1:] if re.search(r"^    (script|shell):", text, re.M)]
    assert len(jobs) > 20
    for text in jobs:
        rule = text.split(":", 1)[0]
        for resource in ("mem_mb", "runtime"):
            amount = re.search(rf"{resource}=growing\((\d+)\)", text)
            assert amount, f"rule {rule}: expected {resource}=growing(...)"
            assert resource == "runtime" or int(amount[1]) >= 1000, f"rule {rule}: a job's two Snakemake processes need 300 MB themselves"


SLURM = """#!/bin/sh
[ "${0##*/}" = sbatch ] || exit 0
echo "$@" > asked
exit 1
"""


@pytest.mark.parametrize(("device", "gpus"), [("cpu", []), ("cuda", ["--gpus=1"])])
def test_training_asks_for_a_gpu_only_where_the_configuration_does(device: str, gpus: list[str], tmp_path: Path) -> None:
    """What the executor asks `sbatch` for; the SLURM it finds here takes no job."""
    for name in ("sbatch", "sinfo", "sacct", "sacctmgr", "scontrol", "squeue", "sshare"):
        (tmp_path / "bin" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(SLURM, encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    for name in ("data_tokens.parquet", "data_vocabulary.csv"):
        (tmp_path / "results/tables" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "results/tables" / name).touch()
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--directory", str(tmp_path)]
    command += ["--workflow-profile", str(ROOT / "workflow/profiles/slurm"), "--retries", "0", "--rerun-triggers", "mtime"]
    command += ["--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "1"]
    command += ["--allowed-rules", "sentiment_train", "--configfile", str(ROOT / "config/smoke.yaml")]
    command += ["--config", f"sentiment={{training: {{device: {device}}}}}", "--", "results/models/sentiment/paper_d2_s0.safetensors"]
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (tmp_path / "asked").exists(), ended.stdout + ended.stderr
    asked = (tmp_path / "asked").read_text(encoding="utf-8").partition("--wrap")[0]
    assert "--mem 3000" in asked
    assert re.findall(r"--\S*(?:gpu|gres)\S*", asked) == gpus
