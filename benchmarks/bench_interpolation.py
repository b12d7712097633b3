"""Building, verifying and certifying networks at the sizes of the goals, in one process; CPU seconds stand beside wall seconds.

Run alone on two free cores: `python benchmarks/bench_interpolation.py`.
"""

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from report import report

from hardmax.interpolation import certify, float64_error, interpolate

Row = tuple[str, float, str, str, bool | None]


def data(seed: int, n: int, tokens: int, d: int, targets: list[int]) -> tuple[list, list]:
    """Gaussian sequences; numbers of targets in turn."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(tokens, d)) for _ in range(n)], [rng.normal(size=(targets[j % len(targets)], d)) for j in range(n)]


def timed(what: str, goal: float, run: Callable[[], Any]) -> tuple[list[Row], Any]:
    """Rows of wall and CPU time of `run`, and its result."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = run()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return [(f"{what}, wall time", wall, "s", f"< {goal:g}", wall < goal), (f"{what}, CPU time", cpu, "s", "", None)], result


def build_and_verify() -> list[Row]:
    """The largest size, in float64."""
    X, Y = data(0, 10_000, 100, 16, [1])
    what = "build and verify in float64, N = 10,000, 100 tokens, d = 16, m = 1"
    rows, (error, scale) = timed(what, 60, lambda: float64_error(interpolate(X, Y), X, Y))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    return [*rows, (f"{what}, peak memory", memory, "GB", "< 4", memory < 4), (f"{what}, error / scale", error / scale, "", "", None)]


def exact_certificate() -> list[Row]:
    """The certificate in rational arithmetic."""
    X, Y = data(1, 1000, 100, 8, [1, 2, 3])
    net = interpolate(X, Y)
    what = "exact certificate, N = 1,000, 100 tokens, d = 8, m up to 3"
    rows, found = timed(what, 120, lambda: certify(net, X, Y))
    return [*rows, (f"{what}, sequences not exact", len(found.failures), "", "0", found.exact)]


def precision() -> list[Row]:
    """Errors of float64 evaluation, m = 2 in several units."""
    rows: list[Row] = []
    for m, n, goal in ((1, 1000, 1e-8), (1, 10_000, 1e-6), (2, 400, 1e-5)):
        X, Y = data(n, n, 20, 8, [m])
        for unit, origin in ((1.0, 0.0), (1e-6, 0.0), (1e6, 0.0), (1.0, 1000.0)) if m == 2 else ((1.0, 0.0),):
            moved = [x * unit + origin for x in X], [y * unit + origin for y in Y]
            error, scale = float64_error(interpolate(*moved), *moved)
            name = f"float64 error / scale, m = {m}, N = {n}, data times {unit:g} plus {origin:g}"
            rows.append((name, error / scale, "", f"< {goal:g}", error < goal * scale))
    return rows


def size() -> list[Row]:
    """Blocks and parameters beside the formulas, measured on one network."""
    X, Y = data(2, 1000, 20, 8, [2])
    net = interpolate(X, Y)
    share, least = net.depth / (2 * 2000 + 2 * 1000 + 1), net.parameter_count / (8 * 2000)
    return [
        ("blocks / paper's formula, N = 1,000, m = 2", share, "", "< 1", share < 1),
        ("free parameters / d sum(m_j), N = 1,000, m = 2, d = 8", least, "", "< 2.5", least < 2.5),
    ]


if __name__ == "__main__":
    report("bench_interpolation", [*build_and_verify(), *exact_certificate(), *precision(), *size()])
