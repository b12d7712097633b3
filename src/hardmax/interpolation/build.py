"""The front door: from data to a network that interpolates it exactly."""

from collections.abc import Collection

from hardmax.errors import InputError
from hardmax.interpolation.compact import build_compact
from hardmax.interpolation.leaders import build_leaders
from hardmax.interpolation.network import Network
from hardmax.interpolation.problem import read_problem
from hardmax.randomness import stream

BUILDERS = {"compact": build_compact, "leaders": build_leaders}


def interpolate(
    sequences: Collection,
    targets: Collection,
    construction: str = "compact",
    seed: int = 0,
    attention: str = "hardmax",
    progress: bool = False,
) -> Network:
    """A network of blocks with exact rational parameters that sends every sequence to its set of targets.

    `sequences`: list of (n_j, d) arrays, floats taken as the rationals they are. `targets`: list of (m_j, d) arrays, taken
    as sets, or integer labels, label c standing for the point (c, 0, ..., 0). `construction`: "compact" holds for hardmax
    and softmax attention alike, "leaders" for hardmax and d >= 2. `attention`: what the network will run with. `seed`
    decides among directions; any seed gives an exact network.

    Raises:
        InputError: before building, naming the sequences: equal as normalised multisets with different targets; more
            targets than distinct tokens; wrong shapes, non-finite numbers, no data; leaders with d = 1 or softmax.
    """
    if construction not in BUILDERS:
        raise InputError(f"construction: expected one of {', '.join(BUILDERS)}, found {construction!r}")
    if attention not in ("hardmax", "softmax"):
        raise InputError(f"attention: expected hardmax or softmax, found {attention!r}")
    problem = read_problem(sequences, targets)
    if construction == "leaders" and attention == "softmax":
        raise InputError("construction leaders: expected hardmax attention, found softmax")
    if construction == "leaders" and problem.dimension < 2:
        raise InputError("construction leaders: expected tokens of dimension at least 2, found 1")
    blocks = BUILDERS[construction](problem, stream(seed, "interpolation.direction"), progress)
    return Network(blocks, problem.dimension, construction)
