"""What of a grid is looked at, and a count of what is not: hidden, crossed out, in error.

Belongs here: the choice of cells before any table is sought. Stays out: tables and rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_from_string

from notes_pipeline.rows.workbook.grid import Grid, GridCell

Cells = dict[int, dict[int, GridCell]]


@dataclass
class Sight:
    """The cells that are looked at, the rows that are set aside, and counts by column letter."""

    cells: Cells
    hidden: Cells = field(default_factory=dict)
    """Rows hidden by hand or by a filter."""
    struck: Cells = field(default_factory=dict)
    """Rows with nothing but crossed-out cells."""
    left_out: dict[str, Counter[str]] = field(default_factory=dict)
    """Reason (``hidden_columns``, ``struck``, ``errors``, ``formulas_without_value``) to letter to cells."""
    missing: dict[int, list[str]] = field(default_factory=dict)
    """Row to remarks on cells that stand in the sheet but not in its row: ``B2 shows an error``."""

    def count(self, reason: str, column: int, cells: int = 1) -> None:
        """Counts cells of a column that are left out."""
        self.left_out.setdefault(reason, Counter())[get_column_letter(column)] += cells

    def notes(self) -> list[str]:
        """The counts as ``reason: B 3, D 1``, columns in their order."""
        return [f"{reason}: {by_column(counts)}" for reason, counts in sorted(self.left_out.items())]


def look(grid: Grid, *, hidden: bool) -> Sight:
    """The cells of ``grid`` that a build reads; ``hidden`` rows and columns only where asked for."""
    sight = Sight({})
    away_rows = frozenset() if hidden else grid.hidden_rows
    away_columns = frozenset() if hidden else grid.hidden_columns
    for number, row in grid.cells.items():
        if number in away_rows:
            sight.hidden[number] = row
            continue
        kept = _visible(row, away_columns, sight)
        if not kept:
            # All that stands here is hidden with its column, or crossed out: the row itself is set aside.
            place = sight.struck if any(cell.struck for cell in row.values()) else sight.hidden
            place[number] = row
            continue
        sight.cells[number] = kept
    _without_value(grid.formulas_without_value, sight)
    return sight


def _visible(row: Mapping[int, GridCell], away: frozenset[int], sight: Sight) -> dict[int, GridCell]:
    if not away and not any(cell.struck or cell.kind == "error" for cell in row.values()):
        return dict(row)
    kept = {}
    struck = [cell for cell in row.values() if cell.struck and cell.column not in away]
    for column, cell in row.items():
        if column in away:
            sight.count("hidden_columns", column)
        elif not cell.struck:
            kept[column] = cell
            if cell.kind == "error":
                sight.count("errors", column)
                _remark(sight, cell.row, f"{_ref(cell)} shows {cell.text}")
    if kept:
        for cell in struck:
            sight.count("struck", cell.column)
            _remark(sight, cell.row, f"{_ref(cell)} is crossed out: {cell.text}")
        _keep_leader(row, kept)
    return kept


def _keep_leader(row: Mapping[int, GridCell], kept: dict[int, GridCell]) -> None:
    """A merge that begins in a hidden column is seen from the first column that is not."""
    if all(cell.spilled for cell in kept.values()) and not all(cell.spilled for cell in row.values()):
        column, cell = next(iter(kept.items()))
        kept[column] = cell._replace(spilled=False)


def _without_value(refs: Iterable[str], sight: Sight) -> None:
    for ref in refs:
        letters, number = coordinate_from_string(ref)
        sight.left_out.setdefault("formulas_without_value", Counter())[letters] += 1
        _remark(sight, number, f"{ref} is a formula without a stored value")


def _remark(sight: Sight, row: int, text: str) -> None:
    sight.missing.setdefault(row, []).append(text)


def _ref(cell: GridCell) -> str:
    return f"{get_column_letter(cell.column)}{cell.row}"


def by_column(counts: Mapping[str, int]) -> str:
    """``B 3, D 1``: columns by their letters' order."""
    return ", ".join(f"{name} {counts[name]}" for name in sorted(counts, key=lambda name: (len(name), name)))
