"""The site in a headless Chromium: on a small specimen, and on the results of the smoke configuration."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from specimen import build


@contextmanager
def browser(profile: Path, javascript: bool = True) -> Iterator[object]:
    """A Chromium of its own, with an empty profile and no background traffic."""
    from selenium import webdriver

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        missing = "needs chromium and chromedriver (Debian: chromium, chromium-driver)"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (
        "headless",
        "no-sandbox",
        "disable-gpu",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "no-first-run",
        "disable-dev-shm-usage",
        f"user-data-dir={profile}",
        "window-size=1280,900",
    ):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    if not javascript:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    opened.set_page_load_timeout(60)
    try:
        yield opened
    finally:
        opened.quit()


@pytest.fixture(scope="session")
def specimen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("specimen"))


@pytest.fixture(scope="session", params=["specimen", "smoke"])
def site(request: pytest.FixtureRequest) -> Path:
    """`results/audit` of the specimen, or of the smoke run."""
    if request.param == "specimen":
        return request.getfixturevalue("specimen")
    return request.getfixturevalue("smoke") / "results/audit"


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="session")
def without_javascript(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    with browser(tmp_path_factory.mktemp("profile"), javascript=False) as opened:
        yield opened
