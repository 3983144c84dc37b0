"""Opening workbooks and delimited texts: cases as packages of readable parts, refusals, and laws."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.utils import get_column_letter
from packages import OPENING, document, old_container, old_workbook, parts_of, workbook, zipped

from notes_pipeline.records import DOCUMENT_STATES
from notes_pipeline.rows.workbook import legacy, package
from notes_pipeline.rows.workbook.grid import CELL_KINDS, GRID_STATES, Grid, GridCell
from notes_pipeline.rows.workbook.opening import Refused, open_grids
from notes_pipeline.settings import Excel, Settings

SETTINGS = Settings()
CASES = sorted(path.parent for path in OPENING.glob("*/expected.json"))


def _ref(cell: GridCell) -> str:
    return f"{get_column_letter(cell.column)}{cell.row}"


def _seen(grid: Grid) -> dict[str, Any]:
    """A grid in the words of ``expected.json``."""
    cells = [cell for row in grid.cells.values() for cell in row.values()]
    return {
        **asdict(grid),
        "cells": {_ref(cell): cell.text for cell in cells},
        "kinds": {_ref(cell): cell.kind for cell in cells},
        "links": {_ref(cell): cell.hyperlink for cell in cells if cell.hyperlink},
        **{mark: [_ref(cell) for cell in cells if getattr(cell, mark)]
           for mark in ("bold", "filled", "struck", "spilled")},
        "hidden_rows": sorted(grid.hidden_rows),
        "hidden_columns": sorted(grid.hidden_columns),
        "merges": [list(merge) for merge in grid.merges],
        "tables": [list(table) for table in grid.tables],
        "autofilter": list(grid.autofilter) if grid.autofilter else None,
        "formulas_without_value": list(grid.formulas_without_value),
        "errors": list(grid.errors),
    }  # fmt: skip


def _check(grid: Grid, expected: dict[str, Any]) -> None:
    """What a case names is so; notes are named by how they begin, all of them."""
    seen = _seen(grid)
    for key, value in expected.items():
        if key == "kinds":
            assert {ref: seen["kinds"].get(ref) for ref in value} == value
        elif key == "notes":
            starts = [note[: len(start)] for note, start in zip(seen["notes"], value, strict=True)]
            assert starts == value
        else:
            assert seen[key] == value, key


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_workbooks_are_seen_as_their_reader_sees_them(case: Path) -> None:
    """Each case says in its ``why`` what is true of it."""
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    chosen = Settings(excel=Excel(max_cells=expected.get("max_cells", 200_000)))
    book = document(workbook(parts_of(case / "package")))
    if "refused" in expected:
        with pytest.raises(Refused) as refusal:
            open_grids(book, chosen)
        _check_refusal(refusal.value, expected["refused"]["state"], *expected["refused"]["says"])
        return

    grids = open_grids(book, chosen)

    assert [grid.index for grid in grids] == list(range(len(expected["sheets"])))
    for grid, sheet in zip(grids, expected["sheets"], strict=True):
        _check(grid, sheet)


def _check_refusal(refused: Refused, state: str, *says: str) -> None:
    assert refused.state == state
    assert refused.state in DOCUMENT_STATES
    assert "\n" not in str(refused)
    for words in says:
        assert words.lower() in str(refused).lower()


def _bomb(size: int) -> bytes:
    return workbook({"xl/media/image1.xml": b"<a>" + b" " * size})


def _locked() -> bytes:
    data = bytearray(workbook())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        starts = [info.header_offset for info in archive.infolist()]
        central = archive.start_dir
    for start in starts:
        data[start + 6] |= 1
    while data[central : central + 4] == b"PK\x01\x02":
        data[central + 8] |= 1
        lengths = [int.from_bytes(data[central + at : central + at + 2], "little") for at in (28, 30, 32)]
        central += 46 + sum(lengths)
    return bytes(data)


def _of_2003() -> bytes:
    return b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'


def _many_parts() -> bytes:
    return zipped({str(number): b"" for number in range(10_001)})


Refusal = tuple[Callable[[], bytes], str, str]
REFUSALS: dict[str, Refusal] = {
    "empty": (lambda: b"", "empty", "empty"),
    "zeros": (lambda: b"\0" * 600, "empty", "empty"),
    "truncated": (lambda: workbook()[:1500], "unreadable", "truncated"),
    "password": (lambda: old_container({"EncryptedPackage": b"x"}), "password_protected", "password"),
    "password of the archive": (_locked, "password_protected", "password"),
    "old Word file": (lambda: old_container({"WordDocument": b"x"}), "unreadable", "without a workbook"),
    "old workbook, damaged": (lambda: old_container({"Workbook": b"x"}), "unreadable", "damaged"),
    "web page": (lambda: b"<html><table><tr><td>1</td></tr></table></html>", "unreadable", "web page"),
    "web page, UTF-16": (lambda: "\ufeff<table>".encode("utf-16-le"), "unreadable", "web page"),
    "XML of 2003": (_of_2003, "unreadable", "XML"),
    "text": (lambda: b"River,Length\nGanga,2525\n", "unreadable", "rename it to .csv"),
    "binary": (lambda: bytes(range(256)), "unreadable", "no workbook"),
    "Word document": (lambda: zipped({"word/document.xml": b"<a/>"}), "unreadable", "Word document"),
    "other archive": (lambda: zipped({"readme.txt": b"hello"}), "unreadable", "without a workbook"),
    "empty archive": (lambda: zipped({}), "unreadable", "empty zip"),
    "bomb by ratio": (lambda: _bomb(3_000_000), "too_large", "200 times its size"),
    "many parts": (_many_parts, "too_large", "10,001 parts"),
}
"""Bytes, the state they give, and words of the line."""


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_no_workbook_gives_one_clear_line(name: str) -> None:
    """The state, what is wrong, and what to do about it, in one line."""
    make, state, says = REFUSALS[name]

    with pytest.raises(Refused) as refusal:
        open_grids(document(make()), SETTINGS)

    _check_refusal(refusal.value, state, says)


def test_the_limits_count_what_really_inflates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts and the whole are measured on inflated bytes; incompressible data obeys them too."""
    noise = random.Random(4).randbytes(300_000)
    monkeypatch.setattr(package, "MAX_PART_BYTES", 200_000)
    with pytest.raises(Refused, match="unpacks to more than"):
        open_grids(document(workbook({"xl/media/a.png": noise})), SETTINGS)

    monkeypatch.setattr(package, "MAX_PART_BYTES", 400_000)
    monkeypatch.setattr(package, "MAX_TOTAL_BYTES", 500_000)
    with pytest.raises(Refused, match="the file unpacks to more than"):
        open_grids(document(workbook({"xl/media/a.png": noise, "xl/media/b.png": noise})), SETTINGS)


