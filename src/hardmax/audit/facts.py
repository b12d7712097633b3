"""Facts about the process that made an output: versions, the host, what it cost, and the commit of the code."""

import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

import psutil


def versions() -> dict[str, str]:
    """Versions of Python, of this package and of the installed libraries the process has imported.

    `importlib.metadata.packages_distributions` says the same in a sixth of a second, which a hundred small jobs would notice.
    """
    imported = {module for module in sys.modules if "." not in module}
    found = {}
    for distribution in metadata.distributions():
        stated, files = (distribution.read_text(name) or "" for name in ("top_level.txt", "RECORD"))
        top = {*stated.split(), *(re.split("[/.,]", line, maxsplit=1)[0] for line in files.splitlines())}
        if top & imported:
            about = distribution.metadata  # parsed anew each time it is asked for
            found[about["Name"]] = about["Version"]
    return {"python": platform.python_version()} | dict(sorted(found.items()))


def host() -> dict[str, Any]:
    """Cores, memory, platform, and each linear algebra and threading library that is loaded, as it describes itself."""
    from threadpoolctl import threadpool_info

    libraries = [
        {key: str(library[key]) for key in ("internal_api", "version", "architecture", "threading_layer") if library.get(key)}
        for library in threadpool_info()
    ]
    return {
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cores": os.cpu_count() or 1,
        "cores_usable": len(psutil.Process().cpu_affinity()) if hasattr(psutil.Process, "cpu_affinity") else os.cpu_count() or 1,
        "memory_mb": round(psutil.virtual_memory().total / 2**20),
        "libraries": sorted(libraries, key=str),
    }


def cost() -> dict[str, Any]:
    """When this process began, how long it has run, and the memory and processor time that it and its children have taken.

    Measured in the job itself: Snakemake writes a benchmark file only when the job has ended, too late for a card that is
    published with the output, and its sampling misses short peaks. The peak is the kernel's own, of the largest process.
    """
    import resource

    process = psutil.Process()
    began = process.create_time()
    here, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return {
        "started": datetime.fromtimestamp(began, UTC).isoformat(timespec="milliseconds"),
        "wall_seconds": round(datetime.now(UTC).timestamp() - began, 3),
        "cpu_seconds": round(here.ru_utime + here.ru_stime + children.ru_utime + children.ru_stime, 3),
        "peak_memory_mb": round(max(here.ru_maxrss, children.ru_maxrss) / unit, 1),
    }


def commit() -> dict[str, Any]:
    """The commit in the working folder, and whether the tree differed from it; both None outside a git repository."""

    def git(*arguments: str) -> str | None:
        try:
            answer = subprocess.run(["git", *arguments], capture_output=True, text=True, timeout=30, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return answer.stdout.strip() if answer.returncode == 0 else None

    head = git("rev-parse", "HEAD")
    changes = git("--no-optional-locks", "status", "--porcelain") if head else None
    return {"commit": head, "dirty": None if changes is None else bool(changes)}
