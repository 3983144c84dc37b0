"""Workbooks as their reader sees them, from bytes to chunks: one case a folder in cases/excel."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from notes_pipeline.records import Chunk, Discard
from notes_pipeline.rows import Registry, Workbook, chunk, read
from notes_pipeline.rows.coverage import coverage
from notes_pipeline.rows.templates.registry import read_text
from notes_pipeline.settings import Settings
from notes_pipeline.sources import document_from_bytes
from tests.sheets import workbook_bytes, workbook_document

CASES = sorted((Path(__file__).parent / "cases" / "excel").glob("*/case.yaml"))


class Built:
    """A case's workbook and what became of it."""

    def __init__(self, case: dict[str, Any]) -> None:
        settings = Settings.model_validate(case.get("settings", {}))
        registry = read_text("rows.yaml", case["templates"]) if "templates" in case else Registry()
        document = workbook_document(case["sheets"])
        self.book: Workbook = read(document, settings, registry)
        made = chunk(document, self.book, settings, registry)
        self.chunks = [item for item in made if isinstance(item, Chunk)]
        self.discards = [item for item in made if isinstance(item, Discard)]
        self.tables = coverage(self.book.rows, made, registry)


@pytest.mark.parametrize("path", CASES, ids=[path.parent.name for path in CASES])
def test_case(path: Path) -> None:
    """Each case's rows read as it says, and every row of it is accounted for."""
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    built = Built(case)

    assert case["chunks"] == [item.text for item in built.chunks], case["truth"]
    assert all(table.lost == 0 for table in built.tables)
    if "discards" in case:
        found = [[item.sheet, item.row_number, item.reason] for item in built.discards]
        assert sorted(case["discards"]) == sorted(found), case["truth"]
    if "discard_counts" in case:
        assert case["discard_counts"] == Counter(item.reason for item in built.discards)
    _check_places(case, built)


def _check_places(case: dict[str, Any], built: Built) -> None:
    sheets = {sheet.sheet: sheet for sheet in built.book.sheets}
    kinds = {row.row_number: row.kind for row in built.book.rows}
    for number, kind in case.get("kinds", {}).items():
        assert kind == kinds[number]
    for name, state in case.get("states", {}).items():
        assert state == sheets[name].state
    for name, confidence in case.get("confidence", {}).items():
        assert confidence == sheets[name].confidence
    for name, notes in case.get("notes", {}).items():
        assert set(notes) <= set(sheets[name].notes)
    for number, rule, note in case.get("findings", ()):
        found = [f for item in built.chunks if item.row_number == number for f in item.findings]
        assert any(rule == finding.rule and note in finding.note for finding in found)
    if "paths" in case:
        assert case["paths"] == [list(item.heading_path) for item in built.chunks]
    for sheet, number, detail in case.get("details", ()):
        lost = [item for item in built.discards if (item.sheet, item.row_number) == (sheet, number)]
        assert any(detail in item.detail for item in lost)
    if "locators" in case:
        assert case["locators"] == [item.locator for item in built.chunks]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", "_all.csv"])
def test_the_id_in_the_name_of_an_export_is_no_title(suffix: str) -> None:
    """Notion ends a file's name with 32 hex digits; headings and sentences go without, places keep them."""
    name = f"Mills 0123456789abcdef0123456789abcdef{suffix}"
    rows = "Mill | River\nUpper mill | Aldbeck\nLower mill | Colham\n"
    data = rows.replace(" | ", ",").encode() if suffix.endswith("csv") else workbook_bytes({"Sheet1": rows})
    document = document_from_bytes(name, data, Settings())
    made = chunk(document, read(document, Settings(), Registry()), Settings(), Registry())
    chunks = [item for item in made if isinstance(item, Chunk)]

    assert [item.heading_path for item in chunks] == [("Mills",)] * 2
    assert [item.text for item in chunks] == [
        "Upper mill (Mills): River: Aldbeck.",
        "Lower mill (Mills): River: Colham.",
    ]
    assert all(item.locator.startswith(name) for item in chunks)
