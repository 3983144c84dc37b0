"""A worksheet of a workbook as a grid: cells shown, links and merges laid over them.

Belongs here: from raw cells to ``Grid``. Stays out: XML (sheet_xml), formats (formats), merges (spill).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from openpyxl.utils import get_column_letter

from notes_pipeline.rows.formats import is_date_format, show
from notes_pipeline.rows.grid import Grid, GridCell, NamedRange, Range
from notes_pipeline.rows.package import forbidden
from notes_pipeline.rows.refusal import Refused
from notes_pipeline.rows.sheet_xml import RawCell, SheetParser, SheetSettings, parse_range
from notes_pipeline.rows.spill import Cells, spill
from notes_pipeline.rows.styles import PLAIN, Style
from notes_pipeline.rows.workbook import Relation, SheetEntry, Workbook, relations

_KINDS = {"s": "text", "n": "number", "b": "bool", "e": "error", "d": "date"}


def read_worksheet(workbook: Workbook, entry: SheetEntry, index: int, limit: int) -> Grid:
    """The grid of one sheet; at most ``limit`` cells, else its state says too large."""
    if entry.kind != "worksheet":
        what = f"{entry.kind or 'missing part'}: no cells to read"
        return Grid(entry.name, index, "chart" if entry.kind else entry.state, notes=(what,))
    try:
        parser = SheetParser(workbook.package.events(entry.part), workbook.strings)
        shown = _Shown(workbook)
        cells = shown.take(parser.cells(), limit)
    except DefusedXmlException as error:
        raise forbidden(entry.part) from error
    except (Refused, ParseError) as error:
        return Grid(entry.name, index, entry.state, notes=(f"unreadable: {error}",))
    if cells is None:
        return Grid(entry.name, index, "too_large", notes=(f"too_large: more than {limit:,} cells",))
    return _grid(workbook, entry, index, parser.settings, shown, cells, limit)


class _Shown:
    """Turns raw cells into shown ones, and remembers what showed nothing or an error."""

    def __init__(self, workbook: Workbook) -> None:
        self._styles = workbook.styles
        self._date1904 = workbook.date1904
        self._is_date: dict[str, bool] = {}
        self.errors: list[str] = []
        self.hidden_by_format: list[str] = []

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
        row, column, value, kind, style_number, total = cell
        style = self._styles[style_number] if 0 <= style_number < len(self._styles) else PLAIN
        struck = style.struck
        if kind == "s":
            struck = struck or value.struck
            text = (
                value.text.strip()
                if style.number_format == "General"
                else show(value.text, style.number_format)
            )
            if not text and value.text.strip():
                self.hidden_by_format.append(_ref(row, column))
        elif kind == "e":
            text = str(value)
            self.errors.append(_ref(row, column))
        else:
            text = show(value, style.number_format, date1904=self._date1904)
            if not text:
                self.hidden_by_format.append(_ref(row, column))
        if not text:
            return None
        return GridCell(
            row, column, text, self._kind(kind, style, total), style.bold, style.filled, "", struck
        )

    def _kind(self, kind: str, style: Style, total: bool) -> str:
        if kind != "n":
            return _KINDS.get(kind, "text")
        code = style.number_format
        if code not in self._is_date:
            self._is_date[code] = is_date_format(code)
        if self._is_date[code]:
            return "date"
        return "formula" if total else "number"


def _grid(
    workbook: Workbook,
    entry: SheetEntry,
    index: int,
    settings: SheetSettings,
    shown: _Shown,
    cells: Cells,
    limit: int,
) -> Grid:
    related = relations(workbook.package, entry.part)
    _link(cells, settings, related)
    cells, notes = spill(cells, settings.merges, limit)
    used = {column for row in cells.values() for column in row}
    return Grid(
        entry.name,
        index,
        entry.state,
        cells,
        tuple(settings.merges),
        frozenset(settings.hidden_rows & cells.keys()),
        frozenset(column for column in used if _is_in(column, settings.hidden_columns)),
        _tables(workbook, related),
        settings.autofilter,
        settings.freeze_row,
        any(relation.kind == "pivotTable" for relation in related.values()),
        tuple(settings.formulas_without_value),
        tuple(shown.errors),
        (*notes, *_notes(workbook, settings, shown, related)),
    )


def _is_in(column: int, runs: Sequence[tuple[int, int]]) -> bool:
    return any(first <= column <= last for first, last in runs)


def _notes(
    workbook: Workbook, settings: SheetSettings, shown: _Shown, related: dict[str, Relation]
) -> Iterator[str]:
    if settings.broken:
        yield f"broken: the sheet could not be read {settings.broken}"
    if settings.unreadable_cells:
        yield f"unreadable_cells: {_listed(settings.unreadable_cells)}"
    if shown.hidden_by_format:
        yield f"hidden_by_format: {_listed(shown.hidden_by_format)}"
    for relation in related.values():
        if not relation.external and relation.target not in workbook.package:
            yield f"mended: missing part {relation.target}"


def _listed(refs: Sequence[str], most: int = 20) -> str:
    rest = f" and {len(refs) - most} more" if len(refs) > most else ""
    return ", ".join(refs[:most]) + rest


def _link(cells: Cells, settings: SheetSettings, related: dict[str, Relation]) -> None:
    for link in settings.links:
        relation = related.get(link.relation)
        target = (relation.target if relation else "") + (f"#{link.location}" if link.location else "")
        if target:
            for row, column in _cells_in(cells, link.area):
                cells[row][column] = cells[row][column]._replace(hyperlink=target)


def _cells_in(cells: Cells, area: Range) -> list[tuple[int, int]]:
    top, left, bottom, right = area
    rows = range(top, bottom + 1) if bottom - top < len(cells) else list(cells)
    return [
        (row, column)
        for row in rows
        if top <= row <= bottom and row in cells
        for column in cells[row]
        if left <= column <= right
    ]


def _tables(workbook: Workbook, related: dict[str, Relation]) -> tuple[NamedRange, ...]:
    found = []
    for relation in related.values():
        if relation.kind != "table" or relation.target not in workbook.package:
            continue
        try:
            root = workbook.package.tree(relation.target)
        except (ParseError, Refused):
            continue
        area = parse_range(root.get("ref", ""))
        if area:
            name = root.get("displayName") or root.get("name") or ""
            found.append(
                NamedRange(
                    name, *area, _count(root.get("headerRowCount"), 1), _count(root.get("totalsRowCount"), 0)
                )
            )
    return tuple(sorted(found, key=lambda table: table[1:5]))


def _count(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 4 else default


def _ref(row: int, column: int) -> str:
    return f"{get_column_letter(column)}{row}"
