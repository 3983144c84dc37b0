"""Rows whose sentence says too little: hardly a value, or values without column names.

Belongs here: rules about chunks made of rows; they look at the row's cells, not at its sentence.
"""

from __future__ import annotations

import re

from notes_pipeline.flags.view import View
from notes_pipeline.records import Cell, Finding, Row
from notes_pipeline.rows.names import is_moment, is_name, is_numeric
from notes_pipeline.rows.tables.entity import KEY
from notes_pipeline.words import count_words

_NAMELESS = re.compile(r"Column [A-Z]{1,3}(?: \d+)?")
LETTERS = 3
"""Letters a name has at least; two in scripts whose words are shorter."""


def _row(view: View) -> Row | None:
    sheet, number = view.chunk.sheet, view.chunk.row_number
    return None if sheet is None or number is None else view.around.row_at.get((sheet, number))


def few_values(view: View) -> list[Finding]:
    """The cells hold too few words for a fact; labels alone do not make one."""
    row = _row(view)
    if row is None or view.chunk.part not in (None, 0) or _is_fact(row) or _dated(row):
        return []
    found = sum(count_words(cell.value) for cell in row.cells)
    if found < view.around.settings.excel.min_value_words:
        note = f"its cells hold {found} {'word' if found == 1 else 'words'} beside the labels"
        return [Finding("few_values", 0, len(view.text), note)]
    return []


def _is_fact(row: Row) -> bool:
    """As in "Volga | 3790" and "Portugal | Lisbon": what is told of a name, few as the words are."""
    cells = [cell for cell in row.cells if not KEY.search(cell.column.casefold())]
    names = [cell for cell in cells if _is_name(cell.value)]
    if row.entity:
        names = [cell for cell in names if cell.column == row.entity]
    return any(_tells(cell) for name in names for cell in cells if cell is not name)


def _tells(cell: Cell) -> bool:
    """A name, a number or a date; no yes or no, no code."""
    return _is_name(cell.value) or is_numeric(cell.value) or is_moment(cell.value) or cell.value[:1].isdigit()


def _is_name(value: str) -> bool:
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    least = LETTERS if value.isascii() else LETTERS - 1
    return letters >= max(least, 2 * digits) and is_name(value)


def _dated(row: Row) -> bool:
    """As in "1995 | 130" under a title: what a year or a day is the name of, few as the words are."""
    named = any(cell.column == row.entity and cell.value[:1].isdigit() for cell in row.cells)
    return named and bool(row.table_title) and len(row.cells) > 1


def headerless_values(view: View) -> list[Finding]:
    """Most cells stand under columns that have no name."""
    row = _row(view)
    if row is None or row.kind != "data" or len(row.cells) < 2:
        return []
    nameless = sum(bool(_NAMELESS.fullmatch(cell.column)) for cell in row.cells)
    if nameless * 2 > len(row.cells):
        note = f"{nameless} of {len(row.cells)} values stand under columns without a name"
        return [Finding("headerless_values", 0, len(view.text), note)]
    return []
