"""One is singular, everywhere a count is shown."""

from __future__ import annotations

import re

import build
import pytest
from reported import report_of

from notes_pipeline.corpus.merge import merge
from notes_pipeline.plural import noun, plural
from notes_pipeline.report.as_html import page
from notes_pipeline.report.as_markdown import summary


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (12_345, "12,345 files")]
)
def test_only_one_is_singular(count: int, shown: str) -> None:
    """Nothing at all is counted in the plural too."""
    assert plural(count, "file") == shown


def test_a_noun_may_bring_its_own_plural() -> None:
    """Words that do not just take an s, and nouns with their verb."""
    assert [noun(count, "row lacks", "rows lack") for count in (1, 2)] == ["row lacks", "rows lack"]


def test_a_report_on_one_thing_speaks_of_one_thing() -> None:
    """One file, one chunk, one word: in the summary and on the page."""
    note = build.document("Rye\n", "rye.md")
    made = merge([note], build.chunks(note, build.sections(note)), [])
    report = report_of(made, rows=(), sections=1)

    assert (report.totals.files, report.totals.chunks, report.totals.words) == (1, 1, 1)
    for shown in (summary(report), page(report)):
        assert "1 file" in shown.replace("</b>", "")
        assert not re.findall(
            r"(?<![\d.,\u202f])1(?:</b>)? (?:\w+ )?(?:files|words|chunks|rows|sections|notebooks)\b", shown
        )
