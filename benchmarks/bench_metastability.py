"""Speed of exit times: from event to event, step by step, and a literal loop; all as ratios measured in one run on one core.

Triangle with two tokens a group, gamma 0.1, r 3.5.
"""

import resource
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from report import report

from hardmax.metastability import exit_times
from hardmax.metastability.polytopes import crowd, regular_simplex

X0, GROUPS = crowd(regular_simplex(3), 2, 0.1)
GAMMA, EPSILON = 0.1, 0.35
BETA = {"1e5": 9.65, "1e6": 11.3, "1e12": 20.95}
"""Inverse temperatures at which the median exit time is about that; the medians are printed."""


def sample(beta: float, replicas: int, method: str, **others: float) -> pd.DataFrame:
    return exit_times(X0, GROUPS, beta=beta, gamma=GAMMA, epsilon=EPSILON, replicas=replicas, seed=1, method=method, **others)


def cpu(work: Callable[[], object], repeats: int = 3) -> float:
    """Least processor time of some repeats, in seconds: other processes on the machine do not count."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def literal_loop(beta: float, replicas: int, steps: int) -> None:
    """The chain with numpy, token by token and replica by replica."""
    rng = np.random.default_rng(0)
    for _ in range(replicas):
        x = X0.copy()
        for _ in range(steps):
            picks = []
            for i in range(len(x)):
                scores = beta * x @ x[i]
                weights = np.exp(scores - scores.max())
                picks.append(rng.choice(len(x), p=weights / weights.sum()))
            x = (1 - GAMMA) * x + GAMMA * x[picks]


def peak() -> float:
    """Largest resident memory so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    for method in ("events", "steps"):
        sample(4.0, 1, method)
    rows: list[tuple[str, float, str, str, bool | None]] = []

    def note(quantity: str, value: float, unit: str, goal: str = "", met: bool | None = None) -> None:
        rows.append((quantity, value, unit, goal, met))

    for name, beta in BETA.items():
        note(f"median exit time at beta {beta:g} (wanted {name})", sample(beta, 1000, "events")["exit_time"].median(), "steps")
    replicas = 50
    events = cpu(lambda: sample(BETA["1e5"], replicas, "events"))
    steps = cpu(lambda: sample(BETA["1e5"], replicas, "steps"), repeats=1)
    note("events against steps, median 1e5", steps / events, "times faster", ">= 50", steps / events >= 50)
    short, long = (cpu(lambda beta=BETA[name]: sample(beta, 500, "events")) for name in ("1e6", "1e12"))
    note("cost of median 1e12 over median 1e6", long / short, "times", "<= 3", long / short <= 3)
    note("events, one replica at median 1e12", 1e3 * long / 500, "ms")
    horizon = 2000
    # At this beta nothing leaves within the horizon, so that both take the same number of steps.
    stepped = cpu(lambda: sample(30.0, 20, "steps", max_time=horizon))
    literal = cpu(lambda: literal_loop(30.0, 1, horizon), repeats=1) * 20
    note("steps against a literal loop over tokens and replicas", literal / stepped, "times faster", ">= 20", literal / stepped >= 20)
    note("one step of six tokens", 1e9 * stepped / (20 * horizon), "ns")
    before = peak()
    sample(30.0, 5, "steps", max_time=1e6)
    sample(600.0, 50, "events")
    grown = peak() - before
    note("memory that grows with the horizon, 1e6 steps and events to 1e300", grown, "MiB", "<= 1", grown <= 1)
    report("bench_metastability", rows)


if __name__ == "__main__":
    main()
