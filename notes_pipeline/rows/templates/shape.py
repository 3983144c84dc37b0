"""A table seen through its rows: columns in order, where it stands, and the plan it is read by.

Belongs here: what later stages must know of a table, worked out from ``Row`` records alone.
Stays out: patterns and precedence (match), what a plan holds (plan).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from openpyxl.utils import range_boundaries
from openpyxl.utils.cell import column_index_from_string, coordinate_from_string

from notes_pipeline.records import Cell, Row
from notes_pipeline.rows.names import is_numeric
from notes_pipeline.rows.templates import match
from notes_pipeline.rows.templates.plan import Plan, plan_of
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.rows.templates.schema import TableOptions

MOST_FIELDS = 60
"""A table on its side has a row a field: more than this are records."""
OUTSIDE = -1
"""The table index of rows outside every table."""


def tables_in(rows: Iterable[Row]) -> list[list[Row]]:
    """The rows of each table of each sheet, in their order; rows outside tables are groups of their own."""
    return [list(group) for _, group in groupby(rows, key=lambda row: (row.sheet, row.table_index))]


def columns_of(rows: Sequence[Row]) -> list[str]:
    """The names of a table's columns in their order, those without a single value included."""
    places: dict[str, tuple[int, int]] = {}
    for row in rows:
        if row.kind in ("header", "data"):
            for cell in row.cells:
                if cell.column not in places:
                    places[cell.column] = place(cell.ref)
    across = 0 if is_turned(rows) else 1
    return sorted(places, key=lambda name: places[name][across])


def is_turned(rows: Sequence[Row]) -> bool:
    """Whether the table was read by columns: its header's cells stand in one column of the sheet."""
    for row in rows:
        if row.kind == "header" and len(row.cells) > 1:
            return len({coordinate_from_string(cell.ref)[0] for cell in row.cells}) == 1
    return False


def plan_for(registry: Registry, rows: Sequence[Row], entity: str) -> Plan:
    """The plan for the table of these rows: the best template that fits it and whose options hold of it."""
    columns = columns_of(rows)
    fitting = []
    if rows and registry.templates:
        source_path, sheet = rows[0].source_path, rows[0].sheet
        for template in match.candidates(registry.templates, source_path, sheet, columns):
            if holds(template.spec.table, rows):
                fitting.append(template)
    return plan_of(columns, fitting[0] if fitting else None, fitting[1] if len(fitting) > 1 else None, entity)


def holds(options: TableOptions, rows: Sequence[Row]) -> bool:
    """Whether the table stands where the options say, and lies the way they say."""
    if not options.explicit:
        return not is_turned(rows)
    if (options.orientation == "columns") != is_turned(rows):
        return False
    if options.header_rows and not set(options.header_rows) <= _header_numbers(rows):
        return False
    if options.range == "auto":
        return True
    left, top, right, bottom = range_boundaries(options.range)
    places = (place(cell.ref) for row in rows if row.kind != "hidden" for cell in row.cells)
    return all(
        (top or 1) <= row <= (bottom or row) and (left or 1) <= column <= (right or column)
        for row, column in places
    )


def place(ref: str) -> tuple[int, int]:
    """Row and column of a reference: ``C7`` is (7, 3)."""
    letters, row = coordinate_from_string(ref)
    return row, column_index_from_string(letters)


def _header_numbers(rows: Sequence[Row]) -> set[int]:
    return {row.row_number for row in rows if row.kind == "header"}


def looks_turned(rows: Sequence[Row]) -> bool:
    """Whether field names seem to stand in the first column: short text there, mixed kinds in the others.

    Only a hint for ``orientation: columns``; nothing is turned by itself.
    """
    data = [row for row in rows if row.kind == "data"]
    if not 3 <= len(data) <= MOST_FIELDS:
        return False
    columns = columns_of(rows)
    if not 2 <= len(columns) <= 8:
        return False
    firsts = [cell for row in data for cell in row.cells[:1]]
    if any(cell.column != columns[0] or is_numeric(cell.value) or len(cell.value) > 30 for cell in firsts):
        return False
    return all(
        _is_mixed([cell for row in data for cell in row.cells if cell.column == c]) for c in columns[1:]
    )


def _is_mixed(cells: Sequence[Cell]) -> bool:
    numbers = sum(is_numeric(cell.value) for cell in cells)
    return 0 < numbers < len(cells)
