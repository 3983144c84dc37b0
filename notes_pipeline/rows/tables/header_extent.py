"""How far a header reaches: bands above the chosen line, further lines below it.

Belongs here: what ties lines into one header. Stays out: which line is chosen (header).
"""

from __future__ import annotations

from collections.abc import Sequence

from notes_pipeline.rows.tables.header_labels import is_label, is_sequence, numbers_below, numbers_columns
from notes_pipeline.rows.tables.region import Line
from notes_pipeline.rows.workbook.grid import GridCell

LOOSE_BANDS = 2
"""Lines above a header that no merge ties to it may be bands; more than this never were."""
BAND_CHARACTERS = 100
"""A longer cell above a header is a note."""


def has_grid(lines: Sequence[Line], columns: Sequence[int]) -> bool:
    """Whether any of the lines has two cells in ``columns``: without that there is no table."""
    chosen = set(columns)
    return any(sum(cell.column in chosen for cell in line.apart) >= 2 for line in lines)


def extent(lines: Sequence[Line], index: int) -> tuple[int, int]:
    """First and last line of the header around the line at ``index``: bands above, a second line below."""
    first = last = index
    while last + 2 < len(lines) and _continues(lines[last], lines[last + 1], lines[last + 2 :]):
        last += 1
    columns = {column for line in lines[index : last + 1] for column in line.cells}
    loose = 0
    while first > 0 and last + 1 < len(lines) and loose <= LOOSE_BANDS:
        above, below = lines[first - 1], lines[first]
        tied = below.number - above.number == 1 and _is_tied(above, below, columns)
        if not tied and (loose == LOOSE_BANDS or not _is_band(above, below, columns)):
            break
        loose += not tied
        first -= 1
        columns |= above.cells.keys()
    return first, last


def _is_band(line: Line, below: Line, columns: set[int]) -> bool:
    """A line above the header that groups its columns: several labels, or a merge over some of them."""
    own = _inside(line, columns)
    if below.number - line.number > 1 or not own:
        return False
    if len(own) == 1:
        # One label is a band where it is merged over some columns, or stands over the right ones only.
        over = 1 + sum(line.goes_on(column) for column in line.cells if column in columns)
        return (1 < over < len(columns)) or (over == 1 and own[0].column != min(columns))
    sparse = len(own) < len(columns)
    labels = [cell for cell in own if is_label(cell)]
    return sparse and (len(labels) >= len(own) / 2 or is_sequence(own))


def _is_tied(line: Line, below: Line, columns: set[int]) -> bool:
    """Whether merges tie a line to the header below: one reaches down, or several lie across."""
    own = _inside(line, columns)
    inside = [cell for cell in line.cells.values() if cell.column in columns]
    if own and any(_reaches(cell, below) for cell in inside):
        return True
    return len(own) > 1 and bool(_banded(line)) and all(is_label(cell) for cell in own)


def _inside(line: Line, columns: set[int]) -> list[GridCell]:
    """Own cells over the header's columns; none where most of the line lies elsewhere or reads as prose."""
    inside = [cell for cell in line.cells.values() if cell.column in columns]
    own = [cell for cell in inside if not cell.spilled]
    fits = len(inside) >= len(line.cells) / 2 and all(len(cell.text) <= BAND_CHARACTERS for cell in own)
    return own if fits else []


def _reaches(cell: GridCell, below: Line) -> bool:
    """Whether a merge carries the cell into the line below."""
    other = below.cells.get(cell.column)
    return other is not None and other.spilled and other.text == cell.text


def _continues(line: Line, following: Line, below: Sequence[Line]) -> bool:
    """Whether the header goes on in ``following``: merges reach there, or it names what is still unnamed."""
    if following.number - line.number > 1:
        return False
    own = following.own
    if (
        numbers_columns(following)
        or not own
        or not all(is_label(cell) and len(cell.text) <= 40 for cell in own)
    ):
        return False
    if any(_reaches(cell, following) for cell in line.cells.values()):
        return has_grid(below, list(line.cells | following.cells))
    banded = _banded(line)
    unnamed = [cell for cell in own if cell.column not in line.cells or _names_band(line.cells[cell.column])]
    if banded and all(cell.column in banded or cell in unnamed for cell in own):
        return has_grid(below, list(line.cells | following.cells))
    return len(unnamed) >= len(own) / 2 and len(unnamed) > 1 and numbers_below(own, below)


def _banded(line: Line) -> set[int]:
    """The columns of the merges over several columns that begin in this line."""
    columns: set[int] = set()
    leader: GridCell | None = None
    for column, cell in line.cells.items():
        if not (cell.spilled and line.goes_on(column)):
            leader = None if cell.spilled else cell
        elif leader is not None:
            columns |= {leader.column, column}
    return columns


def _names_band(cell: GridCell) -> bool:
    """``Site:`` beside a band names the band, not the column below it."""
    return cell.text.endswith(":")
