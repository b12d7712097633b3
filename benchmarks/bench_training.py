"""A training step of the sentiment classifier: the sparse compiled layers against dense ones at 128 positions, real reviews.

Both do the whole step of the training loop (forward, loss, backward, clipping, Adam) on the same batches, one thread each, by
turns; the ratio is of the medians of processor time.
"""

import statistics
import time

import numpy as np
import torch
from report import report
from torch.nn import functional

from hardmax.data import load_tokens, load_vocabulary
from hardmax.sentiment.classifier import Classifier
from hardmax.sentiment.layers import dense_softmax
from hardmax.sentiment.reviews import Reviews

BATCH, STEPS, GOAL = 64, 15, 5.0


class Dense(Classifier):
    """The same classifier on padded reviews, by the reference layers."""

    def forward(self, ids):
        tokens = dense_softmax(functional.embedding(ids, self.embedding), self.alpha, self.temperature, self.depth)
        return self.decoder(tokens.mean(1)).squeeze(-1)


def stepper(model):
    """One training step of a model as a function of its input and labels, returning its processor seconds."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)

    def step(prepare, label):
        began = time.process_time()
        optimizer.zero_grad()
        functional.binary_cross_entropy_with_logits(model(prepare()), label).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        return time.process_time() - began

    return step


if __name__ == "__main__":
    torch.set_num_threads(1)
    tokens = load_tokens("results/tables/data_tokens.parquet")
    words = len(load_vocabulary("results/tables/data_vocabulary.csv"))
    reviews = Reviews.of(tokens, train=True)
    ids, order = tokens.ids[tokens.train], np.random.default_rng(0).permutation(len(reviews))
    rows = []
    for dim in (2, 16):
        steps = [stepper(kind(words, dim, 8, 1e-3, 1.0, torch.Generator().manual_seed(0))) for kind in (Classifier, Dense)]
        seconds: list[list[float]] = [[], []]
        for turn in range(STEPS):
            chosen = order[turn * BATCH : (turn + 1) * BATCH]
            label = torch.from_numpy(reviews.label[chosen]).float()
            inputs = (lambda c=chosen: reviews.batch(c), lambda c=chosen: torch.from_numpy(ids[c].astype(np.int64)))
            for kind in (0, 1):
                seconds[kind].append(steps[kind](inputs[kind], label))
        sparse, dense = (statistics.median(times[3:]) for times in seconds)
        rows += [
            (f"sparse step, d = {dim}, batch {BATCH}", 1e3 * sparse, "ms", "", None),
            (f"dense step, d = {dim}, batch {BATCH}, 128 positions", 1e3 * dense, "ms", "", None),
            (f"dense / sparse, d = {dim}", dense / sparse, "times", f">= {GOAL:g}", dense / sparse >= GOAL),
        ]
    report("bench_training", rows)
