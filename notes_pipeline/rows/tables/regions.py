"""Where the tables of a sheet may lie: its cells cut into regions, before any header is known for sure.

Belongs here: named tables, and the order in which the rest is cut.
Stays out: where a border runs (side_by_side, stacked) and what the lines of a region mean (table, structure).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from notes_pipeline.rows.names import is_generic_sheet, label
from notes_pipeline.rows.tables import header
from notes_pipeline.rows.tables.region import Line, Region, lines_of, within
from notes_pipeline.rows.tables.side_by_side import by_columns, shared_title
from notes_pipeline.rows.tables.stacked import GAP_ROWS, by_rows, by_titles
from notes_pipeline.rows.workbook.grid import Grid, GridCell, NamedRange

_DEPTH = 3
"""Cuts alternate between columns and rows; real sheets need two."""


def regions_of(grid: Grid, cells: dict[int, dict[int, GridCell]]) -> list[Region]:
    """The regions of ``cells`` (those of the grid that are looked at), named tables first, then downwards."""
    hints = _hints(grid)
    found = []
    rest = _outside(cells, grid.tables)
    for table in grid.tables:
        titles = _titles_over(table, rest)
        region = _named(table, cells, titles)
        if region:
            found.append(region)
            rest = {number: row for number, row in rest.items() if number not in {t.number for t in titles}}
    for lines, title in _cut(lines_of(rest), grid.hidden_columns, _DEPTH):
        found.append(Region(tuple(lines), title, hinted=hints))
    return found


def _hints(grid: Grid) -> tuple[int, ...]:
    filtered = (grid.autofilter[0],) if grid.autofilter else ()
    frozen = (grid.freeze_row,) if 0 < grid.freeze_row <= header.CANDIDATES else ()
    return filtered + frozen


def _titles_over(table: NamedRange, rest: dict[int, dict[int, GridCell]]) -> list[Line]:
    """Lone lines right above a named table, over its columns and no further than an empty row apart."""
    above = [line for line in lines_of(rest) if line.number < table.min_row]
    titles: list[Line] = []
    last = table.min_row
    for line in reversed(above):
        over = all(table.min_column <= column <= table.max_column for column in line.cells)
        if not (line.lone and over and last - line.number <= GAP_ROWS):
            break
        titles.append(line)
        last = line.number
    return titles[::-1]


def _named(table: NamedRange, cells: dict[int, dict[int, GridCell]], titles: Sequence[Line]) -> Region | None:
    lines = lines_of(cells, (table.min_row, table.min_column, table.max_row, table.max_column))
    if not lines:
        return None
    name = "" if is_generic_sheet(table.name) else label(table.name)
    return Region((*titles, *lines), name, table.header_rows, above=len(titles), total_rows=table.total_rows)


def _outside(
    cells: dict[int, dict[int, GridCell]], tables: Sequence[NamedRange]
) -> dict[int, dict[int, GridCell]]:
    if not tables:
        return cells

    def free(row: int, column: int) -> bool:
        return not any(
            t.min_row <= row <= t.max_row and t.min_column <= column <= t.max_column for t in tables
        )

    kept = {number: {c: cell for c, cell in row.items() if free(number, c)} for number, row in cells.items()}
    return {number: row for number, row in kept.items() if row}


def _cut(
    lines: list[Line], hidden: frozenset[int], depth: int, title: str = ""
) -> Iterator[tuple[list[Line], str]]:
    if not lines:
        return
    if depth == 0:
        for multiple in by_titles(lines):
            yield multiple, title
        return
    parts = by_columns(lines, hidden)
    if len(parts) == 1:
        blocks = by_rows(lines)
        if len(blocks) == 1:
            for multiple in by_titles(lines):
                yield multiple, title
            return
        for block in blocks:
            yield from _cut(block, hidden, depth - 1, title)
        return
    shared = shared_title(lines, parts) or title
    for columns in parts:
        yield from _cut(within(lines, columns), hidden, depth - 1, shared)
