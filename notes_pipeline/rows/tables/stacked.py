"""Tables one above the other: the lines of a region parted where a new table begins.

Belongs here: borders between rows. Stays out: borders between columns (side_by_side).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from notes_pipeline.rows.tables import header
from notes_pipeline.rows.tables.header import accepted, spelled
from notes_pipeline.rows.tables.header_extent import has_grid
from notes_pipeline.rows.tables.region import Line, Region

GAP_ROWS = 2
"""Empty rows that may part two tables; splitting on single ones is what breaks tables with gaps."""


def by_rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Blocks with at least two empty rows between them, where the lower one begins a table of its own."""
    blocks: list[list[Line]] = [[]]
    for line in lines:
        last = blocks[-1][-1].number if blocks[-1] else line.number
        if line.number - last > GAP_ROWS:
            blocks.append([])
        blocks[-1].append(line)
    joined: list[list[Line]] = []
    above = _Above()
    for block in blocks:
        if joined and not _begins_table(above, block):
            joined[-1].extend(block)
        else:
            joined.append(block)
            above = _Above()
        above.take(block)
    return joined


class _Above:
    """What a block is compared with: the lines of the table above it, counted as they come."""

    def __init__(self) -> None:
        self.several = False
        """Some line has two cells: more than titles stand here."""
        self.cells: Counter[int] = Counter()
        self.texts: Counter[int] = Counter()

    def take(self, lines: Sequence[Line]) -> None:
        """Counts the lines in."""
        for line in lines:
            self.several = self.several or len(line.apart) >= 2
            for cell in line.own:
                self.cells[cell.column] += 1
                self.texts[cell.column] += cell.kind == "text"

    def kinds(self) -> dict[int, bool]:
        """For each column whether most of its cells are text."""
        return {column: self.texts[column] * 2 > count for column, count in self.cells.items()}


def _begins_table(above: _Above, below: Sequence[Line]) -> bool:
    if not any(column in above.cells for line in below for column in line.cells):
        return True
    if not above.several:
        # Nothing but lone lines: the titles of what follows, with empty rows between.
        return False
    best = header.best_header(Region(tuple(below)))
    if best is None or not best.is_taken or best.place > 3:
        return False
    line = below[best.place]
    if not has_grid(below[best.place + 1 :], list(line.cells)):
        return False
    if any(text.startswith(("text over", "bold or")) for points, text in best.reasons if points > 0):
        return True
    # Else the lower block has columns, or kinds in its columns, that the upper one has not.
    old, new = above.kinds(), _Above()
    new.take(below[best.place + 1 :])
    return any(old.get(column) != text for column, text in new.kinds().items())


def by_titles(lines: list[Line]) -> Iterator[list[Line]]:
    """Small multiples: a lone line and the same header once more begin the next table."""
    best = accepted(lines)
    first = best.place if best else len(lines)
    labels = spelled(lines[first]) if best else []
    start = 0
    for place in range(first + 1, len(lines)):
        if lines[place - 1].lone and start < place - 1 and spelled(lines[place]) == labels:
            yield lines[start : place - 1]
            start = place - 1
    yield lines[start:]
