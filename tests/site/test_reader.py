"""A reader's test: from the README alone to the number behind one bar of the leaders' histogram, the code that made it, and another seed."""

import hashlib
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selenium.webdriver.common.by import By

from hardmax.audit.formats import read

pytestmark = pytest.mark.site

REPOSITORY = Path(__file__).parents[2]
HISTOGRAM, TABLE, MODULE = "sentiment_leaders", "sentiment_words", "src/hardmax/sentiment/words.py"


def local(link: str) -> Path:
    return Path(unquote(urlsplit(link).path))


def test_from_the_readme_to_a_bar_its_code_and_another_seed(smoke: Path, chromium) -> None:
    root = smoke
    readme = (REPOSITORY / "README.md").read_text()
    assert "results/audit/index.html" in readme
    chromium.get((root / "results/audit/index.html").as_uri())
    chromium.find_element(By.LINK_TEXT, "Figures").click()
    chromium.find_element(By.CSS_SELECTOR, f"a[href$='{HISTOGRAM}.html']").click()
    page = chromium.find_element(By.TAG_NAME, "main")

    links = [link.get_attribute("href") for link in page.find_elements(By.CSS_SELECTOR, "h3 a")]
    table = next(local(link) for link in links if local(link).stem == TABLE)
    words = read(table)
    bar = words[(words["dim"] == words["dim"].min()) & (words["rank"] == 1)].iloc[0]
    assert bar["reviews"] > 0

    cards = [local(link.get_attribute("href")) for link in page.find_elements(By.LINK_TEXT, "Card of the table")]
    card = read(next(path for path in cards if path.name == f"{TABLE}.card.json"))
    output = next(item for item in card["outputs"] if item["path"].endswith(f"{TABLE}.csv"))
    assert output["sha256"] == hashlib.sha256(table.read_bytes()).hexdigest()
    sources = {item["path"]: item["sha256"] for item in card["sources"]}
    assert sources[MODULE] == hashlib.sha256((root / MODULE).read_bytes()).hexdigest()
    for details in page.find_elements(By.TAG_NAME, "details"):
        chromium.execute_script("arguments[0].open = true", details)
    assert f"workflow/scripts/{card['rule']}.py" in page.text
    assert MODULE in page.text

    commands = "\n".join(block.text for block in page.find_elements(By.TAG_NAME, "pre")).splitlines()
    another = shlex.split(next(line for line in commands if "--config seed=" in line))
    assert another[0] == "snakemake"
    plan = subprocess.run([sys.executable, "-m", *another, "--dry-run"], cwd=root, capture_output=True, text=True, check=True)
    assert card["rule"] in plan.stdout + plan.stderr
