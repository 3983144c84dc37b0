"""Merged cells: the one value of a merge, repeated in every cell its reader sees it in.

Belongs here: merges. Stays out: what a merged header or section means (tables).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from notes_pipeline.rows.workbook.grid import GridCell, Range

Cells = dict[int, dict[int, GridCell]]

_FREE_AREA = 10_000
"""Cells a merge may have and still be repeated whole; a larger one only where the sheet has cells."""


def spill(cells: Cells, merges: Sequence[Range], limit: int) -> tuple[Cells, list[str]]:
    """``cells`` with each merge filled from its top-left cell, rows and columns ascending, and notes.

    Values under a merge are not seen by its reader: they leave, and are noted. At most ``limit``
    cells are repeated, so that a merge over the whole sheet costs no more than a large sheet.
    """
    covered: list[str] = []
    columns = sorted({column for row in cells.values() for column in row}) if merges else []
    left = limit
    for merge in merges:
        left -= _spill_one(cells, merge, columns, covered, left)
    notes = [f"covered_by_merge: {', '.join(covered)}"] if covered else []
    if left <= 0 and merges:
        notes.append(f"merges_cut: no more than {limit:,} repeated cells")
    return {row: dict(sorted(cells[row].items())) for row in sorted(cells) if cells[row]}, notes


def _spill_one(cells: Cells, merge: Range, columns: Sequence[int], covered: list[str], left: int) -> int:
    top, first, _, _ = merge
    source = cells.get(top, {}).get(first)
    count = 0
    for row, column in _places(merge, cells, columns):
        if (row, column) == (top, first):
            continue
        if count >= left:
            break
        under = cells.get(row, {}).get(column)
        if under is not None and not under.spilled:
            covered.append(under.text[:40])
            del cells[row][column]
        if source is not None:
            cells.setdefault(row, {})[column] = source._replace(row=row, column=column, spilled=True)
            count += 1
    return count


def _places(merge: Range, cells: Cells, columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    top, first, bottom, last = merge
    own_rows: Iterable[int] = range(top, bottom + 1)
    own_columns: Sequence[int] = range(first, last + 1)
    if (bottom - top + 1) * (last - first + 1) > _FREE_AREA:
        own_rows = [row for row in sorted(cells) if top <= row <= bottom]
        own_columns = [column for column in columns if first <= column <= last]
    for row in own_rows:
        for column in own_columns:
            yield row, column
