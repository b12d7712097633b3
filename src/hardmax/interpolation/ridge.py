"""IN-5 and IN-6 where Tikhonov training can be solved in closed form: one attention layer, sequences of one token.

On a sequence of one token x, hardmax and softmax attention give V x (rho = 0). With targets V_* x_j, training minimises
(1/N) sum |V x_j - V_* x_j|^2 + eps |V|^2, whose least loss at the minimiser is eps^2 tr(V_* R S R V_*^T), S = (1/N) sum x_j x_j^T and
R = (S + eps I)^-1.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from hypothesis import strategies as st
from jaxtyping import Float

from hardmax.definiteness import positive_definite
from hardmax.exact import rational, rationals
from hardmax.falsify import Inputs, Instances, Outcome, Statement, Violation, compare

PAPER = "2502.02270"
FINE = 100
"""The penalty counts as small where eps is at most 1 / FINE of the least eigenvalue of S."""
LINEAR = 20
"""Ten times the penalty may give at most this many times the loss, if the loss is linear in it within a factor of two."""


def least_loss(
    tokens: Float[np.ndarray, "trials sequences dim"], teacher: Float[np.ndarray, "trials dim dim"], epsilon: Float[np.ndarray, " trials"]
) -> Float[np.ndarray, " trials"]:
    """Training loss at the minimiser of the penalised loss."""
    S = np.swapaxes(tokens, 1, 2) @ tokens / tokens.shape[1]
    eigenvalues, axes = np.linalg.eigh(S)
    eigenvalues = np.maximum(eigenvalues, 0)
    weights = np.square(teacher @ axes).sum(axis=1)
    return (weights * eigenvalues * np.square(epsilon[:, None] / (eigenvalues + epsilon[:, None]))).sum(axis=1)


def exact_least_loss(tokens: list, teacher: list, epsilon: Fraction) -> Fraction:
    """The same in rationals."""
    S, V = covariance(tokens), fmpq_mat(rationals(teacher))
    d = S.nrows()
    R = (S + identity(d) * rational(epsilon)).inv()
    product = V * R * S * R * V.transpose()
    trace = sum((product[i, i] for i in range(d)), fmpq(0))
    return epsilon**2 * Fraction(int(trace.p), int(trace.q))


def covariance(tokens: list) -> fmpq_mat:
    """S = (1/N) sum x_j x_j^T."""
    X = fmpq_mat(rationals(tokens))
    return X.transpose() * X / len(tokens)


def identity(d: int) -> fmpq_mat:
    """The identity matrix."""
    return fmpq_mat([[fmpq(int(i == j)) for j in range(d)] for i in range(d)])


def is_fine(instances: Instances) -> np.ndarray:
    """eps is positive and small against every eigenvalue of S."""
    tokens = instances["tokens"]
    eigenvalues = np.linalg.eigvalsh(np.swapaxes(tokens, 1, 2) @ tokens / tokens.shape[1])
    return (instances["epsilon"] > 0) & (eigenvalues[:, 0] >= FINE * instances["epsilon"]) & is_moving(instances)


def is_moving(instances: Instances) -> np.ndarray:
    """The teacher is not zero, eps is positive and some token is not zero."""
    return np.array((instances["epsilon"] > 0) & instances["teacher"].any(axis=(1, 2)) & instances["tokens"].any(axis=(1, 2)), dtype=bool)


def is_fine_exactly(inputs: Inputs) -> bool:
    """`is_fine` in rationals: S - FINE eps I is positive definite."""
    if inputs["epsilon"] <= 0 or not any(any(row) for row in inputs["teacher"]):
        return False
    S = covariance(inputs["tokens"])
    return positive_definite((S - identity(S.nrows()) * rational(FINE * inputs["epsilon"])).tolist())


def within_penalty(instances: Instances) -> Outcome:
    """loss <= eps |theta_*|^2."""
    loss = least_loss(**instances)
    bound = instances["epsilon"] * np.square(instances["teacher"]).sum(axis=(1, 2))
    return compare(loss, "<=", bound, scale=bound)


def within_penalty_exactly(inputs: Inputs) -> Violation | None:
    """The same in rationals; `epsilon` must be positive."""
    if inputs["epsilon"] <= 0:
        return None
    loss = exact_least_loss(inputs["tokens"], inputs["teacher"], inputs["epsilon"])
    bound = inputs["epsilon"] * sum(value**2 for row in inputs["teacher"] for value in row)
    return Violation(loss, "<=", bound) if loss > bound else None


def growth(instances: Instances) -> np.ndarray:
    """By how much the least loss grows when eps grows tenfold."""
    tokens, teacher, epsilon = (instances[key] for key in ("tokens", "teacher", "epsilon"))
    return least_loss(tokens, teacher, epsilon) / least_loss(tokens, teacher, epsilon / 10)


def grows_linearly(instances: Instances) -> Outcome:
    """Ten times the penalty, at most twenty times the loss."""
    return compare(growth(instances), "<=", LINEAR, scale=LINEAR)


def grows_linearly_exactly(inputs: Inputs) -> Violation | None:
    """The same in rationals."""
    if not is_fine_exactly(inputs):
        return None
    tokens, teacher, epsilon = (inputs[key] for key in ("tokens", "teacher", "epsilon"))
    ratio = exact_least_loss(tokens, teacher, epsilon) / exact_least_loss(tokens, teacher, epsilon / 10)
    return Violation(ratio, "<=", LINEAR) if ratio > LINEAR else None


def grows_quadratically(instances: Instances) -> Outcome:
    """Ten times the penalty, at least fifty times the loss."""
    return compare(growth(instances), ">=", 50, scale=50)


def draw(sequences: int | None, largest: float) -> Any:
    """A family: generic tokens and teachers; `sequences` for fewer sequences than dimensions, `largest` for the range of eps."""

    def sample(rng: np.random.Generator, trials: int) -> Instances:
        d = int(rng.integers(1, 6))
        n = sequences or d + int(rng.integers(2, 20))
        return {
            "tokens": rng.normal(size=(trials, n, d)),
            "teacher": rng.normal(size=(trials, d, d)),
            "epsilon": largest * 10 ** -rng.uniform(0, 6, trials),
        }

    return sample


def small_problems() -> st.SearchStrategy[Inputs]:
    """One or two dimensions, small integers."""

    def of_dimension(d: int) -> st.SearchStrategy[Inputs]:
        point = st.lists(st.integers(-3, 3), min_size=d, max_size=d)
        return st.fixed_dictionaries(
            {
                "tokens": st.lists(point, min_size=1, max_size=3),
                "teacher": st.lists(point, min_size=d, max_size=d),
                "epsilon": st.integers(1, 99).map(lambda n: Fraction(1, n)),
            }
        )

    return st.integers(1, 2).flatmap(of_dimension)


IN5 = Statement(
    claim="IN-5",
    paper=PAPER,
    text="Minimising loss + eps |theta|^2 reaches a loss of at most eps |theta_*|^2, where theta_* interpolates.",
    hypotheses={"eps > 0, the minimum is attained, theta_* interpolates": is_moving},
    families={"generic": draw(None, 1.0), "fewer sequences than dimensions": draw(1, 1.0), "large penalty": draw(None, 1e6)},
    conclusion=within_penalty,
    exact=within_penalty_exactly,
    strategy=small_problems(),
)
_IN6 = Statement(
    claim="IN-6",
    paper=PAPER,
    text="The least training loss scales linearly in eps (ten times the penalty, at most twenty times the loss).",
    hypotheses={"some parameters interpolate, 0 < eps <= 1/100 of the least eigenvalue of the data": is_fine},
    families={"generic": draw(None, 1e-3), "tiny penalty": draw(None, 1e-6)},
    conclusion=grows_linearly,
    exact=grows_linearly_exactly,
    strategy=small_problems(),
)
IN6 = replace(
    _IN6,
    amendments=(
        _IN6.amended(
            "amendment-1",
            "The least training loss is at most linear in eps: at most eps |theta_*|^2.",
            hypotheses=IN5.hypotheses,
            families=IN5.families,
            conclusion=within_penalty,
            exact=within_penalty_exactly,
        ),
        _IN6.amended(
            "amendment-2",
            "For small eps the least training loss is quadratic in eps (ten times the penalty, at least fifty times the loss), as the residual "
            "of a regular minimiser is proportional to eps.",
            conclusion=grows_quadratically,
        ),
    ),
)
