"""Compile the kernels once: `python -m hardmax.precompile`. Part of the set-up, so that the first run need not.

A kernel is compiled for the types it first meets, so small pieces of real work are done here. What is missed compiles when it is met.
"""

from concurrent.futures import ProcessPoolExecutor
from importlib import import_module

import numpy as np
import torch

from hardmax.attention import followed_sets
from hardmax.claims.statements import statement
from hardmax.falsify import falsify
from hardmax.metastability import exit_times
from hardmax.repetitions import merge_repeated
from hardmax.settling import settle

CLAIMS = ("FW-3", "MS-5", "CL-4", "FW-7", "MS-3", "CL-1", "FW-12")
"""Claims whose trials between them meet the kernels of the topics."""


def search(claim: str) -> None:
    """A few trials of a claim."""
    falsify(statement(claim), np.random.default_rng(0), trials=20)


def clouds() -> None:
    """Clouds that settle, in the plane and in more dimensions, with and without multiplicities."""
    for dim in (2, 3):
        x = np.random.default_rng(0).normal(size=(2, 8, dim))
        settle(x, 0.5, 50)
        settle(x, 0.5, 50, counts=np.ones((2, 8)))


def followers() -> None:
    """Sets that tokens follow, repeated words, and both loops of the Markov chain."""
    x = np.random.default_rng(0).normal(size=(2, 5, 2))
    followed_sets(torch.as_tensor(x))
    merge_repeated(np.array([[1, 2, 2]]))
    merge_repeated(np.array([[1, 2, 2]], dtype=np.int32))
    for method in ("events", "steps"):
        exit_times(x[0], np.arange(5), beta=1.0, gamma=0.5, epsilon=0.1, replicas=2, seed=0, method=method)


def sentiment() -> None:
    """The kernels with one signature, which compile when they are imported."""
    import_module("hardmax.sentiment.components")


def main() -> None:
    """Compile with as many processes as there are cores."""
    with ProcessPoolExecutor() as pool:
        tasks = [pool.submit(sentiment), pool.submit(clouds), pool.submit(followers), *(pool.submit(search, claim) for claim in CLAIMS)]
        for task in tasks:
            task.result()


if __name__ == "__main__":
    main()
