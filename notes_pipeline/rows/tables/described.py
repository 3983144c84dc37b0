"""Tables a template describes instead of having them found: its range, header row, orientation.

Belongs here: reading a sheet the way one template says. Stays out: which template may (match, workbook).
"""

from __future__ import annotations

from openpyxl.utils import range_boundaries

from notes_pipeline.rows.tables.region import Line, Region, lines_of
from notes_pipeline.rows.tables.sight import Cells
from notes_pipeline.rows.tables.table import Table, headed, table_of
from notes_pipeline.rows.templates.schema import TableOptions
from notes_pipeline.rows.workbook.grid import GridCell, Range


def described_table(cells: Cells, options: TableOptions, name: str) -> tuple[Table, Range] | None:
    """The table as ``options`` describe it and the range it takes, or None where nothing stands there."""
    box = _box(cells, options)
    if box is None:
        return None
    transposed = options.orientation == "columns"
    inside = _turned(_inside(cells, box)) if transposed else _inside(cells, box)
    lines = lines_of(inside)
    if len(lines) < 2:
        return None
    table = _table(lines, options, f"as template {name!r} says", transposed=transposed)
    return (table, box) if table else None


def _table(lines: list[Line], options: TableOptions, why: str, *, transposed: bool) -> Table | None:
    region = Region(tuple(lines))
    given = options.header_rows
    if transposed and given is None:
        return headed(region, 0, 0, f"the first column, {why}")
    if given is None:
        found = table_of(region)
        return found if found and found.header else headed(region, 0, 0, f"row {lines[0].number}, {why}")
    places = [place for place, line in enumerate(lines) if given[0] <= line.number <= given[1]]
    if not places or places[-1] + 1 >= len(lines):
        return None
    return headed(region, places[0], places[-1], f"row {given[0]}, {why}")


def _box(cells: Cells, options: TableOptions) -> Range | None:
    if options.range != "auto":
        left, top, right, bottom = range_boundaries(options.range)
        return (top or 1, left or 1, bottom or max(cells, default=1), right or 16384)
    if not cells:
        return None
    columns = [column for row in cells.values() for column in row]
    return (min(cells), min(columns), max(cells), max(columns))


def _inside(cells: Cells, box: Range) -> Cells:
    top, left, bottom, right = box
    cut = {
        number: {c: cell for c, cell in row.items() if left <= c <= right}
        for number, row in cells.items()
        if top <= number <= bottom
    }
    return {number: row for number, row in cut.items() if row}


def _turned(cells: Cells) -> Cells:
    """Rows for columns; each cell keeps its true place in the sheet."""
    turned: dict[int, dict[int, GridCell]] = {}
    for number, row in cells.items():
        for column, cell in row.items():
            turned.setdefault(column, {})[number] = cell
    return {column: turned[column] for column in sorted(turned)}
