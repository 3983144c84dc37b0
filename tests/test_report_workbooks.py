"""What the report says of workbooks: each count, from a book whose counts a reader can make by hand."""

from __future__ import annotations

import json

import pytest
from reported import report_of

from notes_pipeline.corpus.merge import merge
from notes_pipeline.records import Chunk, Discard
from notes_pipeline.report import ARTIFACTS, Report, metrics
from notes_pipeline.rows import chunk, read
from notes_pipeline.rows.templates.registry import read_text
from notes_pipeline.settings import Settings
from tests.sheets import workbook_document

TEMPLATES = """\
version: 1
templates:
  - id: wells
    match: {columns: {all: [Well, Depth]}}
    ignore: [Clerk]
    text: "{{ Well }} in {{ Place }} was sunk to a depth of {{ Depth }}."
  - id: any-well
    match: {columns: {all: [Well]}}
    priority: -1
    text: "{{ Well }} is a well."
  - id: springs
    match: {columns: {all: [Spring]}}
    text: "{{ Spring }} flows."
"""
SHEETS = {
    "Wells": {
        "rows": """\
            **Well**              | **Place** | **Depth** | **Clerk** | **Water** | **Secret**
            North [Mnemonic: NOR] | Aldbeck   | 31 m      | T. B.     | clear     | one
            South                 |           | 12 m      | I. D.     | turbid    | two
            West                  | Colham    | 18 m      |           | #N/A      | three
        """.replace("            ", ""),
        "hidden_columns": ["F"],
    },
    "Mills": """\
        **Mill**    | **Built** | **River and the bridge beside it**
        Upper mill  | 1788      | Aldbeck, by the long stone bridge
        Lower mill  | =1700+91  | Colham, by the ford below the weir
    """.replace("        ", ""),
    "Notes": {"rows": "Only a remark of the clerk\n"},
}


@pytest.fixture(scope="module")
def report() -> Report:
    """Two tables, one with templates, and a sheet with none."""
    settings, registry = Settings(), read_text("rows.yaml", TEMPLATES)
    document = workbook_document(SHEETS)
    book = read(document, settings, registry)
    made = chunk(document, book, settings, registry)
    corpus = merge(
        [document],
        [item for item in made if isinstance(item, Chunk)],
        [item for item in made if isinstance(item, Discard)],
    )
    return report_of(corpus, rows=book.rows, sheets=book.sheets, registry=registry)


def test_rows_are_counted_by_what_made_their_sentence(report: Report) -> None:
    """South has no place, so the fallback speaks for it, as for the mills; the missing field is named."""
    found = {row.template: (row.tables, row.rows, row.fell_back) for row in report.workbooks.templates}
    missing = {row.template: row.missing_fields for row in report.workbooks.templates}

    assert found == {"wells": (1, 2, 1), "fallback": (1, 3, 0)}
    assert missing == {"wells": {"Place": 1}, "fallback": {}}


def test_a_template_for_no_table_is_a_warning(report: Report) -> None:
    """``springs`` fits nothing; ``any-well`` fits, and another goes before it."""
    assert report.workbooks.unmatched == ("any-well", "springs")
    assert report.workbooks.tables[0].runner_up == "any-well"
    for view in ("report.html", "summary.md"):
        assert "springs" in ARTIFACTS[view](report)


def test_columns_and_cells_left_out_are_named(report: Report) -> None:
    """Water is not in the sentence; left out on purpose are two clerks and a hidden column of four cells."""
    (wells,) = [table for table in report.workbooks.tables if table.sheet == "Wells" and table.title == ""]

    assert "Water" in wells.unused_columns
    assert wells.left_out == {"Clerk": 2}
    assert {it.name: it.count for it in report.workbooks.left_out} == {
        "in hidden columns": 4,
        "wells: Clerk": 2,
    }


def test_sheets_say_why_they_made_nothing(report: Report) -> None:
    """One sheet of three holds no table."""
    assert {it.name: it.count for it in report.workbooks.states} == {"read": 2, "free_form": 1}


def test_cells_without_a_value_are_counted(report: Report) -> None:
    """A formula nobody computed, a cell in error, a memory aid taken out."""
    assert report.workbooks.formulas_without_value == 1
    assert report.workbooks.errors == 1
    assert {it.name: it.count for it in report.workbooks.cleaned} == {"mnemonic_bracket": 1}


def test_every_view_shows_the_same(report: Report) -> None:
    """The metrics are the page's numbers; the page and the summary name the templates."""
    numbers = json.loads(ARTIFACTS["metrics.json"](report))["workbooks"]

    assert numbers == metrics(report)["workbooks"]
    assert numbers["rows_by_template"] == {"wells": 2, "fallback": 3}
    assert (numbers["fell_back"], numbers["formulas_without_value"], numbers["error_cells"]) == (1, 1, 1)
    assert numbers["cells_left_out"] == 6
    assert "| wells | 1 | 2 | 1 | Place 1 |" in ARTIFACTS["summary.md"](report)
    assert '<section id="workbooks">' in ARTIFACTS["report.html"](report)
