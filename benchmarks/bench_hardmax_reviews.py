"""Hardmax of real reviews, 128 positions and 8 layers: compiled batches against a literal loop over tokens, on one thread.

Timed is the whole way from token ids and an embedding to the final tokens at all positions: merging repeated words, looking the
embedding up, the layers, and going back to positions. Both do the same reviews by turns, and must agree; ratios are of the medians of
processor time. Beside them stands the arithmetic limit: the scores alone of all positions in all layers, at the speed of this machine's large
matrix products. The compiled layers stay below the literal number of operations, since repeated words count once, in the
plane only hull vertices are followed, and a token that follows a leader follows it for ever. In 16 dimensions random embeddings
make nearly every word a leader at once; the `crowded` embedding, whose words share a common part, shows the other extreme.
"""

import statistics
import time

import numpy as np
import torch
from report import report
from threadpoolctl import threadpool_limits

from hardmax.data import prepare, read_reviews
from hardmax.data.tokens import token_table
from hardmax.dynamics import Hardmax, simulate, step_size
from hardmax.randomness import stream
from hardmax.repetitions import merge_repeated
from hardmax.settling import settle

REVIEWS, POSITIONS, LAYERS, BATCH, LITERAL, ALPHA = 1024, 128, 8, 64, 4, 1.0
GOALS = {2: 400.0, 16: 150.0}


def review_ids():
    """Token ids of real reviews, cut or padded with 0 to 128 positions; padding takes part, as in the paper."""
    prepared = prepare(read_reviews("embedded"), stream(0, "bench_hardmax_reviews"), reviews=REVIEWS)
    ids = np.zeros((len(prepared.rows), POSITIONS), dtype=np.int64)
    for row, tokens in zip(ids, token_table(prepared, POSITIONS)["tokens"], strict=True):
        row[: len(tokens)] = tokens
    return ids


def literal(tokens):
    """Every token in turn looks for the tokens of largest score and moves towards their mean."""
    for _ in range(LAYERS):
        moved = np.empty_like(tokens)
        for i in range(len(tokens)):
            scores = tokens @ tokens[i]
            followed = tokens[scores == scores.max()].mean(axis=0)
            moved[i] = (tokens[i] + ALPHA * followed) / (1 + ALPHA)
        tokens = moved
    return tokens


def compiled(ids, embedding):
    """Final tokens at all positions of a batch of reviews."""
    merged = merge_repeated(ids)
    settled = settle(embedding[merged.ids], ALPHA, LAYERS, counts=merged.counts)
    return np.take_along_axis(settled.tokens, merged.place[..., None], axis=1)


def general(ids, embedding):
    """The same by the rule that serves any matrix and device."""
    merged = merge_repeated(ids)
    rule = Hardmax(step_size(ALPHA))
    last = simulate(embedding[merged.ids], rule, LAYERS, multiplicity=merged.counts, keep="last")[0].numpy()
    return np.take_along_axis(last, merged.place[..., None], axis=1)


def timed(function, *arguments):
    began = time.process_time()
    result = function(*arguments)
    return time.process_time() - began, result


def operations_a_second():
    """Floating-point operations a second of large float64 matrix products."""
    matrix = np.ones((1024, 1024))
    return 2 * 1024**3 / min(timed(np.matmul, matrix, matrix)[0] for _ in range(7))


def measure(ids, embedding):
    """Median seconds a review of the literal loop, the compiled layers and the general rule, and their largest difference."""
    compiled(ids[:2], embedding)
    seconds = {literal: [], compiled: [], general: []}
    difference = 0.0
    for start in range(0, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        spent, fast = timed(compiled, batch, embedding)
        seconds[compiled].append(spent / len(batch))
        spent, slower = timed(general, batch, embedding)
        seconds[general].append(spent / len(batch))
        for review in range(LITERAL):
            spent, expected = timed(literal, embedding[batch[review]])
            seconds[literal].append(spent)
            difference = max(difference, np.abs(fast[review] - expected).max(), np.abs(slower[review] - expected).max())
    return *(statistics.median(seconds[way]) for way in (literal, compiled, general)), difference


if __name__ == "__main__":
    torch.set_num_threads(1)
    rows = []
    with threadpool_limits(1):
        ids = review_ids()
        speed = operations_a_second()
        rows.append(("float64 matrix products, one thread", speed / 1e9, "GFLOP/s", "", None))
        for dim in (2, 4, 8, 16):
            rng = stream(0, "bench_hardmax_reviews_embedding", dim=dim)
            random = rng.standard_normal((int(ids.max()) + 1, dim))
            for name, embedding in ((f"d = {dim}", random), (f"d = {dim}, crowded", random + 4.0 * rng.standard_normal(dim))):
                slow, fast, batched, difference = measure(ids, embedding)
                limit = LAYERS * 2 * POSITIONS**2 * dim / speed
                goal = GOALS.get(dim) if embedding is random else None
                rows += [
                    (f"literal loop, {name}", 1e6 * slow, "us a review", "", None),
                    (f"compiled, {name}", 1e6 * fast, "us a review", "", None),
                    (f"general batched rule, {name}", 1e6 * batched, "us a review", "", None),
                    (f"scores alone at the arithmetic limit, {name}", 1e6 * limit, "us a review", "", None),
                    (
                        f"literal / compiled, {name}",
                        slow / fast,
                        "times",
                        f">= {goal:g}" if goal else "",
                        slow / fast >= goal if goal else None,
                    ),
                    (f"literal / general, {name}", slow / batched, "times", "", None),
                    (f"largest difference, {name}", difference, "", "<= 1e-11", bool(difference <= 1e-11)),
                ]
    report("bench_hardmax_reviews", rows)
