"""The cluster profile, as far as it can be checked without a cluster."""

import re
import subprocess
import sys
from pathlib import Path

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
