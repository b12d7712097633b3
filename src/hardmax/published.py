"""The file of published values, for the topics whose figures draw them and the audit that compares ours with them."""

from pathlib import Path
from typing import Any

from hardmax.configuration import load_yaml

FILE = Path(__file__).with_name("published.yaml")


def published(section: str) -> Any:
    """One section of the file: a topic's values."""
    return load_yaml(FILE)[section]
