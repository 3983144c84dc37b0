"""A sheet as its reader sees it: shown texts by row and column, and what lies around them.

Belongs here: what a grid *is*. Stays out: how it is read (opening, package, sheet_xml, legacy,
delimited) and what its rows mean (tables).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class GridCell(NamedTuple):
    """One non-empty cell; places are 1-based."""

    row: int
    column: int
    text: str
    """As shown, blanks at its ends removed; never empty."""
    kind: str
    """One of ``CELL_KINDS``."""
    bold: bool = False
    filled: bool = False
    hyperlink: str = ""
    """Target of the cell's link, or empty."""
    struck: bool = False
    """Shown crossed out, whole."""
    spilled: bool = False
    """Repeated from the top-left cell of a merge."""


CELL_KINDS = (
    "text",
    "number",
    "date",  # dates, times and durations
    "bool",
    "error",  # #REF! and the like: the reader sees it, no chunk may hold it
    "formula",  # a number that SUM, SUBTOTAL or AGGREGATE made; other formulas have the kind of their value
)

ERROR_VALUES = ("#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#N/A", "#NULL!", "#SPILL!", "#CALC!")
"""What a cell shows instead of a value."""

GRID_STATES = ("visible", "hidden", "very_hidden", "chart", "too_large")

Range = tuple[int, int, int, int]
"""First row, first column, last row, last column; 1-based, inclusive."""


class NamedRange(NamedTuple):
    """A table the author of the workbook named (a ListObject)."""

    name: str
    min_row: int
    min_column: int
    max_row: int
    max_column: int
    header_rows: int = 1
    """0 where the author switched the header off."""
    total_rows: int = 0


@dataclass(frozen=True, slots=True)
class Grid:
    """One sheet; ``cells`` holds non-empty cells only, so a lone cell far away costs nothing."""

    name: str
    index: int
    """Place among the sheets of the workbook, from 0."""
    state: str = "visible"
    """One of ``GRID_STATES``; a ``chart`` or ``too_large`` sheet has no cells."""
    cells: dict[int, dict[int, GridCell]] = field(default_factory=dict)
    """Row to column to cell, both ascending."""
    merges: tuple[Range, ...] = ()
    hidden_rows: frozenset[int] = frozenset()
    """Rows with cells that are hidden, by hand or by a filter."""
    hidden_columns: frozenset[int] = frozenset()
    """Columns with cells that are hidden."""
    tables: tuple[NamedRange, ...] = ()
    autofilter: Range | None = None
    freeze_row: int = 0
    """Rows frozen at the top."""
    pivot: bool = False
    formulas_without_value: tuple[str, ...] = ()
    """Cells whose formula was never calculated: there is nothing to show."""
    errors: tuple[str, ...] = ()
    """Cells that show an error."""
    notes: tuple[str, ...] = ()
    """What was mended or left out, as ``code: detail``."""
