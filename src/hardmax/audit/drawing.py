"""Counterexamples as pictures: tokens, their hull, the token and the step that break the statement, or a rate beside its bound."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import Any

WIDTH, HEIGHT, MARGIN = 420, 320, 40
TOKENS = ("tokens", "x", "z", "points", "vertices", "cloud")
"""Names under which a counterexample keeps its tokens, best first."""


def number(value: Any) -> float | None:
    """A JSON number or an exact rational `"p/q"` as float; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(Fraction(value))
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        return None


def cloud(value: Any) -> list[list[float]] | None:
    """A list of points of one dimension, or None where the value is something else."""
    if not isinstance(value, list) or not value or not all(isinstance(row, list) and row for row in value):
        return None
    rows = [[number(entry) for entry in row] for row in value]
    if len({len(row) for row in rows}) != 1 or any(entry is None for row in rows for entry in row):
        return None
    return [[entry for entry in row if entry is not None] for row in rows]


def tokens_of(inputs: dict[str, Any]) -> list[list[list[float]]]:
    """The sequences of tokens among a counterexample's inputs; several where it is about several sequences."""
    for name in (*TOKENS, *(key for key in inputs if len(key) > 1)):
        value = inputs.get(name)
        if (points := cloud(value)) is not None:
            return [points]
        if isinstance(value, list) and value and all(cloud(item) is not None for item in value):
            return [points for item in value if (points := cloud(item)) is not None]
    return []


def hull(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Vertices of the convex hull in the plane, counter-clockwise (monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def chain(sequence: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for x, y in sequence:
            while len(kept) > 1 and (kept[-1][0] - kept[-2][0]) * (y - kept[-2][1]) <= (kept[-1][1] - kept[-2][1]) * (x - kept[-2][0]):
                kept.pop()
            kept.append((x, y))
        return kept

    return chain(ordered)[:-1] + chain(reversed(ordered))[:-1]


class _Plane:
    """A map from the plane to the picture that keeps angles."""

    def __init__(self, points: Sequence[tuple[float, float]]) -> None:
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        span = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
        self._scale = min((WIDTH - 2 * MARGIN), (HEIGHT - 2 * MARGIN)) / span
        self._middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def __call__(self, point: tuple[float, float]) -> tuple[float, float]:
        x = WIDTH / 2 + self._scale * (point[0] - self._middle[0])
        y = HEIGHT / 2 - self._scale * (point[1] - self._middle[1])
        return round(x, 2), round(y, 2)


def _svg(title: str, description: str, body: list[str], height: int = HEIGHT) -> str:
    return "\n".join(
        [
            f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="drawing-title drawing-words" class="drawing">',
            f'<title id="drawing-title">{escape(title)}</title>',
            f'<desc id="drawing-words">{escape(description)}</desc>',
            *body,
            "</svg>",
        ]
    )


def _sequences(document: dict[str, Any], sequences: list[list[list[float]]]) -> str:
    """Tokens in the plane of their first two coordinates (a line where there is one), hulls, and the token that breaks the statement."""
    flat = [[(row[0], row[1] if len(row) > 1 else 0.0) for row in points] for points in sequences]
    origin = (0.0, 0.0)
    place = _Plane([point for points in flat for point in points] + [origin])
    body = []
    ox, oy = place(origin)
    body.append(
        f'<path class="axis" d="M{ox - 6} {oy}H{ox + 6}M{ox} {oy - 6}V{oy + 6}"/><text x="{ox + 8}" y="{oy + 14}" class="small">0</text>'
    )
    for number_, points in enumerate(flat):
        corners = [place(corner) for corner in hull(points)]
        body.append(f'<polygon class="hull" points="{" ".join(f"{x},{y}" for x, y in corners)}"/>')
        stacked: dict[tuple[float, float], int] = {}
        for index, point in enumerate(points):
            x, y = place(point)
            repeats = stacked[point] = stacked.get(point, 0) + 1
            wrong = number_ == 0 and index == document.get("token")
            body.append(f'<circle class="{"wrong" if wrong else "token"}" cx="{x}" cy="{y}" r="{6 if wrong else 4}"/>')
            name = f"{index}" if len(flat) == 1 else f"{number_}.{index}"
            body.append(f'<text x="{x + 7}" y="{y - 7 - 12 * (repeats - 1)}" class="small">{name}</text>')
    dim = len(sequences[0][0])
    words = f"{sum(map(len, flat))} tokens in dimension {dim}" + (", drawn by their first two coordinates" if dim > 2 else "")
    words += "; shaded: their convex hull; cross: the origin"
    if document.get("token") is not None:
        words += f"; open ring: token {document['token']}, which breaks the statement"
    if document.get("step") is not None:
        words += f" at step {document['step']}"
    return _svg(f"Counterexample to {document['claim']}", words + ".", body)


def _rate(document: dict[str, Any], low: float, high: float, rate: float, bound: float) -> str:
    """A rate with its interval beside the bound it must meet."""

    def place(value: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * min(max(value, 0.0), 1.0), 2)

    body = [
        f'<path class="axis" d="M{place(0.0)} 60H{place(1.0)}M{place(0.0)} 56v8M{place(1.0)} 56v8"/>',
        f'<text x="{place(0.0)}" y="80" class="small" text-anchor="middle">0</text><text x="{place(1.0)}" y="80" class="small" text-anchor="middle">1</text>',
        f'<path class="interval" d="M{place(low)} 40H{place(high)}M{place(low)} 34v12M{place(high)} 34v12"/>',
        f'<circle class="wrong" cx="{place(rate)}" cy="40" r="5"/>',
        f'<path class="bound" d="M{place(bound)} 22V60"/><text x="{place(bound)}" y="16" class="small" text-anchor="middle">bound</text>',
    ]
    words = f"Ring: the rate found, {rate:.4g}; bar: its confidence interval, {low:.4g} to {high:.4g}; dashed: the bound, {bound:.4g}."
    return _svg(f"Counterexample to {document['claim']}: a rate beyond its bound", words, body, 90)


def draw(document: dict[str, Any]) -> str:
    """A counterexample as inline SVG with a title and a description, or "" where it has neither tokens nor a rate.

    Args:
        document: the counterexample file: claim, inputs, step, token, left, relation, right.
    """
    inputs = document["inputs"]
    if "successes" in inputs:
        from scipy.stats import binomtest

        successes, trials = int(inputs["successes"]), int(inputs["trials"])
        interval = binomtest(successes, trials).proportion_ci(float(Fraction(inputs["confidence"])), "exact")
        return _rate(document, float(interval.low), float(interval.high), successes / trials, number(document["right"]) or 0.0)
    sequences = tokens_of(inputs)
    return _sequences(document, sequences) if sequences else ""
