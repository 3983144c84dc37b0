"""What a report shows is safe, small, and reads in any browser: no formula, no markup, no network."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import build
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reported import corpus, report_of

from notes_pipeline.corpus.merge import merge
from notes_pipeline.records import Sheet
from notes_pipeline.report import ARTIFACTS, write_report
from notes_pipeline.report.as_csv import safe


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The artifacts of the small corpus on disk."""
    path = tmp_path_factory.mktemp("latest")
    write_report(report_of(corpus()), path)
    return path


# Safety -------------------------------------------------------------------------------------------


@given(st.text(max_size=20), st.sampled_from(["", "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＠"]))
def test_no_cell_becomes_a_formula(text: str, start: str) -> None:
    """A spreadsheet opens the CSV and computes nothing."""
    assert not safe(start + text).startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    assert safe(start + text) in (start + text, f"'{start}{text}")


class Tags(HTMLParser):
    """Collects tags and addresses; insists that every element is closed by itself."""

    VOID = frozenset(("meta", "br"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] += 1
        self.addresses += [
            value or "" for name, value in attrs if name in ("href", "src", "srcset", "action")
        ]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_note_text_is_text_wherever_it_stands(folder: Path) -> None:
    """Markup in a note, a heading, a file name or a cell is shown, never obeyed; the page stays whole."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)

    assert tags.open == []
    assert tags.seen["script"] == 1
    assert "{{ totals }}" in page
    assert "&lt;script&gt;" in page


def test_the_page_needs_no_network(folder: Path) -> None:
    """No address leads out of the page, and the page forbids itself to load anything."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)

    assert {"#"} == {address[:1] for address in tags.addresses}
    assert "default-src 'none'" in page
    assert not re.search(r"url\(|@import", page)


def test_links_in_the_page_lead_somewhere(folder: Path) -> None:
    """Every jump has its target."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)

    assert set() == {address[1:] for address in tags.addresses} - set(re.findall(r'id="([^"]+)"', page))


def test_the_page_stays_under_a_megabyte() -> None:
    """Thousands of files with long names and long chunks, hundreds of sheets: still one small page."""
    documents = [build.document("", f"{'folder/' * 9}{at}.md") for at in range(2_000)]
    chunks = [
        build.chunk("wörd <b> " * 400, ("Heading " * 12,) * 3, f"{'folder/' * 9}{at}.md", decision="review")
        for at in range(2_000)
    ]
    discards = [
        build.discard(f"reason {at % 40}", "book.xlsx", text="x" * 9_000, sheet="S", row_number=at)
        for at in range(2_000)
    ]
    discards += [build.discard(f"kind {at % 40}", "book.xlsx", text="<" * 9_000) for at in range(400)]
    sheets = [
        Sheet(
            "book.xlsx",
            ".",
            f"Sheet {at}",
            at,
            "read",
            1,
            "row 1: " + "why " * 90,
            "low",
            ("note " * 90,) * 9,
        )
        for at in range(500)
    ]
    long_rows = [build.row(at + 1, [("column " * 20, "value " * 90)] * 60) for at in range(2_000)]
    long_rows = [replace(row, sheet="S", table_index=at // 5) for at, row in enumerate(long_rows)]
    made = report_of(merge(documents, chunks, discards), rows=long_rows, sheets=sheets)

    assert len(ARTIFACTS["report.html"](made).encode()) < 1_000_000


@pytest.mark.parametrize("lost", [0, 7])
def test_a_loss_is_said_first(lost: int) -> None:
    """The verdict turns red and names the remedy when something is lost, and says that zero was counted."""
    page = ARTIFACTS["report.html"](report_of(corpus(), lost=lost))

    assert (lost > 0) == ('class="verdict broken"' in page)
    assert (lost > 0) == ("notes-pipeline verify" in page)
    assert (lost == 0) == ("Counted, not assumed" in page)


def test_a_file_name_cannot_break_the_summary(folder: Path) -> None:
    """Bars and line ends in names stay inside their cell."""
    made = replace(corpus(), documents=(build.document("", "a|b\nc.md", state="binary"),))
    lines = ARTIFACTS["summary.md"](report_of(made)).split("\n")

    assert any(line.startswith("| a\\|b c.md | binary |") for line in lines)


def test_a_file_name_is_no_markup_in_the_summary(folder: Path) -> None:
    """Tags, links and emphasis in names are shown as the characters they are."""
    made = replace(
        corpus(), documents=(build.document("", "<img src=x onerror=y>[a](b)`*&lt;.md", state="binary"),)
    )
    summary = ARTIFACTS["summary.md"](report_of(made))

    assert r"| \<img src=x onerror=y\>\[a\](b)\`\*\&lt;.md | binary |" in summary


def test_history_of_an_older_version_is_no_obstacle() -> None:
    """A line that lacks what later versions count is shown as far as it goes."""
    made = report_of(corpus(), history=[{"build_hash": "older"}])

    for view in ARTIFACTS.values():
        assert view(made)
    assert "older" in ARTIFACTS["report.html"](made)


def test_nothing_at_all_is_a_report_too() -> None:
    """No notes: every view is still made."""
    empty = report_of(merge([], [], []), rows=[])

    for view in ARTIFACTS.values():
        assert view(empty)


# In a browser -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium without a window."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(found for found in map(shutil.which, names) if found)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1200])
def test_the_page_fits_its_window(browser: Any, folder: Path, width: int, scheme: str) -> None:
    """Narrow or wide, light or dark: nothing sticks out, nothing is fetched, nothing goes wrong."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((folder / "report.html").as_uri())

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [(folder / "report.html").as_uri()] == asked
    assert wrong == []
    page.close()


@pytest.mark.browser
def test_a_click_on_a_head_sorts_the_table(browser: Any, folder: Path) -> None:
    """First the largest, then the smallest."""
    page = browser.new_page()
    page.goto((folder / "report.html").as_uri())
    head = page.locator("#files table").first.locator("th", has_text="Words")
    rows = "[...document.querySelector('#files table').tBodies[0].rows]"
    cells = f"{rows}.map(row => +row.cells[8].dataset.value)"
    head.click()
    down = page.evaluate(cells)
    head.click()

    assert sorted(down, reverse=True) == down
    assert sorted(down) == page.evaluate(cells)
    page.close()


@pytest.mark.browser
def test_the_page_reads_without_scripts(browser: Any, folder: Path) -> None:
    """Everything is on the page; scripts only sort and copy."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "report.html").as_uri())

    assert page.locator("#sample article").count() > 0
    assert page.locator("h1").is_visible()
    context.close()
