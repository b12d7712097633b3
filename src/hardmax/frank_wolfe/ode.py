"""The flow x_i' = (mean of the tokens of largest <B x_i, y>) - x_i: small steps, and an integrator that finds its events.

Between events the followed tokens do not change, and the flow is linear: x' = (P - I) x, P picking the followed token. An event is a
time at which another token overtakes one that is followed. Where the overtaking turns back at once the flow slides along a face,
which the integrator does not follow: it stops with an error.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.integrate import solve_ivp

from hardmax.errors import InputError
from hardmax.frank_wolfe.trajectories import trajectories

NUDGE = 1e-8
"""Time by which a face is crossed after an event, so that the next search starts off it; its square is below rounding."""
LONGEST_STEP = 0.05
"""Longest step of the integrator in time: a token overtaken and back within it goes unseen."""


class Flow(NamedTuple):
    """A solution of the flow.

    Attributes:
        tokens: at the times asked, shape (times, tokens, dim).
        events: times at which a token starts to follow another one.
        followed: between events, the token each one follows, shape (events + 1, tokens).
    """

    tokens: Float[np.ndarray, "times tokens dim"]
    events: Float[np.ndarray, " events"]
    followed: Int[np.ndarray, "pieces tokens"]


def flow_by_steps(
    tokens: Float[np.ndarray, "tokens dim"], B: Float[np.ndarray, "dim dim"], h: float, steps: int
) -> Float[np.ndarray, "layers tokens dim"]:
    """(SA_inf) with gamma = h/(1+h): the flow at times 0, h, ..., steps * h up to an error of order h.

    Raises:
        InputError: h is not positive.
    """
    if not h > 0:
        raise InputError(f"h: expected a positive step, found {h}")
    gamma = np.full((1, steps), h / (1.0 + h))
    return trajectories(tokens[None], B[None, None], gamma).tokens[0]


def _leads(x: np.ndarray, B: np.ndarray, followed: np.ndarray) -> np.ndarray:
    """Least advantage of the followed token over each token's others, those coinciding with it left out."""
    scores = (x @ B.T) @ x.T
    leads = np.take_along_axis(scores, followed[:, None], axis=1) - scores
    same = np.abs(x[followed][:, None, :] - x[None, :, :]).max(axis=-1) <= 1e-12 * np.abs(x).max()
    return np.where(same, np.inf, leads).min(axis=1)


def flow_with_events(
    tokens: Float[np.ndarray, "tokens dim"],
    B: Float[np.ndarray, "dim dim"],
    times: Float[np.ndarray, " times"],
    most_events: int = 100,
    tolerance: float = 1e-10,
) -> Flow:
    """Solve the flow with an adaptive method of order eight, stopping at each event to follow the new token.

    Args:
        tokens: initial tokens.
        B: key-query matrix.
        times: increasing, from 0 or later.
        most_events: how many events are followed.
        tolerance: relative and absolute tolerance of the integrator.

    Raises:
        InputError: times that do not increase, a start on a face between cells, a slide along a face, or too many events.
    """
    if times.ndim != 1 or not len(times) or times[0] < 0 or (np.diff(times) <= 0).any():
        raise InputError(f"times: expected increasing times from 0 on, found {times.tolist()}")
    shape = tokens.shape
    x, start = np.array(tokens, dtype=np.float64), 0.0
    followed = ((x @ B.T) @ x.T).argmax(axis=1)
    if (_leads(x, B, followed) <= 0).any():
        raise InputError(
            f"token {int(np.argmin(_leads(x, B, followed)))}: expected a start off the faces between cells, found one on a face"
        )
    found = np.empty((len(times), *shape))
    events: list[float] = []
    pieces = [followed]
    while True:

        def overtaken(t: float, y: np.ndarray, followed: np.ndarray = followed) -> float:
            return float(_leads(y.reshape(shape), B, followed).min())

        def velocity(t: float, y: np.ndarray, followed: np.ndarray = followed) -> np.ndarray:
            x = y.reshape(shape)
            return (x[followed] - x).ravel()

        overtaken.terminal, overtaken.direction = True, -1.0  # type: ignore[attr-defined]  # where solve_ivp looks for them
        piece = solve_ivp(
            velocity, (start, times[-1] + 1e-9), x.ravel(), method="DOP853", events=overtaken, dense_output=True,
            rtol=tolerance, atol=tolerance, max_step=LONGEST_STEP,
        )  # fmt: skip
        inside = (times >= start - NUDGE) & (times <= piece.t[-1])
        if inside.any():
            found[inside] = piece.sol(times[inside]).T.reshape(-1, *shape)
        if piece.status == 0:
            return Flow(found, np.array(events), np.array(pieces))
        x, start = piece.y[:, -1].reshape(shape), float(piece.t[-1])
        across = x + NUDGE * (x[followed] - x)
        after = ((across @ B.T) @ across.T).argmax(axis=1)
        onward = across + 10 * NUDGE * (across[after] - across)
        if (after == followed).all() or (_leads(onward, B, after) <= 0).any():
            raise InputError(f"time {start:.6g}: expected tokens to cross a face between cells, found one that slides along it")
        if len(events) == most_events:
            raise InputError(f"time {start:.6g}: expected at most {most_events} events, found more")
        events.append(start)
        x, start, followed = x + NUDGE * (x[after] - x), start + NUDGE, after
        pieces.append(followed)
