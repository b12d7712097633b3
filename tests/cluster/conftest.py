"""A real SLURM of two nodes on this machine."""

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from slurm_cluster import script


@pytest.fixture(scope="session")
def slurm() -> Iterator[None]:
    """SLURM with two nodes of two cores, up until the end of the session."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        pytest.skip("a SLURM for tests needs root on Debian or Ubuntu")
    if not shutil.which("slurmctld"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "slurm-wlm", "munge"]):
            subprocess.run(command, check=True, env=environment, capture_output=True)
    script("up")
    yield
    script("down")
