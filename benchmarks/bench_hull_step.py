"""One hardmax step of large clouds in the plane: peak memory at 100,000 tokens, and how time grows from 10,000 to 1,000,000.

Clouds are Gaussian (a few dozen hull vertices) and on a circle (every token is a vertex, the worst case). Each size runs in a
process of its own, so that its peak memory is its own; time is the least processor time of several steps. The exponent is fitted by
least squares in logarithms and set against that of n log n over the same sizes, without allowance: the smallest cloud fits in the cache
and the largest does not, which adds to the exponent, and the line then says that the goal is not met.

What n log n comes to on this machine, `np.sort` of as many random numbers says, measured in the same processes in the same way: a further
line, beside the goal and not instead of it, sets the exponent against that of `np.sort`.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from report import report

SIZES = [10_000, 31_623, 100_000, 316_228, 1_000_000]
REPEATS = 9
LIMIT_GB = 2.0


def least_seconds(function: Callable[[], object]) -> float:
    """Least processor time of several calls."""
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        function()
        times.append(time.process_time() - began)
    return min(times)


def measure(kind: str, tokens: int) -> None:
    """Print the seconds of one step and the peak memory of this process, and the seconds of sorting as many numbers."""
    import torch

    from hardmax.dynamics import Hardmax

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((tokens, 2))
    if kind == "circle":
        x /= np.linalg.norm(x, axis=1, keepdims=True)
    cloud, rule = torch.from_numpy(x), Hardmax(0.5)
    rule(cloud[:1000], 0)
    found = {"step": least_seconds(lambda: rule(cloud, 0)), "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6}
    numbers = rng.random(tokens)
    found["sort"] = least_seconds(lambda: np.sort(numbers))
    found["argsort"] = least_seconds(lambda: np.argsort(numbers))
    print(json.dumps(found))


def exponent(seconds) -> float:
    """Slope of log time against log n."""
    return float(np.polyfit(np.log(SIZES), np.log(seconds), 1)[0])


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[1], int(sys.argv[2]))
        sys.exit()
    allowed = exponent([n * np.log(n) for n in SIZES])
    rows = [("exponent of n log n over these sizes", allowed, "", "", None)]
    for kind in ("gaussian", "circle"):
        found = []
        for tokens in SIZES:
            command = [sys.executable, __file__, kind, str(tokens)]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            found.append(json.loads(run.stdout))
            for quantity, key in (("step", "step"), ("np.sort beside it", "sort"), ("np.argsort beside it", "argsort")):
                rows.append((f"{quantity}, {kind}, n = {tokens}", 1e3 * found[-1][key], "ms", "", None))
        peak = found[SIZES.index(100_000)]["peak_gb"]
        slope, sort, argsort = (exponent([one[key] for one in found]) for key in ("step", "sort", "argsort"))
        rows.append((f"peak memory, {kind}, n = 100000", peak, "GB", f"< {LIMIT_GB:g}", peak < LIMIT_GB))
        rows.append((f"exponent, {kind}", slope, "", f"<= {allowed:.3f}", slope <= allowed))
        rows.append((f"exponent of np.argsort beside {kind}", argsort, "", "", None))
        rows.append((f"exponent, {kind}, against that of np.sort beside it", slope, "", f"<= {sort:.3f}", slope <= sort))
    report("bench_hull_step", rows)
