"""What the figures show: stages of both constructions, attention on small clouds, the map of one block."""

from fractions import Fraction

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float

from hardmax.interpolation.block import ONE, ZERO, Block, feed_forward, matrix, rounded
from hardmax.interpolation.build import interpolate
from hardmax.interpolation.datasets import Sequences
from hardmax.interpolation.network import Network

POOLS = 2000


def overlapping_example(rng: np.random.Generator) -> tuple[Sequences, Sequences]:
    """Four sequences of one pool of seven points in the plane that overlap heavily, with two targets each.

    Of `POOLS` random pools, the one whose sequences have the widest gaps between means along an axis, to be seen by eye.
    """
    subsets = ([0, 1, 2, 3], [0, 1, 2, 4, 5], [1, 2, 3, 4], [0, 2, 3, 5, 6])
    pools = np.round(rng.uniform(-1, 1, size=(POOLS, 7, 2)) * 64) / 64
    means = np.sort(np.stack([pools[:, subset].mean(axis=1) for subset in subsets], axis=1), axis=1)
    gaps = (np.diff(means, axis=1).min(axis=1) / np.ptp(pools, axis=1)).max(axis=1)
    pool = pools[int(gaps.argmax())]
    angles = np.arange(8) * np.pi / 4 + 0.3
    goals = np.round(1.6 * np.stack([np.cos(angles), np.sin(angles)], axis=1) * 64) / 64
    return [pool[subset] for subset in subsets], [goals[[k, k + 4]] for k in range(4)]


def stages(rng: np.random.Generator) -> pd.DataFrame:
    """Positions of every token at five stages of both constructions on one overlapping data set, evaluated exactly."""
    X, Y = overlapping_example(rng)
    rows: list[dict] = []
    for construction in ("compact", "leaders"):
        net = interpolate(X, Y, construction=construction)
        w = rounded(net.blocks[0].U[0])
        for panel, (stage, blocks) in enumerate(_cuts(net)):
            shared = {"construction": construction, "panel": panel, "stage": stage, "blocks": len(blocks)}
            part = Network(blocks, 2, construction)
            for j, (tokens, goals) in enumerate(zip(X, Y, strict=True)):
                images = part.exact(tokens).astype(float) if blocks else tokens
                for kind, points in (("token", images), ("target", goals)):
                    for i, (x, y) in enumerate(points.tolist()):
                        along = (w[0] * x + w[1] * y) / np.hypot(*w)
                        rows.append({**shared, "sequence": j, "kind": kind, "point": i, "x": x, "y": y, "along": along})
    return pd.DataFrame(rows)


