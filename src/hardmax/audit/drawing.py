"""Counterexamples as pictures: tokens, their hull, the token and the step that break the statement, or a rate beside its bound."""

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import Any

import numpy as np

from hardmax.audit.paths import path
from hardmax.geometry.polygons import convex_polygon
from hardmax.intervals import clopper_pearson

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


def tokens_of(inputs: dict[str, Any]) -> tuple[str, list[list[list[float]]]]:
    """The input that holds the tokens, and its sequences of tokens; several where it is about several sequences."""
    for name in (*TOKENS, *sorted(key for key in inputs if len(key) > 1 and key != "weights")):
        value = inputs.get(name)
        if (points := cloud(value)) is not None:
            return name, [points]
        if isinstance(value, list) and value and all(cloud(item) is not None for item in value):
            return name, [points for item in value if (points := cloud(item)) is not None]
    return "", []


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


def _points(layer: list[list[float]], height: float | None) -> list[tuple[float, float]]:
    """Points in the plane: the first two coordinates, or a line at a height."""
    return [(row[0], height if height is not None else row[1] if len(row) > 1 else 0.0) for row in layer]


def _marks(place: _Plane, points: list[tuple[float, float]], names: list[str], wrong: int | None) -> list[str]:
    """Tokens with their numbers, those that coincide above one another, and an open ring around the one that breaks the statement."""
    body = []
    stacked: dict[tuple[float, float], int] = {}
    for index, (point, name) in enumerate(zip(points, names, strict=True)):
        x, y = place(point)
        repeats = stacked[point] = stacked.get(point, 0) + 1
        body.append(f'<circle class="{"wrong" if index == wrong else "token"}" cx="{x}" cy="{y}" r="{6 if index == wrong else 4}"/>')
        body.append(f'<text x="{x + 7}" y="{y - 7 - 12 * (repeats - 1)}" class="small">{name}</text>')
    return body


def _polygon(place: _Plane, points: list[tuple[float, float]]) -> str:
    corners = [place((x, y)) for x, y in convex_polygon(np.array(points)).tolist()]
    return f'<polygon class="hull" points="{" ".join(f"{x},{y}" for x, y in corners)}"/>'


def _cross(place: _Plane) -> str:
    x, y = place((0.0, 0.0))
    return f'<path class="axis" d="M{x - 6} {y}H{x + 6}M{x} {y - 6}V{y + 6}"/><text x="{x + 8}" y="{y + 14}" class="small">0</text>'


def _sequences(document: dict[str, Any], sequences: list[list[list[float]]], layers: list[list[list[float]]]) -> str:
    """Tokens in the plane of their first two coordinates, hulls, paths up to the step named, and the token that breaks the statement.

    On a line, later steps are drawn below one another.
    """
    wrong, step = document.get("token"), document.get("step")
    dim, moving = len(sequences[0][0]), len(layers) > 1
    stretch = (max(row[0] for row in sequences[0]) - min(row[0] for row in sequences[0]) or 1.0) * 0.6
    heights = [-stretch * t / (len(layers) - 1) for t in range(len(layers))] if moving and dim == 1 else [None] * len(layers)
    drawn = [_points(layer, height) for layer, height in zip(layers, heights, strict=True)] if moving else []
    starts = [_points(points, heights[0] if moving else None) for points in sequences]
    place = _Plane([point for points in [*starts, *drawn] for point in points] + [(0.0, 0.0)])
    body = [_cross(place)] + [_polygon(place, points) for points in starts]
    if moving:
        for token in range(len(sequences[0])):
            line = " ".join(f"{x},{y}" for x, y in (place(points[token]) for points in drawn))
            body.append(f'<polyline class="move" points="{line}"/>')
        body += _marks(place, starts[0], [str(index) for index in range(len(starts[0]))], None)
        body += _marks(place, drawn[-1], ["" for _ in drawn[-1]], wrong)
    else:
        for sequence, points in enumerate(starts):
            names = [str(index) if len(starts) == 1 else f"{sequence}.{index}" for index in range(len(points))]
            body += _marks(place, points, names, wrong if sequence == 0 else None)
    words = f"{sum(map(len, sequences))} tokens in dimension {dim}" + (", drawn by their first two coordinates" if dim > 2 else "")
    words += "; shaded: their convex hull; cross: the origin"
    if moving:
        words += f"; lines: their paths over {len(layers) - 1} steps" + (", drawn downwards" if dim == 1 else "")
    if wrong is not None:
        words += f"; open ring: token {wrong}, which breaks the statement" + (f" at step {step}" if step is not None else "")
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
        successes, trials = int(inputs["successes"]), int(inputs["trials"])
        interval = clopper_pearson(successes, trials, float(Fraction(inputs["confidence"])))
        return _rate(document, *interval, successes / trials, number(document["right"]) or 0.0)
    name, sequences = tokens_of(inputs)
    if not sequences:
        return ""
    step = document.get("step")
    layers = path(inputs, inputs[name], step + 1) if len(sequences) == 1 and step is not None else []
    return _sequences(document, sequences, layers)
