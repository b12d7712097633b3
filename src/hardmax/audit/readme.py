"""The README's tables of claims and figures, out of the ledger and the captions of a finished run.

`python -m hardmax.audit.readme` rewrites what stands between the marks in README.md.
"""

import re
from pathlib import Path

import pandas as pd

from hardmax.audit import formats
from hardmax.audit.captions import title
from hardmax.errors import InputError


def _cell(text: object) -> str:
    return " ".join(str(text).split()).replace("|", r"\|")


def _count(number: int) -> str:
    return f"{number:,}"


def claims_table(claims: pd.DataFrame) -> str:
    """Claims with their verdicts as a Markdown table."""
    lines = ["| claim | verdict | trials | violations | figure |", "|---|---|---|---|---|"]
    for row in claims.itertuples():
        name = Path(row.figure).stem if isinstance(row.figure, str) else ""
        lines.append(f"| {row.claim} | {row.verdict} | {_count(row.trials)} | {_count(row.violations)} | `{name}` |")
    return "\n".join(lines)


def figures_table(figures: Path, captions: Path) -> str:
    """Figures of a run with the first sentence of their captions, as a Markdown table."""
    lines = ["| figure | what it shows |", "|---|---|"]
    for path in sorted([*figures.glob("*.png"), *figures.glob("*.gif")]):
        caption = (captions / f"{path.stem}.rst").read_text(encoding="utf-8")
        lines.append(f"| `{path.name}` | {_cell(title(caption))} |")
    return "\n".join(lines)


def fill(text: str, name: str, table: str) -> str:
    """The text with a table between the marks `<!-- name -->` and `<!-- /name -->`.

    Raises:
        InputError: the marks are missing.
    """
    pattern = rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)"
    if not re.search(pattern, text, re.S):
        raise InputError(f"README.md: expected the marks <!-- {name} --> and <!-- /{name} -->, found none")
    return re.sub(pattern, lambda match: f"{match[1]}\n{table}\n\n{match[2]}", text, count=1, flags=re.S)


def main(root: Path = Path()) -> None:
    """Rewrite README.md in the folder of a finished run."""
    readme = root / "README.md"
    text = fill(readme.read_text(encoding="utf-8"), "claims", claims_table(formats.read(root / "results/audit/claims.csv")))
    text = fill(text, "figures", figures_table(root / "results/figures", root / "workflow/report"))
    readme.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