def _cuts(net: Network) -> list[tuple[str, list[Block]]]:
    """Five stages: name and the blocks that lead there."""
    attending = [k for k, block in enumerate(net.blocks) if block.V is not None]
    line = net.blocks[attending[0]]
    flat = [*net.blocks[: attending[0]], Block(line.eta, line.W, line.U, line.b)]
    apart = net.blocks[: attending[0] + 1]
    if net.construction == "compact":
        half = net.blocks[: (attending[0] + 1 + net.depth) // 2]
        return [
            ("data", []),
            ("on a line", flat),
            ("sequences apart", apart),
            ("halfway home", half),
            ("at the targets", net.blocks),
        ]
    last = net.blocks[attending[1]]
    placed = [*net.blocks[: attending[1]], Block(last.eta, last.W, last.U, last.b)]
    return [
        ("data", []),
        ("on a line, apart", apart),
        ("leaders placed", placed),
        ("clustered", net.blocks[: attending[1] + 1]),
        ("at the targets", net.blocks),
    ]


def attention(rng: np.random.Generator, temperatures: list[float]) -> pd.DataFrame:
    """One attention layer (rho = 0, V = I) on small clouds: scores by projection, hardmax beside softmax, three collapse lemmas.

    The query is that of the shortest token, which hardly ever leads itself.
    """
    identity = np.eye(2)
    cloud = rng.normal(size=(9, 2))
    shortest_first = cloud[np.argsort((cloud**2).sum(axis=1))]
    rows = [_attend("projections", "one query", shortest_first, np.array([[1.0, 0.6], [-0.4, 1.2]]), None)]
    rows.append(_attend("temperature", "hardmax", cloud, identity, None))
    rows += [_attend("temperature", f"softmax, T = {t:g}", cloud, identity, t) for t in temperatures]
    direction = np.array([0.8, 0.6])
    rows.append(_attend("collapse", "rank one", cloud, np.outer(direction, direction), None))
    inside = rng.uniform(0.1, 1, size=(8, 2))
    rows.append(_attend("collapse", "dominant corner", np.concatenate([inside, inside.max(axis=0, keepdims=True)]), identity, None))
    pythagorean = np.array([[3, 4], [4, 3], [5, 0], [0, 5], [-3, 4], [-4, -3], [0, -5], [4, -3]]) / 5
    rows.append(_attend("collapse", "equal norms", pythagorean, identity, None))
    return pd.concat(rows, ignore_index=True)


def _attend(
    panel: str,
    setting: str,
    tokens: Float[np.ndarray, "tokens dim"],
    B: Float[np.ndarray, "dim dim"],
    temperature: float | None,
) -> pd.DataFrame:
    block = feed_forward((1, 0), [], []).attending(ZERO, _rational(np.eye(2)), _rational(B))
    net = Network([block], 2)
    if temperature is None:
        images = net.exact(tokens).astype(float)
    else:
        with torch.no_grad():
            images = net.to_torch(attention="softmax", temperature=temperature)(torch.tensor(tokens)).numpy()
    scores = tokens @ (B @ tokens[0])
    return pd.DataFrame(
        {
            "panel": panel,
            "setting": setting,
            "token": np.arange(len(tokens)),
            "x": tokens[:, 0],
            "y": tokens[:, 1],
            "image_x": images[:, 0],
            "image_y": images[:, 1],
            "query_x": (B @ tokens[0])[0],
            "query_y": (B @ tokens[0])[1],
            "score": scores,
        }
    )


def _rational(entries: Float[np.ndarray, "rows columns"]) -> np.ndarray:
    return matrix([[Fraction(value) for value in row] for row in entries.tolist()], entries.shape)


def block_maps(rng: np.random.Generator, samples: int) -> pd.DataFrame:
    """What one block does along the line z -> (z, 0), in the coordinates <w, x> and <v, x>: a block that sends groups home, and a
    bump that moves one token alone."""
    X, Y = overlapping_example(rng)
    rows = []
    for curve, construction, place in (("groups sent home", "compact", 0), ("bump", "leaders", 1)):
        net = interpolate(X, Y, construction=construction)
        first = next(k for k, block in enumerate(net.blocks) if block.V is not None) + 1 + place
        block = net.blocks[first]
        w = np.array(block.U[0], dtype=object)
        v = np.array([-w[1], w[0]], dtype=object)
        images = [Network(net.blocks[:first], 2, construction).exact(x) for x in X]
        positions = sorted(z for z in {row @ w for image in images for row in image} if z > 0)
        thresholds = sorted(-b for b in block.b)
        margin = (positions[-1] - positions[0]) / 20
        low, high = min(positions[0], thresholds[0]) - margin, positions[-1] + (margin if construction == "leaders" else 0)
        grid = [low + (high - low) * k / (samples - 1) for k in range(samples)]
        for kind, places in (("curve", sorted({*grid, *thresholds})), ("token", positions), ("kink", thresholds)):
            for z in places:
                image = Network([Block(ONE, block.W, block.U, block.b)], 2, construction).exact([[z * c / (w @ w) for c in w]])[0]
                rows.append({"curve": curve, "kind": kind, "z": float(z), "along": float(image @ w), "across": float(image @ v)})
    return pd.DataFrame(rows)
