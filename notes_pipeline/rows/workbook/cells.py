"""Raw cells as shown ones: each value through the number format of its style.

Belongs here: what is text, number, date, error to the eye, and what a format hides.
Stays out: XML (sheet_xml), formats (formats), the sheet around the cells (worksheet).
"""

from __future__ import annotations

from collections.abc import Iterator

from openpyxl.utils import get_column_letter

from notes_pipeline.rows.shown.formats import NO_DATE, is_date_format, show
from notes_pipeline.rows.shown.sections import HIJRI
from notes_pipeline.rows.workbook.grid import GridCell
from notes_pipeline.rows.workbook.ooxml import Workbook
from notes_pipeline.rows.workbook.sheet_xml import RawCell
from notes_pipeline.rows.workbook.spill import Cells
from notes_pipeline.rows.workbook.styles import PLAIN, Style

_MOST_NOTED = 100_000
_KINDS = {"s": "text", "n": "number", "b": "bool", "e": "error", "d": "date"}


class CellViewer:
    """Shows the cells of one sheet, and remembers which of them show nothing or an error."""

    def __init__(self, workbook: Workbook) -> None:
        self._styles = workbook.styles
        self._date1904 = workbook.date1904
        self._is_date: dict[str, bool] = {}
        self.errors: list[str] = []
        self.hidden_by_format: list[str] = []
        self.hijri: list[str] = []
        """Dates that the spreadsheet shows in the Hijri calendar."""

    def take(self, raw: Iterator[RawCell], limit: int) -> Cells | None:
        """Cells by row and column; None as soon as there are more than ``limit``."""
        cells: Cells = {}
        count = 0
        for cell in raw:
            shown = self._show(cell)
            if shown is None:
                continue
            count += 1
            if count > limit:
                return None
            cells.setdefault(cell.row, {})[cell.column] = shown
        return cells

    def _show(self, cell: RawCell) -> GridCell | None:
        row, column, value, kind, number, total = cell
        style = self._styles[number] if 0 <= number < len(self._styles) else PLAIN
        code, bold, filled, struck = style
        if kind == "s":
            text, struck = value.text, struck or value.struck
            if not text:
                return None
            if code != "General":
                text = show(text, code)
        elif kind == "e":
            text = str(value)
            self.errors.append(_ref(row, column))
        else:
            text = show(value, code, date1904=self._date1904)
            if text == NO_DATE:
                kind = "e"
                self.errors.append(_ref(row, column))
            elif "2" in code and kind == "n" and HIJRI.search(code):
                self.hijri.append(_ref(row, column))
        if not text:
            if len(self.hidden_by_format) < _MOST_NOTED:
                self.hidden_by_format.append(_ref(row, column))
            return None
        return GridCell(row, column, text, self._kind(kind, style, total), bold, filled, "", struck)

    def _kind(self, kind: str, style: Style, total: bool) -> str:
        if kind != "n":
            return _KINDS.get(kind, "text")
        code = style.number_format
        if code not in self._is_date:
            self._is_date[code] = is_date_format(code)
        if self._is_date[code]:
            return "date"
        return "formula" if total else "number"


def _ref(row: int, column: int) -> str:
    return f"{get_column_letter(column)}{row}"
