"""Small questions about cells that may be labels: of text, of years, over numbers.

Belongs here: what single cells and lines look like. Stays out: points (header_rules), the choice (header).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from notes_pipeline.rows.tables.region import Line
from notes_pipeline.rows.workbook.grid import GridCell

SAMPLE = 20
"""Lines below a candidate that are looked at."""


def numbers_columns(line: Line) -> bool:
    """1, 2, 3, … under a header: the numbers by which a statistic names its columns."""
    texts = [cell.text.strip("()[].") for cell in line.own]
    values = [int(text) for text in texts if text.isdecimal() and len(text) <= 3]
    return len(values) >= 3 and len(values) == len(texts) and values == list(range(1, len(values) + 1))


def numbers_below(cells: Sequence[GridCell], below: Sequence[Line]) -> bool:
    kinds = [row.cells[c.column].kind for c in cells for row in below[:SAMPLE] if c.column in row.cells]
    return bool(kinds) and sum(kind != "text" for kind in kinds) >= 0.6 * len(kinds)


def is_letter(line: Line) -> bool:
    """A lone letter: the part of a glossary or index that begins with it."""
    return line.lone and len(line.own[0].text) == 1 and line.own[0].text.isalpha()


def is_label(cell: GridCell) -> bool:
    return cell.kind == "text"


def is_sequence(cells: Sequence[GridCell]) -> bool:
    """Years, dates or numbers that only rise or only fall, at least two: they name columns."""
    values = [cell.text for cell in cells if cell.kind in ("number", "date") and not cell.spilled]
    if len(values) < 2:
        return False
    if all(cell.kind == "date" for cell in cells if cell.kind != "text"):
        return len(set(values)) == len(values)
    years = [int(value) for value in values if _is_year(value)]
    if len(years) < len(values):
        return False
    steps = {later > earlier for earlier, later in pairwise(years) if later != earlier}
    return len(steps) == 1 and len(set(years)) == len(years)


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdecimal() and 1000 <= int(text) <= 2100


def names_column(cell: GridCell, below: Sequence[Line]) -> bool:
    """A year over text, or a date over anything but dates: it can only be a name."""
    kinds = [row.cells[cell.column].kind for row in below if cell.column in row.cells]
    if cell.kind == "date":
        return bool(kinds) and kinds.count("date") < len(kinds) / 2
    return _is_year(cell.text) and not numbers_below([cell], below)


def share_of(cells: Sequence[GridCell], style: str) -> float:
    return sum(getattr(cell, style) for cell in cells) / len(cells) if cells else 0.0
