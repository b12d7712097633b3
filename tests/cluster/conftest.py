"""A real SLURM of two nodes on this machine."""

import os
import shutil
from collections.abc import Iterator

import pytest
from slurm_cluster import script


@pytest.fixture(scope="session")
def slurm() -> Iterator[None]:
    """SLURM with two nodes of two cores, up until the end of the session."""
    if os.geteuid() != 0:
        assert not os.environ.get("CI"), "expected .ci/run to run as root, which a SLURM for tests needs"
        pytest.skip("a SLURM for tests needs root")
    if not shutil.which("slurmctld"):
        assert not os.environ.get("CI"), "expected .ci/run to install slurm-wlm and munge"
        pytest.skip("a SLURM for tests needs the Debian packages slurm-wlm and munge")
    script("up")
    yield
    script("down")
