"""One root seed, and an independent stream for each job, by name.

A stream depends on the root seed, a name and labels only: not on job order, the number of cores or the machine.
"""

import hashlib

import numpy as np

from hardmax.errors import InputError


def _sequence(root: int, name: str, labels: dict[str, object]) -> np.random.SeedSequence:
    if not isinstance(root, int) or isinstance(root, bool) or not 0 <= root < 2**64:
        raise InputError(f"seed: expected an integer from 0 to 2**64 - 1, found {root!r}")
    text = "\x1f".join([name, *(f"{key}={labels[key]}" for key in sorted(labels))])
    digest = hashlib.sha256(text.encode()).digest()
    words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 32, 4)]
    return np.random.SeedSequence(entropy=root, spawn_key=words)


def stream(root: int, name: str, **labels: object) -> np.random.Generator:
    """Random generator for the job `name` with `labels` (wildcards, say) under the root seed.

    Two streams of different names or labels are independent; the same name and labels give the same draws everywhere.

    Raises:
        InputError: the root seed is not an integer of at most 64 bits.
    """
    return np.random.Generator(np.random.PCG64(_sequence(root, name, labels)))


def seed_of(root: int, name: str, **labels: object) -> int:
    """A 63-bit integer seed by name, for libraries that want an integer (torch, scikit-learn's `random_state` modulo 2**32)."""
    return int(_sequence(root, name, labels).generate_state(1, np.uint64)[0] >> 1)
