"""Comparisons that no single trial makes: the linear program beside the tokens, diagonal V, and three ways to follow the flow."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from hardmax.frank_wolfe.minimisation import minimise_by_program, minimise_by_tokens
from hardmax.frank_wolfe.ode import flow_by_steps, flow_with_events
from hardmax.frank_wolfe.polytopes import at_angles
from hardmax.frank_wolfe.trajectories import straight_lines, trajectories
from hardmax.intervals import clopper_pearson

TIME = 3.0


def checks(rng: np.random.Generator, clouds: int) -> pd.DataFrame:
    """One row a comparison: check, case, quantity, trials, value, low, high (interval of a share, empty otherwise).

    Args:
        rng: draws the clouds.
        clouds: how many for each case.
    """
    return pd.DataFrame([*_programs(rng, clouds), *_diagonal_values(rng, clouds), *_flows(rng)])


def _row(check: str, case: str, quantity: str, trials: int, value: float, low: float = np.nan, high: float = np.nan) -> dict[str, Any]:
    return {"check": check, "case": case, "quantity": quantity, "trials": trials, "value": value, "low": low, "high": high}


def _programs(rng: np.random.Generator, clouds: int) -> Iterator[dict[str, Any]]:
    """FW-1: the minimum over the tokens is that of the linear program over their hull."""
    for count, dim in ((5, 2), (30, 3), (100, 10)):
        worst = 0.0
        for _ in range(clouds):
            tokens, gradient = rng.normal(size=(count, dim)), rng.normal(size=dim)
            difference = abs(minimise_by_program(gradient, tokens) - float(minimise_by_tokens(gradient, tokens)))
            worst = max(worst, difference / float(np.linalg.norm(gradient)))
        yield _row("linear minimisation", f"{count} tokens, d = {dim}", "largest difference of token and program", clouds, worst)


def _diagonal_values(rng: np.random.Generator, clouds: int) -> Iterator[dict[str, Any]]:
    """FW-2: with a positive diagonal V that is no multiple of the identity, tokens leave the hull, as a separating direction shows."""
    for ratio in (1.0, 1.5, 4.0):
        tokens = rng.normal(size=(clouds, 6, 2))
        means = trajectories(tokens, np.broadcast_to(np.eye(2), (clouds, 1, 2, 2)), np.ones((clouds, 1))).tokens[:, 1]
        values = np.array([1.0, ratio])
        after = tokens + values / (1.0 + values) * (means - tokens)
        turns = np.linspace(0, 2 * np.pi, 360, endpoint=False)
        directions = at_angles(turns, np.ones_like(turns))
        beyond = (after @ directions.T).max(axis=1) - (tokens @ directions.T).max(axis=1)
        left = int((beyond.max(axis=1) > 1e-9).sum())
        yield _row(
            "diagonal V",
            f"V = diag(1, {ratio:g})",
            "share of clouds that leave their hull",
            clouds,
            left / clouds,
            *clopper_pearson(left, clouds, 0.95),
        )


def _flows(rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """FW-12: small steps and the integrator with events against the closed form; where cells change, against each other."""
    angles = 2 * np.pi * np.arange(5) / 5
    vertices = at_angles(angles, np.ones(5))
    tokens = np.concatenate([vertices, rng.dirichlet(np.full(5, 0.5), size=10) @ vertices])
    targets = vertices[(tokens @ vertices.T).argmax(axis=1)]
    times = np.linspace(0.0, TIME, 31)
    closed = straight_lines(tokens, targets, np.exp(-times))
    fixed = "cells fixed (FW-7)"
    for h in (0.1, 0.01, 0.001):
        steps = round(TIME / h)
        at_steps = straight_lines(tokens, targets, np.exp(-h * np.arange(steps + 1)))
        yield _row(
            "flow",
            fixed,
            f"error of steps h = {h:g}",
            len(tokens),
            float(np.abs(flow_by_steps(tokens, np.eye(2), h, steps) - at_steps).max()),
        )
    flow = flow_with_events(tokens, np.eye(2), times)
    yield _row("flow", fixed, "error of the integrator with events", len(tokens), float(np.abs(flow.tokens - closed).max()))
    yield _row("flow", fixed, "events", len(tokens), float(len(flow.events)))
    moving = np.array([[0.3, -0.2], [0.8, 0.0], [-0.2, -0.7], [-0.6, 0.4], [0.6, -0.4]])
    B = np.array([[1.0, 2.0], [-2.0, -1.0]])
    flow = flow_with_events(moving, B, times)
    for h in (0.01, 0.001):
        path = flow_by_steps(moving, B, h, round(TIME / h))[:: round(0.1 / h)]
        yield _row(
            "flow",
            "cells change",
            f"difference of steps h = {h:g} and integrator with events",
            len(moving),
            float(np.abs(path - flow.tokens).max()),
        )
    yield _row("flow", "cells change", "events", len(moving), float(len(flow.events)))
