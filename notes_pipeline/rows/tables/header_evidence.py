"""What tells a header from a row of data: without it a line may be either, and a row must not be lost.

Belongs here: signs that set a line apart from the rows below it, and which of two lines is data.
Stays out: points and their sum (header_rules, header), how far a header reaches (header_extent).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from notes_pipeline.rows.tables.header_labels import SAMPLE, is_label, is_sequence, names_column, share_of
from notes_pipeline.rows.tables.region import Line
from notes_pipeline.rows.workbook.grid import GridCell

SIGNS = frozenset(
    (
        "text over numbers",
        "longer values below",
        "values begin otherwise",
        "a word of the values below",
        "fuller than the rows below",
        "over values of a few kinds",
        "a name over figures",
        "years in their order",
        "bold or filled unlike the next row",
        "words that headers use",
        "names of a machine",
        "merged as headers are",
        "the sheet filters or freezes here",
    )
)
"""Rules of which one must speak: width, short cells and distinct ones are true of any row of data too."""
FORM = frozenset(
    (
        "bold or filled unlike the next row",
        "words that headers use",
        "names of a machine",
        "merged as headers are",
        "the sheet filters or freezes here",
    )
)
"""Signs of the line itself, which no chance in the values below can make."""
DOUBTS = frozenset(("rows as wide above", "partly numbers", "mostly text", "mostly numbers"))
"""Rules that speak of rows of data as often as of headers."""
LEAST = 0.3
"""Points that signs must bring: fewer come of one short cell among many."""
LABEL_CHARACTERS = 40
ROWS_OF_NUMBERS = 3
"""Numbers in so many rows show that text over them is a header; fewer may be chance."""


def signs(reasons: Iterable[tuple[float, str]]) -> float:
    """The points of the reasons that set a line apart from rows of data."""
    return sum(points for points, text in reasons if points > 0 and text in SIGNS)


def is_sure(reasons: Sequence[tuple[float, str]], rows: int) -> bool:
    """Whether the signs of a line are no chance: its own form, or the values of enough ``rows``."""
    if signs(reason for reason in reasons if reason[1] in FORM) >= LEAST:
        return True
    doubted = any(points and text in DOUBTS for points, text in reasons)
    of_values = signs(reason for reason in reasons if reason[1] != "fuller than the rows below")
    return rows >= ROWS_OF_NUMBERS and not doubted and of_values >= LEAST


def rival(lines: Sequence[Line], place: int, hinted: Sequence[int]) -> int | None:
    """The line above ``place`` that is the header, where nothing shows that the one at ``place`` is.

    It is the first line of several short, distinct labels that names at least half as many columns,
    with no empty row between: the line at ``place`` is then its first row of data.
    """
    for index in range(place):
        line = lines[index]
        if line.lone or line.number in hinted:
            continue
        joined = lines[place].number - line.number == place - index
        if not joined or not _names_columns(line, lines[place]):
            return None
        return None if _is_evident(lines, index, place, hinted) else index
    return None


def _names_columns(line: Line, lower: Line) -> bool:
    own = line.own
    texts = {cell.text.casefold() for cell in own}
    labels = all(is_label(cell) and len(cell.text) <= LABEL_CHARACTERS for cell in own)
    asks = sum(cell.text.endswith(":") for cell in own)
    return (
        len(own) >= 2
        and labels
        and not asks
        and len(texts) == len(own) == len(line.cells)
        and 2 * len(own) >= len(lower.apart)
        and len(line.cells.keys() & lower.cells.keys()) * 2 >= len(own)
    )


def _is_evident(lines: Sequence[Line], upper: int, place: int, hinted: Sequence[int]) -> bool:
    """Whether the lower of two lines shows that it is (part of) a header itself."""
    line, below = lines[place], lines[place + 1 : place + 1 + SAMPLE]
    own = line.own
    texts = [cell.text.casefold() for cell in own]
    if line.number in hinted or len(set(texts)) < len(texts) or len(own) < len(line.cells):
        # Labels that come again, and merges, lie under outer labels.
        return True
    if is_sequence([cell for cell in own if not is_label(cell)]) or _is_inner(lines[upper], line, below):
        return True
    return _is_styled(lines[upper], line, below) or any(_over_numbers(cell, below) for cell in own)


def _is_inner(upper: Line, line: Line, below: Sequence[Line]) -> bool:
    """Inner labels leave out the first column, which the upper line names and the rows below fill."""
    first = min(upper.cells)
    filled = sum(first in row.cells for row in below)
    return first not in line.cells and bool(below) and filled >= 0.8 * len(below)


def _is_styled(upper: Line, line: Line, below: Sequence[Line]) -> bool:
    following = list(below[0].cells.values()) if below else []
    return any(
        share_of(line.own, style) > 0.6 and share_of(following, style) < 0.4 for style in ("bold", "filled")
    )


def _over_numbers(cell: GridCell, below: Sequence[Line]) -> bool:
    kinds = [row.cells[cell.column].kind for row in below if cell.column in row.cells]
    numbers = sum(kind not in ("text", "error") for kind in kinds)
    if not is_label(cell):
        return names_column(cell, below)
    return numbers >= ROWS_OF_NUMBERS and numbers >= 0.8 * len(kinds)
