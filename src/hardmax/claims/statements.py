"""From a claim's id to its statement: the one place that knows which topic states which claims."""

from importlib import import_module

from hardmax.errors import InputError
from hardmax.falsify import Statement

MODULES = {
    "CL": "hardmax.clustering.statements",
    "FW": "hardmax.frank_wolfe.statements",
    "IN": "hardmax.interpolation.statements",
    "MS": "hardmax.metastability.statements",
}
"""Prefix of the claims -> module whose `STATEMENTS` holds them. """

FROM_TABLES = "SE"
"""Prefix of the claims about trained networks: they rest on tables of the workflow, not on random trials."""


def statements(prefix: str) -> dict[str, Statement]:
    """The statements of one topic by claim, importing that topic alone."""
    return dict(import_module(MODULES[prefix]).STATEMENTS)


def statement(claim: str) -> Statement:
    """The statement of a claim, as `statement("FW-3")`.

    Raises:
        InputError: no topic states it.
    """
    prefix = claim.partition("-")[0]
    if prefix == FROM_TABLES:
        raise InputError(f"claim: {claim} is about trained networks and has no random trials; the workflow judges it: snakemake audit")
    if prefix not in MODULES:
        raise InputError(f"claim: expected a prefix among {', '.join(MODULES)}, found {claim!r}")
    stated = statements(prefix)
    if claim not in stated:
        raise InputError(f"claim: expected one of {', '.join(stated)}; found {claim!r}")
    return stated[claim]
