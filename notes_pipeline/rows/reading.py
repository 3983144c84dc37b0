"""A workbook to its sheets and rows: every non-empty row once, with its kind.

Belongs here: the order of things for one sheet, and the records that come of it.
Stays out: sentences and chunks (chunking), every single decision (header, regions, structure, match).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from notes_pipeline.discards import discard
from notes_pipeline.garbage import collector_paused
from notes_pipeline.records import Discard, Document, Row, Sheet
from notes_pipeline.rows.tables.described import described_table
from notes_pipeline.rows.tables.making import RowMaker
from notes_pipeline.rows.tables.region import Region, lines_of
from notes_pipeline.rows.tables.regions import regions_of
from notes_pipeline.rows.tables.sight import Cells, Sight, look
from notes_pipeline.rows.tables.table import Table, header_only, table_of
from notes_pipeline.rows.templates import match
from notes_pipeline.rows.templates.registry import Registry, RowTemplate
from notes_pipeline.rows.templates.shape import OUTSIDE, is_turned, looks_turned, tables_in
from notes_pipeline.rows.workbook.grid import Grid, Range
from notes_pipeline.rows.workbook.opening import open_grids
from notes_pipeline.rows.workbook.refusal import Refused
from notes_pipeline.settings import Settings

_PIVOT_LABELS = frozenset(
    ("row labels", "column labels", "grand total", "zeilenbeschriftungen", "gesamtergebnis")
)


class Workbook(NamedTuple):
    """What was found in one file; ``discards`` hold its refusal where it could not be read."""

    sheets: tuple[Sheet, ...]
    rows: tuple[Row, ...]
    discards: tuple[Discard, ...]


@dataclass
class _Found:
    """The tables of one sheet, and the regions that hold none."""

    tables: list[Table]
    loose: list[Region]
    headers: list[Region]
    """Regions that are a header with nothing below."""


def read(document: Document, settings: Settings, registry: Registry) -> Workbook:
    """The sheets and rows of a workbook; never raises for a bad file: its refusal is a discard."""
    with collector_paused():
        try:
            grids = open_grids(document, settings)
        except Refused as refusal:
            lost = discard(document.source_path, document.notebook, refusal.state, str(refusal))
            return Workbook((), (), (lost,))
        return read_grids(document, grids, settings, registry)


def read_grids(document: Document, grids: Iterable[Grid], settings: Settings, registry: Registry) -> Workbook:
    """The same from grids that are already open."""
    hidden = (registry.hidden or settings.excel.hidden) == "read"
    sheets, rows = [], []
    for grid in grids:
        sheet, found = _read_sheet(document, grid, registry, hidden=hidden)
        sheets.append(sheet)
        rows.extend(found)
    return Workbook(tuple(sheets), tuple(rows), ())


def _read_sheet(
    document: Document, grid: Grid, registry: Registry, *, hidden: bool
) -> tuple[Sheet, list[Row]]:
    maker = RowMaker(document, grid.name)
    if grid.state in ("chart", "too_large"):
        return _sheet(document, grid, grid.state, notes=grid.notes), []
    if grid.state != "visible" and not hidden:
        rows = maker.loose(lines_of(grid.cells), "hidden", f"the sheet is {grid.state.replace('_', ' ')}")
        notes = (f"hidden_rows: {len(rows)}", *grid.notes)
        return _sheet(document, grid, "hidden", notes=notes), rows
    sight = look(grid, hidden=hidden)
    if not grid.cells:
        return _sheet(document, grid, "empty", notes=(*sight.notes(), *grid.notes)), []
    if grid.pivot or _looks_pivoted(sight.cells):
        rows = maker.loose(lines_of(grid.cells), "pivot", "a pivot table repeats what its source says")
        return _sheet(document, grid, "pivot", notes=(f"pivot_rows: {len(rows)}", *grid.notes)), rows
    found = _tables(document, grid, sight.cells, registry)
    rows = _rows(maker, found, sight, document, registry)
    return _described_sheet(document, grid, found, rows, maker, sight), rows


def _looks_pivoted(cells: Cells) -> bool:
    firsts = list(cells)[:12]
    return any(
        cell.text.casefold() in _PIVOT_LABELS - {"grand total"}
        for row in firsts
        for cell in cells[row].values()
    )


# --- tables -------------------------------------------------------------------------------------


def _tables(document: Document, grid: Grid, cells: Cells, registry: Registry) -> _Found:
    described, rest = _described(document, grid, cells, registry)
    found = _Found(described, [], [])
    for region in regions_of(grid, rest):
        table = table_of(region)
        if table:
            found.tables.append(table)
        elif header_only(region):
            found.headers.append(region)
        else:
            found.loose.append(region)
    found.tables.sort(key=lambda table: (table.first_row, min(table.columns)))
    return found


def _described(document: Document, grid: Grid, cells: Cells, registry: Registry) -> tuple[list[Table], Cells]:
    """The tables that templates describe, best template first, and the cells they leave."""
    tables: list[Table] = []
    for template in _explicit(document, grid, registry):
        made = described_table(cells, template.spec.table, template.id)
        if made is None:
            continue
        table, box = made
        columns = list(table.columns.values())
        best = match.choose(registry, document.source_path, grid.name, columns).template
        if best is template:
            tables.append(table)
            cells = _without(cells, box)
    return tables, cells


def _explicit(document: Document, grid: Grid, registry: Registry) -> list[RowTemplate]:
    named = [
        template
        for template in registry.templates
        if template.spec.table.explicit and match.names_place(template, document.source_path, grid.name)
    ]
    return sorted(named, key=lambda template: match.rank(template, ()), reverse=True)


def _without(cells: Cells, box: Range) -> Cells:
    top, left, bottom, right = box
    kept = {
        number: row
        if not top <= number <= bottom
        else {c: cell for c, cell in row.items() if not left <= c <= right}
        for number, row in cells.items()
    }
    return {number: row for number, row in kept.items() if row}


# --- rows ---------------------------------------------------------------------------------------


def _rows(maker: RowMaker, found: _Found, sight: Sight, document: Document, registry: Registry) -> list[Row]:
    rows: list[Row] = []
    for index, table in enumerate(found.tables):
        rows.extend(maker.table(index, table, sight, registry))
    for region in found.headers:
        rows.extend(maker.loose(region.lines, "header", "a header with no rows below"))
    kind, why = _loose_kind(found)
    for region in found.loose:
        rows.extend(maker.loose(region.lines, kind, why))
    rows.extend(
        maker.aside(sight.hidden, "hidden", "hidden by hand, by a filter or with its columns", found.tables)
    )
    rows.extend(maker.aside(sight.struck, "struck", "every cell is crossed out", found.tables))
    return rows


def _loose_kind(found: _Found) -> tuple[str, str]:
    if found.tables or found.headers:
        return "outside_table", "stands apart from the sheet's tables"
    return "free_form", "no rows and columns of a table were found in the sheet"


# --- sheets -------------------------------------------------------------------------------------


def _described_sheet(
    document: Document, grid: Grid, found: _Found, rows: Sequence[Row], maker: RowMaker, sight: Sight
) -> Sheet:
    turned = [f"may_be_turned: table {index}" for index in _turned(rows)]
    notes = (*_row_counts(rows), *sight.notes(), *maker.notes(), *turned, *grid.notes)
    if not found.tables:
        state = "header_only" if found.headers else ("free_form" if found.loose else "hidden")
        return _sheet(document, grid, state, notes=notes)
    header = " / ".join(table.explanation for table in found.tables)
    low = any(table.confidence != "high" for table in found.tables)
    return _sheet(
        document, grid, "read", notes, len(found.tables), header=header, confidence="low" if low else "high"
    )


def _turned(rows: Sequence[Row]) -> list[int]:
    """Tables that look as if their field names stood in the first column: for ``orientation: columns``."""
    return [
        table[0].table_index
        for table in tables_in(rows)
        if table[0].table_index != OUTSIDE and not is_turned(table) and looks_turned(table)
    ]


def _row_counts(rows: Sequence[Row]) -> list[str]:
    hidden = sum(row.kind == "hidden" for row in rows)
    struck = sum(row.kind == "struck" for row in rows)
    links = sum(bool(cell.link) for row in rows for cell in row.cells)
    counts = {"hidden_rows": hidden, "struck_rows": struck, "links": links}
    return [f"{name}: {count}" for name, count in counts.items() if count]


def _sheet(
    document: Document,
    grid: Grid,
    state: str,
    notes: Sequence[str] = (),
    tables: int = 0,
    *,
    header: str = "",
    confidence: str = "",
) -> Sheet:
    return Sheet(
        source_path=document.source_path,
        notebook=document.notebook,
        sheet=grid.name,
        sheet_index=grid.index,
        state=state,
        tables=tables,
        header=header,
        confidence=confidence,
        notes=tuple(notes),
    )
