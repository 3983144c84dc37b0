"""Workbooks from a description a person can read: one line a row, bars between the cells.

Belongs here: the spelling of cells and what lies around them. ``12`` is a number, ``'12`` a text,
``2024-05-03`` a date, ``**Name**`` bold, ``~~old~~`` crossed out, ``=A1+1`` a formula without a
stored value, ``#N/A`` an error; an empty line is an empty row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from io import BytesIO
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table
from openpyxl.worksheet.worksheet import Worksheet

from notes_pipeline.records import Document
from notes_pipeline.settings import Settings
from notes_pipeline.sources import document_from_bytes


def workbook_bytes(sheets: Mapping[str, str | Mapping[str, Any]]) -> bytes:
    """The .xlsx of these sheets; each is its rows, or a mapping with ``rows`` and what lies around them."""
    book = Workbook()
    book.remove(book.active)
    for name, described in sheets.items():
        sheet = book.create_sheet(name)
        described = {"rows": described} if isinstance(described, str) else described
        _fill(sheet, _rows(described))
        _surround(sheet, described)
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def workbook_document(
    sheets: Mapping[str, str | Mapping[str, Any]], source_path: str = "Book.xlsx"
) -> Document:
    """The same as the snapshot keeps it."""
    return document_from_bytes(source_path, workbook_bytes(sheets), Settings())


def _rows(described: Mapping[str, Any]) -> str:
    """The rows as written, then ``repeat``ed ones with their number, then a ``tail``."""
    repeat = described.get("repeat", {"count": 0, "row": ""})
    more = "".join(repeat["row"].replace("{n}", str(n)) + "\n" for n in range(1, repeat["count"] + 1))
    return str(described.get("rows", "")) + more + str(described.get("tail", ""))


def _fill(sheet: Worksheet, rows: str) -> None:
    for number, line in enumerate(rows.rstrip("\n").split("\n"), 1):
        for column, text in enumerate(line.split("|"), 1):
            if text.strip():
                _write(sheet.cell(number, column), text.strip())


def _write(cell: Cell, text: str) -> None:
    if match := re.fullmatch(r"\*\*(.+)\*\*", text):
        text, cell.font = match[1], Font(bold=True)
    elif match := re.fullmatch(r"~~(.+)~~", text):
        text, cell.font = match[1], Font(strike=True)
    if re.fullmatch(r"-?\d+", text):
        cell.value = int(text)
    elif re.fullmatch(r"-?\d+\.\d+", text):
        cell.value = float(text)
    elif re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        cell.value = date.fromisoformat(text)
    else:
        cell.value = text.removeprefix("'").replace("\\n", "\n")
    if isinstance(cell.value, date):
        cell.number_format = "d mmmm yyyy"


def _surround(sheet: Worksheet, described: Mapping[str, Any]) -> None:
    for merge in described.get("merges", ()):
        sheet.merge_cells(merge)
    for number in described.get("hidden_rows", ()):
        sheet.row_dimensions[number].hidden = True
    for letter in described.get("hidden_columns", ()):
        sheet.column_dimensions[letter].hidden = True
    for place, link in described.get("links", {}).items():
        sheet[place].hyperlink = link
    for place, value in described.get("far", {}).items():
        sheet[place] = value
    for place, code in described.get("formats", {}).items():
        sheet[place].number_format = code
    for name, place in described.get("tables", {}).items():
        sheet.add_table(Table(displayName=name, ref=place))
    sheet.sheet_state = described.get("state", "visible")
    sheet.freeze_panes = described.get("freeze")
    if "filter" in described:
        sheet.auto_filter.ref = described["filter"]
