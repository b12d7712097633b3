"""Measurements of built networks: one row a data set, with size, exactness, margins and floating-point error."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import torch
from tqdm import tqdm

from hardmax.interpolation.build import interpolate
from hardmax.interpolation.certificate import certify
from hardmax.interpolation.complexity import (
    compact_depth_bound,
    counting_lower_bound,
    extra_blocks,
    leaders_depth_bound,
    paper_depth,
)
from hardmax.interpolation.datasets import FAMILIES, DataSet, reviews_as_sequences, word_vectors
from hardmax.interpolation.network import Network

FLOAT32_SEQUENCES = 50


def sweeps(
    sequences: Sequence[int],
    targets: Sequence[int],
    dimensions: Sequence[int],
    lengths: Sequence[int],
    leader_sequences: Sequence[int],
    base: dict[str, int],
) -> list[dict]:
    """What to build: numbers of sequences, for each number of targets and construction; dimensions; lengths; each family."""
    points: list[dict[str, Any]] = []

    def add(sweep: str, construction: str = "compact", family: str = "general position", **change: int) -> None:
        points.append({"sweep": sweep, "construction": construction, "family": family, **base, **change})

    for m in targets:
        for n in sequences:
            add("sequences", sequences=n, targets=m)
        for n in leader_sequences:
            add("sequences", "leaders", sequences=n, targets=m)
    for d in dimensions:
        add("dimension", dimension=d)
    for length in lengths:
        add("length", tokens=length)
    for family in FAMILIES:
        add("family", family=family)
    return points


def networks(rng: np.random.Generator, repetitions: int, **configuration: Any) -> pd.DataFrame:
    """Build and certify networks for random data sets, so many of each point of `sweeps(**configuration)`."""
    rows = []
    tasks = [(point, repetition) for point in sweeps(**configuration) for repetition in range(repetitions)]
    for (point, repetition), own in zip(tqdm(tasks, desc="networks", mininterval=10), rng.spawn(len(tasks)), strict=True):
        data = FAMILIES[point["family"]](own, *(point[key] for key in ("sequences", "tokens", "dimension", "targets")))
        net = interpolate(*data, construction=point["construction"], seed=int(own.integers(2**62)))
        rows.append({**point, "repetition": repetition} | measurements(net, data))
    return pd.DataFrame(rows)


def measurements(net: Network, data: DataSet) -> dict[str, float | int | bool]:
    """Size of a network, beside the paper's formula and the bounds, and what the certificate says about it."""
    X, Y = data
    counts = [len({tuple(y) for y in ys}) for ys in Y]
    report = certify(net, X, Y)
    d = net.dimension
    bound = compact_depth_bound(counts) if net.construction == "compact" else leaders_depth_bound(counts)
    return {
        "target_points": sum(counts),
        "depth": net.depth,
        "depth_bound": bound + extra_blocks(net.blocks),
        "paper_depth": paper_depth(counts),
        "paper_depth_softmax": paper_depth(counts, softmax=True),
        "neurons": net.neurons,
        "parameters": net.parameter_count,
        "nonzero_entries": net.nonzero_count,
        "lower_bound": counting_lower_bound(counts, d),
        "exact": report.exact,
        "least_gap": report.margins.least_gap,
        "largest_coordinate": report.margins.largest_coordinate,
        "scale": report.scale,
        "float64_error": report.float64_error if np.isfinite(report.float64_error) else np.nan,
        "float32_error": float32_error(net, data),
    }


def float32_error(net: Network, data: DataSet) -> float:
    """Largest Hausdorff distance (any coordinate) between a sequence's float32 images and its targets, over the first
    `FLOAT32_SEQUENCES` sequences, all of one length."""
    X, Y = (np.stack(part[:FLOAT32_SEQUENCES]) for part in data)
    with torch.no_grad():
        images = net.to_torch(torch.float32)(torch.as_tensor(X, dtype=torch.float32)).double().numpy()
    distance = np.abs(images[:, :, None] - Y[:, None]).max(axis=-1)
    worst = float(max(distance.min(axis=1).max(), distance.min(axis=2).max()))
    return worst if np.isfinite(worst) else float("nan")


def classify_reviews(rng: np.random.Generator, ids: np.ndarray, labels: np.ndarray, sizes: Sequence[int], dimension: int) -> pd.DataFrame:
    """Build a classifier for the first so many reviews (in random order), with random word vectors, and certify it on all of them."""
    vectors = word_vectors(rng, int(ids.max()) + 1, dimension)
    order = rng.permutation(len(ids))[: max(sizes)]
    X, y = reviews_as_sequences([row[row > 0] for row in ids[order]], labels[order].tolist(), vectors)
    rows = []
    for size in sizes:
        part, goal = X[:size], y[:size]
        net = interpolate(part, goal)
        report = certify(net, part, goal)
        rows.append(
            {
                "reviews": len(part),
                "dimension": dimension,
                "positive": sum(goal),
                "tokens": sum(map(len, part)),
                "shortest": min(map(len, part)),
                "longest": max(map(len, part)),
                "depth": net.depth,
                "depth_bound": compact_depth_bound([1] * len(part)) + extra_blocks(net.blocks),
                "paper_depth": paper_depth([1] * len(part)),
                "parameters": net.parameter_count,
                "exact": report.exact,
                "wrong": len(report.failures),
                "least_gap": report.margins.least_gap,
                "largest_coordinate": report.margins.largest_coordinate,
                "float64_error": report.float64_error,
            }
        )
    return pd.DataFrame(rows)
