"""Rows of a region of a grid as the table finder looks at them.

Belongs here: a line, the region it stands in, and small questions about both.
Stays out: what a line means (header, tables, structure).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from notes_pipeline.rows.workbook.grid import GridCell, Range


@dataclass(eq=False)
class Line:
    """One row of a region: its number in the sheet and its non-empty cells by column."""

    number: int
    cells: dict[int, GridCell]

    @cached_property
    def own(self) -> list[GridCell]:
        """Cells that are not repeated from a merge, left to right."""
        return [cell for cell in self.cells.values() if not cell.spilled]

    @cached_property
    def apart(self) -> list[GridCell]:
        """Cells a reader sees as separate in this row: a merge over several columns counts once."""
        return [cell for column, cell in self.cells.items() if not (cell.spilled and self.goes_on(column))]

    def goes_on(self, column: int) -> bool:
        """Whether the cell is the cell to its left once more: a merge over several columns."""
        cell, left = self.cells[column], self.cells.get(column - 1)
        return cell.spilled and left is not None and left.text == cell.text

    @cached_property
    def text(self) -> str:
        """The line as a reader sees it, cells between bars."""
        return " | ".join(cell.text for cell in self.own) or " | ".join(c.text for c in self.cells.values())

    @property
    def lone(self) -> bool:
        """Only one cell, whatever number of columns it is merged over, and of its own."""
        return len(self.own) == 1 and len(self.apart) == 1


@dataclass(frozen=True)
class Region:
    """A part of a sheet that is looked at as one: non-empty lines in their order."""

    lines: tuple[Line, ...]
    title: str = ""
    """A title found outside it: a row merged over several regions, or the name of a named table."""
    header_rows: int | None = None
    """Rows of header where the workbook itself says so (named tables); None: to be found."""
    above: int = 0
    """Lines of titles that stand before such a header."""
    total_rows: int = 0
    hinted: tuple[int, ...] = ()
    """Row numbers the sheet marks as headers: the filter's row, the last frozen one."""

    @cached_property
    def columns(self) -> list[int]:
        """Columns with a cell in any line, ascending."""
        return sorted({column for line in self.lines for column in line.cells})


def lines_of(cells: dict[int, dict[int, GridCell]], box: Range | None = None) -> list[Line]:
    """Lines with a cell of their own, within ``box``; a row that only continues merges from above is none."""
    result = []
    for number, row in cells.items():
        if box:
            if not box[0] <= number <= box[2]:
                continue
            row = {column: cell for column, cell in row.items() if box[1] <= column <= box[3]}
        if any(not cell.spilled for cell in row.values()):
            result.append(Line(number, row))
    return result


def within(lines: Iterable[Line], columns: Sequence[int]) -> list[Line]:
    """The lines with only the cells in ``columns``; lines left without an own cell are dropped."""
    chosen = set(columns)
    cut = (Line(line.number, {c: cell for c, cell in line.cells.items() if c in chosen}) for line in lines)
    return [line for line in cut if line.own]
