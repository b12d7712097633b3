"""The search over small rational configurations, shrunk so that a person sees few tokens and small whole numbers."""

import random

from hardmax.falsify.counterexample import judge
from hardmax.falsify.statement import Inputs, Statement, batch_of_one
from hardmax.falsify.tally import Found, Tally

SHRINKING = "shrinking search"
"""The name of the search among the families."""
EXAMPLES = 500
"""Most configurations the shrinking search generates, those it shrinks not counted."""


def shrink(statement: Statement, seed: int, examples: int) -> Tally:
    """Small rational configurations, shrunk to the simplest violation; one that rests on no tie is preferred."""
    import hypothesis

    assert statement.strategy is not None
    tally = Tally(SHRINKING)
    on_tie = False

    def violates(inputs: Inputs) -> bool:
        nonlocal on_tie
        tally.trials += 1
        tally.met += bool(tally.check(statement, batch_of_one(inputs))[0])
        judged = judge(statement, inputs)
        on_tie |= judged is not None and judged[0].tie
        return judged is not None and not judged[0].tie

    def violates_on_tie(inputs: Inputs) -> bool:
        return judge(statement, inputs) is not None

    settings = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )
    for condition in (violates, violates_on_tie):
        try:
            inputs = hypothesis.find(
                statement.strategy,
                condition,
                settings=settings,
                random=random.Random(seed),
            )
        except hypothesis.errors.NoSuchExample:
            if on_tie:
                continue
            break
        judged = judge(statement, inputs)
        assert judged is not None
        tally.found = [Found(inputs, *judged)]
        tally.violations, tally.on_tie, tally.relation = (
            1,
            int(judged[0].tie),
            judged[0].relation,
        )
        break
    return tally
