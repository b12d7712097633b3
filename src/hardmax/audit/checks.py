"""How each hypothesis of a claim is checked: the code of the check, as it runs."""

import inspect
import textwrap
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import hardmax

_PACKAGE = Path(hardmax.__file__).parent


def checks(topic: str, claim: str) -> list[dict[str, str]]:
    """For each hypothesis of a claim as written: its `words`, the check's `code`, and the `place` (module and line) it stands at.

    Args:
        topic: the topic's package.
        claim: `FW-3`.
    """
    statement = import_module(f"hardmax.{topic}.statements").STATEMENTS[claim]
    return [{"words": words, **_source(check)} for words, check in statement.hypotheses.items()]


def _source(check: Any) -> dict[str, str]:
    while isinstance(check, partial):
        check = check.func
    check = inspect.unwrap(check)
    try:
        lines, first = inspect.getsourcelines(check)
        file = Path(inspect.getsourcefile(check) or "")
    except (OSError, TypeError):
        return {"code": repr(check), "place": ""}
    place = f"src/hardmax/{file.relative_to(_PACKAGE).as_posix()}" if file.is_relative_to(_PACKAGE) else file.name
    return {"code": textwrap.dedent("".join(lines)).rstrip(), "place": f"{place}:{first}"}