def test_what_is_held_whole_is_small_what_streams_may_be_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stylesheet is held as a tree and obeys a limit of its own; without it the sheet is still read."""
    monkeypatch.setattr(package, "MAX_TREE_BYTES", 1_000)
    [grid] = open_grids(document(workbook()), SETTINGS)

    assert grid.cells[2][2].text == "189"
    assert grid.notes[0].startswith("mended: xl/styles.xml is broken")


def test_a_damaged_picture_harms_nobody_a_damaged_sheet_is_named() -> None:
    """A part that does not inflate matters only to who needs it."""
    parts = {**parts_of(OPENING / "blank"), "xl/media/a.png": b"picture" * 50}
    content = zipped(parts, zipfile.ZIP_STORED)
    sheet = parts["xl/worksheets/sheet1.xml"]

    assert open_grids(document(content.replace(b"picture", b"PICTURE", 1)), SETTINGS)[0].cells
    with pytest.raises(Refused, match=r"sheet1\.xml is damaged"):
        open_grids(document(content.replace(sheet, sheet[:-3] + b"!!!")), SETTINGS)


def test_entities_are_refused_by_the_library_too() -> None:
    """openpyxl parses with defusedxml, which is a dependency of the house for that."""
    assert openpyxl.DEFUSEDXML is True


def test_document_types_are_found_in_every_encoding() -> None:
    """UTF-16 hides nothing."""
    text = (OPENING / "blank/xl/worksheets/sheet1.xml").read_text(encoding="utf-8")
    evil = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!ENTITY b "c">]>' + text

    for encoding in ("utf-16", "utf-16-le"):
        with pytest.raises(Refused, match=r"document type|could not be read"):
            open_grids(document(workbook({"xl/worksheets/sheet1.xml": evil.encode(encoding)})), SETTINGS)


def test_old_workbooks_are_read_for_their_values() -> None:
    """An .xls file is read whatever its name says; a note tells what it cannot show."""
    [grid] = open_grids(document(old_workbook([["River", "Length"], ["Ganga", 2525.0]])), SETTINGS)

    assert _seen(grid)["cells"] == {"A1": "River", "B1": "Length", "A2": "Ganga", "B2": "2525"}
    assert (grid.name, grid.cells[2][2].kind) == ("Rivers", "number")
    assert grid.notes[0].startswith("legacy: values of a .xls workbook")


ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="Rivers"><table:table-row>'
    '<table:table-cell office:value-type="string"><text:p>Ganga</text:p></table:table-cell>'
    '<table:table-cell office:value-type="float" office:value="2525"/>'
    '<table:table-cell office:value-type="date" office:date-value="1977-08-10"/>'
    "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"
)


def _ods(manifest: bytes = b"") -> bytes:
    parts = {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": ODS.encode()}
    return zipped({**parts, "META-INF/manifest.xml": manifest or b"<manifest/>"}, zipfile.ZIP_STORED)


def test_open_documents_are_read_for_their_values() -> None:
    """An .ods file gives texts, numbers and dates in words; an encrypted one says so."""
    [grid] = open_grids(document(_ods()), SETTINGS)

    assert _seen(grid)["cells"] == {"A1": "Ganga", "B1": "2525", "C1": "10 August 1977"}
    with pytest.raises(Refused) as refusal:
        open_grids(document(_ods(b"<manifest:encryption-data/>")), SETTINGS)
    assert refusal.value.state == "password_protected"


@pytest.mark.parametrize(
    ("child", "state", "says"),
    [
        ('print("{\\"refused\\": \\"missing\\"}")', "unreadable", "notes-pipeline[legacy]"),
        ("import os; os.abort()", "unreadable", "gave up"),
        ("import time; time.sleep(60)", "too_large", "longer than"),
        ("raise MemoryError", "unreadable", "gave up"),
    ],
)
def test_a_child_that_fails_takes_nobody_along(
    child: str, state: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Absent extra, abort, endless reading, no memory: each is one refusal."""
    script = tmp_path / "child.py"
    script.write_text(child, encoding="utf-8")
    monkeypatch.setattr(legacy, "_CHILD", script)
    monkeypatch.setattr(legacy, "TIMEOUT_SECONDS", 1)

    with pytest.raises(Refused) as refusal:
        open_grids(document(old_workbook([["River"]])), SETTINGS)

    _check_refusal(refusal.value, state, says)


