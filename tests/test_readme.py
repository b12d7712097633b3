"""The README speaks of the claims and figures there are."""

import re
from pathlib import Path

import pandas as pd
import pytest

from hardmax.audit.readme import claims_table, fill
from hardmax.errors import InputError

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_every_claim_stands_in_the_readme() -> None:
    counts = {"CL": 6, "SE": 5, "IN": 7, "FW": 13, "MS": 5}
    expected = {f"{topic}-{number}" for topic, count in counts.items() for number in range(1, count + 1)}
    assert set(re.findall(r"^\| ([A-Z]{2}-\d+) \|", README, re.M)) == expected


def test_every_figure_has_a_caption_and_a_module() -> None:
    listed = {Path(name).stem for name in re.findall(r"^\| `(\w+\.(?:png|gif))` \|", README, re.M)}
    captions = {path.stem for path in (ROOT / "workflow/report").glob("*.rst")} - {"figure", "ledger"}
    assert listed == captions
    assert all((ROOT / f"src/hardmax/figures/{name}.py").exists() for name in listed)


def test_make_targets_named_in_the_readme_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"`make ([a-z]+)", README)) <= targets


def test_a_table_is_filled_in_between_its_marks() -> None:
    claims = pd.DataFrame(
        [{"claim": "FW-3", "verdict": "amended", "trials": 2000, "violations": 3, "figure": "results/figures/frank_wolfe_energies.pdf"}]
    )
    text = fill("a\n<!-- claims -->\nold\n<!-- /claims -->\nb\n", "claims", claims_table(claims))
    assert "| FW-3 | amended | 2,000 | 3 | `frank_wolfe_energies` |" in text
    assert "old" not in text
    assert text.startswith("a\n") and text.endswith("b\n")
    with pytest.raises(InputError):
        fill("no marks", "claims", "")
