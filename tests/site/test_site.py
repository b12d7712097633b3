"""What a reader meets: links, pictures, filters, the keyboard, no script, the dark, paper, and words that would like to be code."""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from specimen import HOSTILE

pytestmark = pytest.mark.site


class Page(HTMLParser):
    """Links, images and ids of a page, read without a browser."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.images: list[dict] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list) -> None:
        named = dict(attrs)
        self.tags.append(tag)
        if "id" in named:
            self.ids.append(named["id"])
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag == "img":
            self.images.append(named)


def pages(site: Path) -> list[Path]:
    found = sorted(
        path for folder in (site, site / "figures", site / "claims") for path in folder.glob("*.html") if path.name != "report.html"
    )
    assert len(found) > 10
    return found


def open_page(driver, path: Path) -> None:
    driver.get_log("browser")
    driver.get(path.as_uri())


def console(driver) -> list[str]:
    return [entry["message"] for entry in driver.get_log("browser")]


def visible_claims(driver) -> list[str]:
    return [row.get_attribute("id") for row in driver.find_elements(By.CSS_SELECTOR, "table.ledger tbody tr") if row.is_displayed()]


def test_every_link_leads_to_a_file_and_every_anchor_to_an_element(site) -> None:
    for path in pages(site):
        page = Page(path)
        assert len(page.ids) == len(set(page.ids)), path
        for link in page.links:
            parts = urlsplit(link)
            assert not parts.scheme and not parts.netloc, f"{path}: {link} leaves the site"
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), f"{path.name}: {link}"
            assert target.is_relative_to(site.parent.resolve()), f"{path.name}: {link} leaves the results"
            if parts.fragment:
                assert parts.fragment in Page(target).ids, f"{path.name}: {link}"


def test_every_page_is_reached_from_the_ledger(site) -> None:
    seen, todo = set(), [site / "index.html"]
    while todo:
        path = todo.pop().resolve()
        if path not in seen and path.suffix == ".html":
            seen.add(path)
            todo += [path.parent / unquote(urlsplit(link).path) for link in Page(path).links if urlsplit(link).path]
    assert {path.resolve() for path in pages(site)} - seen <= {(site / "ledger.html").resolve()}


def test_every_image_loads_and_the_console_stays_empty(site, chromium) -> None:
    for path in pages(site):
        open_page(chromium, path)
        chromium.execute_script("for (const image of document.images) image.loading = 'eager'")
        sizes = chromium.execute_async_script(
            "const done = arguments[0];"
            "Promise.all([...document.images].map(i => i.decode().catch(() => 0))).then(() => done([...document.images].map(i => [i.src, i.naturalWidth])))"
        )
        assert len(sizes) == len(Page(path).images)
        assert all(width > 0 for _, width in sizes), (path, sizes)
        assert console(chromium) == [], path
    figures = [Page(path) for path in (site / "figures").glob("*.html")]
    assert figures and all(page.images and page.images[0]["alt"].strip() for page in figures)


def test_nothing_is_fetched_from_the_network(site, chromium) -> None:
    chromium.get_log("performance")
    for path in pages(site):
        chromium.get(path.as_uri())
    asked = []
    for entry in chromium.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.append(message["params"]["request"]["url"])
    assert len(asked) >= len(pages(site))
    assert {urlsplit(url).scheme for url in asked} <= {"file", "data"}


def test_filters_show_exactly_the_rows_they_name(site, chromium) -> None:
    open_page(chromium, site / "index.html")
    rows = chromium.execute_script("return [...document.querySelectorAll('table.ledger tbody tr')].map(r => ({id: r.id, ...r.dataset}))")
    assert visible_claims(chromium) == [row["id"] for row in rows]
    for name in ("paper", "topic", "verdict"):
        select = Select(chromium.find_element(By.NAME, name))
        values = [option.text for option in select.options[1:]]
        assert values == sorted({row[name] for row in rows})
        for value in values:
            select.select_by_visible_text(value)
            expected = [row["id"] for row in rows if row[name] == value]
            assert visible_claims(chromium) == expected
            assert chromium.find_element(By.ID, "shown").text == f"{len(expected)} of {len(rows)} claims shown"
        select.select_by_index(0)
    both = rows[-1]
    for name in ("topic", "verdict"):
        Select(chromium.find_element(By.NAME, name)).select_by_visible_text(both[name])
    assert visible_claims(chromium) == [r["id"] for r in rows if r["topic"] == both["topic"] and r["verdict"] == both["verdict"]]
    chromium.find_element(By.CSS_SELECTOR, ".filters button").click()
    chromium.execute_async_script("setTimeout(arguments[0], 50)")
    assert len(visible_claims(chromium)) == len(rows)
    assert console(chromium) == []


def test_columns_sort_as_numbers_both_ways_with_empty_cells_last(site, chromium) -> None:
    open_page(chromium, site / "index.html")
    headers = chromium.find_elements(By.CSS_SELECTOR, "table.ledger thead th")
    for name in ("Trials", "Measured"):
        header = next(h for h in headers if h.text.strip().startswith(name))
        column = headers.index(header)
        for direction in ("ascending", "descending"):
            header.find_element(By.TAG_NAME, "button").click()
            assert header.get_attribute("aria-sort") == direction
            cells = chromium.execute_script(
                f"return [...document.querySelectorAll('table.ledger tbody tr')].map(r => r.cells[{column}].dataset.value)"
            )
            filled = [float(cell) for cell in cells if cell != ""]
            assert cells[len(filled) :] == [""] * (len(cells) - len(filled))
            assert filled == sorted(filled, reverse=direction == "descending")


def test_the_ledger_works_from_the_keyboard_alone(site, chromium) -> None:
    open_page(chromium, site / "index.html")

    def focused():
        return chromium.switch_to.active_element

    chromium.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert focused().get_attribute("class") == "skip"
    assert focused().is_displayed() and focused().rect["x"] >= 0
    focused().send_keys(Keys.ENTER)
    assert chromium.current_url.endswith("#main")
    reached = []
    for _ in range(40):
        chromium.switch_to.active_element.send_keys(Keys.TAB)
        element = focused()
        reached.append(element.get_attribute("name") or element.text)
        assert chromium.execute_script("return getComputedStyle(arguments[0]).outlineStyle", element) != "none", reached
        if element.get_attribute("name") == "verdict":
            element.send_keys("refuted" if "refuted" in element.text else "supported")
        if element.tag_name == "button" and element.text.startswith("Trials"):
            element.send_keys(Keys.ENTER)
            break
    assert [name for name in reached if name in ("paper", "topic", "verdict")] == ["paper", "topic", "verdict"]
    chosen = Select(chromium.find_element(By.NAME, "verdict")).first_selected_option.text
    assert chosen in ("refuted", "supported")
    shown = chromium.find_elements(By.CSS_SELECTOR, "table.ledger tbody tr:not([hidden])")
    assert shown and {row.get_attribute("data-verdict") for row in shown} == {chosen}
    assert chromium.find_element(By.CSS_SELECTOR, "th[aria-sort]").text.startswith("Trials")


def test_without_javascript_everything_is_there_and_no_dead_control(site, without_javascript) -> None:
    driver = without_javascript
    driver.get((site / "index.html").as_uri())
    assert len(visible_claims(driver)) == sum(tag == "tr" for tag in Page(site / "index.html").tags) - 1
    assert not driver.find_element(By.CSS_SELECTOR, ".filters").is_displayed()
    assert driver.find_elements(By.CSS_SELECTOR, "th button") == []
    link = driver.find_element(By.CSS_SELECTOR, "table.ledger tbody a")
    target = link.get_attribute("href")
    link.click()
    assert driver.current_url == target
    details = driver.find_elements(By.CSS_SELECTOR, "details")
    assert details
    before = details[0].get_attribute("open")
    details[0].find_element(By.TAG_NAME, "summary").click()
    assert details[0].get_attribute("open") != before


def test_a_screen_reader_finds_language_landmarks_headings_and_names(site, chromium) -> None:
    for path in pages(site):
        open_page(chromium, path)
        assert chromium.execute_script("return document.documentElement.lang") == "en"
        tree = chromium.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        roles = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node.get("ignored")]
        assert sum(role == "main" for role, _ in roles) == 1, path
        if path.name != "ledger.html":
            assert ("navigation", "Audit") in roles
        for role, name in roles:
            if role in ("link", "button", "combobox", "image", "img", "region", "columnheader", "rowheader"):
                assert name.strip(), (path.name, role)
        levels = [int(tag[1]) for tag in Page(path).tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels)), path


def _contrast(driver) -> list[tuple[str, float]]:
    """Contrast (WCAG 2) of every visible piece of text against the nearest painted background."""
    return driver.execute_script(
        """
        const parse = c => c.match(/[\\d.]+/g).map(Number);
        const light = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const back = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
        const found = [];
        for (const e of document.body.querySelectorAll('*')) {
          if (e.closest('svg, script, style, math, option') || !e.checkVisibility()) continue;
          if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
          const [a, b] = [light(parse(getComputedStyle(e).color)), light(back(e))];
          found.push([e.tagName + '.' + e.className, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]);
        }
        return found;
        """
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(specimen, chromium, scheme) -> None:
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    try:
        for path in pages(specimen):
            open_page(chromium, path)
            found = _contrast(chromium)
            assert len(found) > 10
            assert [(name, ratio) for name, ratio in found if ratio < 4.5] == [], path
        dark = chromium.execute_script("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        assert dark == (scheme == "dark")
    finally:
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_on_paper_there_is_no_navigation_and_the_whole_ledger(site, chromium) -> None:
    open_page(chromium, site / "index.html")
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not chromium.find_element(By.TAG_NAME, "nav").is_displayed()
        assert not chromium.find_element(By.CSS_SELECTOR, ".filters").is_displayed()
        overflow = chromium.execute_script("return getComputedStyle(document.querySelector('.wide')).overflowX")
        assert overflow == "visible"
    finally:
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_no_page_is_wider_than_a_small_screen(site, chromium) -> None:
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    try:
        for path in pages(site):
            open_page(chromium, path)
            wide = chromium.execute_script("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, path
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_hostile_words_are_shown_as_text(specimen, chromium) -> None:
    where = {
        specimen / "index.html": HOSTILE[:4],
        specimen / "figures/specimen_words.html": HOSTILE,
        specimen / "claims/FW-2.html": HOSTILE[:2],
        specimen / "data.html": HOSTILE[1:2],
        specimen / "notes.html": (*HOSTILE[:3], HOSTILE[4]),
        specimen / "published.html": HOSTILE[:1],
    }
    for path, words in where.items():
        open_page(chromium, path)
        for details in chromium.find_elements(By.TAG_NAME, "details"):
            chromium.execute_script("arguments[0].open = true", details)
        text = chromium.find_element(By.TAG_NAME, "main").text
        for word in words:
            assert word in text, (path, word)
        assert "owned" not in chromium.title and chromium.title != "1"
        assert "49" not in re.findall(r"\b49\b", text)
        own = {"index.html": 1}.get(path.name, 0)
        assert Page(path).tags.count("script") == own
        handlers = chromium.execute_script(
            "return [...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames()).filter(n => n.startsWith('on'))"
        )
        assert handlers == []


def test_a_counterexample_is_drawn_with_its_tokens_and_hull(specimen, chromium) -> None:
    open_page(chromium, specimen / "claims/FW-2.html")
    drawing = chromium.find_element(By.CSS_SELECTOR, "svg.drawing")
    assert drawing.rect["height"] > 100
    assert len(drawing.find_elements(By.CSS_SELECTOR, ".token")) == 3
    assert len(drawing.find_elements(By.CSS_SELECTOR, ".wrong")) == 1
    assert len(drawing.find_element(By.CSS_SELECTOR, ".hull").get_attribute("points").split()) == 3
    open_page(chromium, specimen / "claims/FW-3.html")
    assert chromium.find_element(By.CSS_SELECTOR, "svg.drawing .interval").is_displayed()


def test_a_claim_page_says_how_each_hypothesis_is_checked(specimen, chromium) -> None:
    open_page(chromium, specimen / "claims/CL-1.html")
    items = chromium.find_elements(By.CSS_SELECTOR, "ol > li")
    assert [item.text.splitlines()[0] for item in items] == ["x > 0 (accepts 50 by itself)", "always (accepts 100 by itself)"]
    items[0].find_element(By.TAG_NAME, "summary").click()
    code = items[0].find_element(By.TAG_NAME, "pre").text
    assert code.startswith("def _is_positive(instances") and '(instances["x"] > 0).all' in code


def test_the_notes_show_the_effect_of_a_scripts_difference(specimen, chromium) -> None:
    open_page(chromium, specimen / "notes.html")
    cells = [cell.text for cell in chromium.find_elements(By.CSS_SELECTOR, "[aria-label='Effect of one-step-more'] tbody td")]
    assert cells[:3] == ["0.5", "0.25", "−0.25"]


def test_a_figure_page_answers_the_reviewers_questions(specimen, chromium) -> None:
    open_page(chromium, specimen / "figures/specimen_curve.html")
    text = chromium.find_element(By.TAG_NAME, "main").text
    for answer in (
        "results/tables/specimen_curve.csv",
        "snakemake results/figures/specimen_curve.png --cores 2 --configfile config/smoke.yaml --force",
        "seed: 7",
        "CL-1",
        "FW-2",
        "specimen-0",
        "not run",
        "beyond",
        "within",
        "−0.4",
    ):
        assert answer in text, answer
    downloads = [a.get_attribute("href") for a in chromium.find_elements(By.CSS_SELECTOR, "a[download]")]
    assert {Path(urlsplit(link).path).suffix for link in downloads} == {".pdf", ".png"}