def test_the_child_bounds_its_memory_and_its_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many cells are a state of the sheet; where memory ends, the child gives up alone."""
    book = document(old_workbook([["River", "Length"], ["Ganga", 2525.0]]))
    assert open_grids(book, Settings(excel=Excel(max_cells=3)))[0].state == "too_large"

    script = tmp_path / "child.py"
    folder = str(Path(legacy.__file__).parent)
    script.write_text(
        f"import sys; sys.path.append({folder!r}); import legacy_child\n"
        "legacy_child._bound_memory(int(sys.argv[1]))\n"
        "bytearray(400_000_000)\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(legacy, "_CHILD", script)
    monkeypatch.setattr(legacy, "MEMORY_BYTES", 200_000_000)
    with pytest.raises(Refused, match="gave up"):
        open_grids(book, SETTINGS)


DELIMITED = json.loads((OPENING.parent / "delimited.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", DELIMITED, ids=lambda case: case["why"])
def test_delimited_texts_are_one_grid(case: dict[str, Any]) -> None:
    """Each case says in its ``why`` what is true of it."""
    [grid] = open_grids(document(text=case["text"], name=case.get("name", "notes.csv")), SETTINGS)

    assert (grid.name, grid.state) == ("notes", "visible")
    _check(grid, {key: case[key] for key in ("cells", "kinds", "notes", "errors") if key in case})


def test_a_delimited_text_over_the_limit_is_too_large() -> None:
    """The limit is that of a sheet."""
    [grid] = open_grids(document(text="1,2\n3,4\n", name="a.csv"), Settings(excel=Excel(max_cells=3)))

    assert (grid.state, grid.cells) == ("too_large", {})


@given(
    st.lists(st.lists(st.text(), min_size=2, max_size=4), min_size=1, max_size=6), st.sampled_from(",;\t|")
)
def test_what_a_writer_quotes_comes_back(rows: list[list[str]], delimiter: str) -> None:
    """Fields written by the rules are read as they were, but for blanks at their ends."""
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
    [grid] = open_grids(document(text=f"sep={delimiter}\n{stream.getvalue()}", name="a.csv"), SETTINGS)
    fields = {
        (number, column): re.sub("\r\n?", "\n", field).strip()
        for number, row in enumerate(rows, 1)
        for column, field in enumerate(row, 1)
    }

    assert {(cell.row, cell.column): cell.text for row in grid.cells.values() for cell in row.values()} == {
        place: field for place, field in fields.items() if field
    }


@given(st.text(alphabet=st.sampled_from('a1,;\t|"\n\r =#é'), max_size=60))
def test_no_character_of_a_delimited_text_is_lost(text: str) -> None:
    """However torn: every letter and digit of the text is in a cell."""
    [grid] = open_grids(document(text=text, name="a.csv"), SETTINGS)
    shown = "".join(cell.text for row in grid.cells.values() for cell in row.values())

    assert sorted(filter(str.isalnum, shown)) == sorted(filter(str.isalnum, text))


@given(st.randoms(use_true_random=False), st.integers(min_value=1, max_value=12))
@settings(max_examples=150)
def test_whatever_the_bytes_there_are_grids_or_one_line(chance: random.Random, count: int) -> None:
    """A part with bytes changed, cut or doubled gives sheets in known states, or one refusal."""
    parts = parts_of(OPENING / "blank")
    name = chance.choice(sorted(parts))
    data = bytearray(parts[name])
    for _ in range(count):
        at = chance.randrange(len(data) + 1)
        data[at : at + chance.randrange(9)] = chance.choice(
            (
                b"",
                b"<",
                b'"',
                b"99999999999",
                b"\0",
                b"&x;",
                b"<!DOCTYPE a>",
                b"\xff",
                bytes(data[at : at + 30]),
            )
        )
    try:
        grids = open_grids(document(zipped({**parts, name: bytes(data)})), SETTINGS)
    except Refused as refused:
        _check_refusal(refused, refused.state)
        return

    for grid in grids:
        assert grid.state in GRID_STATES
        for number, row in grid.cells.items():
            for column, cell in row.items():
                assert (cell.row, cell.column) == (number, column)
                assert cell.text == cell.text.strip() != ""
                assert cell.kind in CELL_KINDS
