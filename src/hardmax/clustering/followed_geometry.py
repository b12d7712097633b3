"""The geometry of the followed set: the face of the hull that the query A z_i exposes."""

import numpy as np
import pandas as pd

from hardmax.geometry import exposed_face, hull_vertices

A = np.array([[1.0, 0.5], [0.5, 1.0]])
"""The key-query matrix of the picture: not the identity, so that A z_i and z_i point in different directions."""

TOKENS = np.array([[2.0, 0.0], [1.0, 2.0], [-1.0, 2.0], [-2.0, -1.0], [0.5, -2.0], [-0.5, 1.0], [1.1, -0.3], [-0.3, -0.5]])
"""The cloud of the picture: five vertices of the hull and three tokens inside."""

PANELS = (("one token followed", 6), ("two tokens followed", 5), ("a leader", 1))
"""The three cases and their token i: A z_i exposes a vertex; it is orthogonal to an edge; the vertex exposed is z_i."""

_HALF = 1.6
"""Half the length of the drawn piece of the hyperplane."""


def followed_sets_picture() -> pd.DataFrame:
    """Points of the picture, one row each: tokens, hull, query, hyperplane {x : <A z_i, x> = max_l <A z_i, z_l>}, and feet.

    The foot of a token is its orthogonal projection onto the line through A z_i: the followed tokens have the farthest.
    """
    rows: list[dict[str, object]] = []

    def add(panel: str, kind: str, index: int, point: np.ndarray, followed: bool = False, chosen: bool = False) -> None:
        rows.append(
            {
                "panel": panel,
                "kind": kind,
                "index": index,
                "x": float(point[0]),
                "y": float(point[1]),
                "followed": followed,
                "chosen": chosen,
            }
        )

    hull = hull_vertices(TOKENS)
    for panel, token in PANELS:
        query = A @ TOKENS[token]
        followed = exposed_face(TOKENS, query)
        unit = query / np.linalg.norm(query)
        touching = TOKENS[followed].mean(axis=0)
        along = np.array([-unit[1], unit[0]])
        reach = _HALF + max(np.abs((TOKENS[followed] - touching) @ along))
        for index, point in enumerate(TOKENS):
            add(panel, "token", index, point, index in followed, index == token)
            add(panel, "foot", index, (point @ unit) * unit, index in followed, index == token)
        for index, vertex in enumerate(hull):
            add(panel, "hull", index, TOKENS[vertex])
        add(panel, "query", 0, query)
        for index, side in enumerate((-1.0, 1.0)):
            add(panel, "hyperplane", index, touching + side * reach * along)
    return pd.DataFrame(rows)
