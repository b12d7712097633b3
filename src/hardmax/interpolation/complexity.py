"""Size of a network, the paper's formulas for it, and the least any network can do with."""

import math
from collections.abc import Sequence

import numpy as np
from flint import fmpq_mat

from hardmax.exact import rationals
from hardmax.interpolation.block import Block


def parameter_count(blocks: Sequence[Block]) -> int:
    """Free parameters: directions that rows of U share count once, columns of W along one of them as one number.

    A matrix V or B counts one if it is a multiple of the identity, else rank times d.
    """
    directions: set[tuple] = set()
    count = 0
    for block in blocks:
        rows = {_ray(row) for row in block.U}
        count += sum(len(ray) for ray in rows - directions)
        directions |= rows
        count += block.neurons + (0 if block.eta == 1 else 1)
        count += sum(1 if _ray(column) in directions else len(column) for column in block.W.T)
        for matrix in (block.V, block.B):
            if matrix is not None:
                count += _matrix_parameters(matrix)
        count += 0 if block.V is None or block.rho == 0 else 1
    return count


def nonzero_entries(blocks: Sequence[Block]) -> int:
    """Nonzero entries of W, U, b, V, B, eta and (where there is attention) rho."""
    count = 0
    for block in blocks:
        for entries in (block.W, block.U, block.b, block.V, block.B):
            count += 0 if entries is None else int(np.count_nonzero(entries))
        count += (block.eta != 0) + (block.V is not None and block.rho != 0)
    return count


def paper_depth(targets: Sequence[int], softmax: bool = False) -> int:
    """The paper's number of blocks for sequences with these numbers of targets (IN-2, IN-3)."""
    return 2 * sum(targets) + (3 if softmax else 2) * len(targets) + (0 if softmax else 1)


def compact_depth_bound(targets: Sequence[int]) -> int:
    """Our bound for the compact construction with three kinks or fewer (IN-7)."""
    if all(m == 1 for m in targets):
        return 1 + math.ceil(len(targets) / 4)
    return 1 + math.ceil(sum(targets) / 2)


def leaders_depth_bound(targets: Sequence[int]) -> int:
    """Our bound for the leader construction with three kinks or fewer."""
    moved = sum(targets) - len(targets)
    return 2 + moved + math.ceil(len(targets) / 4) + math.ceil(moved / 4)


def counting_lower_bound(targets: Sequence[int], dimension: int) -> int:
    """Parameters any family exact on generic targets must have: one for each coordinate of each target."""
    return dimension * sum(targets)


def extra_blocks(blocks: Sequence[Block]) -> int:
    """Blocks for kinks beyond the third: those before the one that puts everything on a line."""
    return next(k for k, block in enumerate(blocks) if block.V is not None)


def rank(matrix: np.ndarray) -> int:
    """Rank of a rational matrix, exactly."""
    return int(fmpq_mat(rationals(matrix)).rank())


def _ray(vector: np.ndarray) -> tuple:
    """The vector up to a nonzero scale; empty for zero."""
    lead = next((value for value in vector if value), None)
    return () if lead is None else tuple(value / lead for value in vector)


def _matrix_parameters(matrix: np.ndarray) -> int:
    d = len(matrix)
    identity_multiple = all(matrix[i, j] == (matrix[0, 0] if i == j else 0) for i in range(d) for j in range(d))
    return 1 if identity_multiple else rank(matrix) * d
