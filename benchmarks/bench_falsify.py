"""100,000 random trials of FW-3 as written: up to 12 tokens in up to 4 dimensions, 200 steps, on one thread.

Timed is the broad search with generation, the check of each hypothesis and 200 steps of every token, the compiled kernels warm. All steps
of all trials are computed; no trial is cut short. Goal: under 60 s.
"""

import time
from dataclasses import replace

from report import report

from hardmax.falsify import falsify
from hardmax.frank_wolfe.statements import STATEMENTS
from hardmax.frank_wolfe.statements.descent import STEPS
from hardmax.randomness import stream

TRIALS = 100_000
DRAWN = TRIALS + TRIALS // 100
"""A drawn trial may miss a hypothesis by rounding, and is not counted."""
GOAL_SECONDS = 60.0


def main():
    """Time the search, once."""
    statement = replace(STATEMENTS["FW-3"], amendments=(), strategy=None)
    falsify(statement, stream(0, "bench_falsify", part="warm"), 60)
    wall, processor = time.perf_counter(), time.process_time()
    table = falsify(statement, stream(0, "bench_falsify"), DRAWN)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    met, violations = int(table["met"].sum()), int(table["violations"].sum())
    report(
        "bench_falsify",
        [
            ("trials that met the hypotheses", met, "trials", f">= {TRIALS}", met >= TRIALS),
            ("steps a trial", STEPS, "steps", ">= 200", STEPS >= 200),
            ("trials that violate the bound", violations, "trials", "> 0", violations > 0),
            ("processor time", processor, "s", f"< {GOAL_SECONDS:g}", processor < GOAL_SECONDS),
            ("wall time", wall, "s", "", None),
        ],
    )


if __name__ == "__main__":
    main()
