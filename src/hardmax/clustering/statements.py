"""The claims of the clustering paper (arXiv 2407.01602) as statements for the search for counterexamples."""

from dataclasses import replace

from hardmax.clustering import equivariance, families, hulls, leadership, limits
from hardmax.falsify import Statement

_PAPER = "2407.01602"

CL1 = Statement(
    claim="CL-1",
    paper=_PAPER,
    text="A token that is a leader at some layer is one at every later layer, and never moves.",
    hypotheses=families.MODEL,
    families=families.FAMILIES,
    conclusion=leadership.leaders_stay,
    exact=leadership.leaders_stay_exactly,
    strategy=families.small_rationals(),
)

CL2 = Statement(
    claim="CL-2",
    paper=_PAPER,
    text="From the first layer on there is a leader: at every layer, every token of largest A-norm is one (coinciding tokens count as one).",
    hypotheses=families.MODEL,
    families=families.FAMILIES,
    conclusion=leadership.largest_lead,
    exact=leadership.largest_lead_exactly,
    strategy=families.small_rationals(),
)

CL3 = Statement(
    claim="CL-3",
    paper=_PAPER,
    text="The convex hulls of the tokens are nested, decreasing from layer to layer.",
    hypotheses=families.MODEL,
    families=families.FAMILIES,
    conclusion=hulls.hulls_shrink,
    exact=hulls.hulls_shrink_exactly,
    strategy=families.small_rationals(layers=4),
)

_CL4 = Statement(
    claim="CL-4",
    paper=_PAPER,
    text="For nonzero, distinct initial tokens every token converges; the leaders' values are the vertices of a convex polytope K, and every "
    "limit is a vertex of K or the A-norm projection of the origin onto a face of K (K itself included).",
    hypotheses=families.GENERAL_POSITION,
    families=families.FAMILIES,
    conclusion=limits.limits_on_faces,
    exact=limits.limits_on_faces_exactly,
    strategy=families.small_rationals(),
    tolerance=limits.TOLERANCE,
)

CL4 = replace(
    _CL4,
    amendments=(
        _CL4.amended(
            "amendment-1",
            "More holds: for any initial tokens, at the origin or coinciding too, every token converges, and every limit p has <A p, v> <= <A p, p> for all "
            "vertices v of K, so that it is the projection of the origin onto the very face of K that A p exposes.",
            hypotheses=families.MODEL,
            conclusion=limits.limits_exposed,
            exact=limits.limits_exposed_exactly,
        ),
    ),
)

CL5 = Statement(
    claim="CL-5",
    paper=_PAPER,
    text="The set of leaders is final after finitely many layers; leaders may emerge after layer 0.",
    hypotheses=families.MODEL,
    families=families.FAMILIES,
    conclusion=leadership.leaders_become_final,
    exact=leadership.leaders_become_final_exactly,
    strategy=families.small_rationals(),
)

CL6 = Statement(
    claim="CL-6",
    paper=_PAPER,
    text="The model with A is the model with I after z -> A^(1/2) z, and permutations of the tokens commute with a layer.",
    hypotheses=families.MODEL | {"root symmetric positive definite with square A": equivariance.root_squares_to_A},
    families=equivariance.FAMILIES,
    conclusion=equivariance.commutes,
    exact=equivariance.commutes_exactly,
    strategy=equivariance.small_rationals(),
)

STATEMENTS = {statement.claim: statement for statement in (CL1, CL2, CL3, CL4, CL5, CL6)}
