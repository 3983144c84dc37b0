"""Where the tables of a sheet may lie: its cells cut into regions, before any header is known for sure.

Belongs here: named tables, empty columns through the height, gaps of two rows before a new header.
Stays out: what the lines of a region mean (tables, structure).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from notes_pipeline.rows import header
from notes_pipeline.rows.grid import Grid, GridCell, NamedRange
from notes_pipeline.rows.names import is_generic_sheet, label, normal
from notes_pipeline.rows.region import Line, Region, lines_of, within

GAP_ROWS = 2
"""Empty rows that may part two tables; splitting on single ones is what breaks tables with gaps."""
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
        for multiple in _by_titles(lines):
            yield multiple, title
        return
    parts = _by_columns(lines, hidden)
    if len(parts) == 1:
        blocks = _by_rows(lines)
        if len(blocks) == 1:
            for multiple in _by_titles(lines):
                yield multiple, title
            return
        for block in blocks:
            yield from _cut(block, hidden, depth - 1, title)
        return
    shared = _shared_title(lines, parts) or title
    for columns in parts:
        yield from _cut(within(lines, columns), hidden, depth - 1, shared)


# --- side by side -------------------------------------------------------------------------------


def _by_columns(lines: Sequence[Line], hidden: frozenset[int]) -> list[list[int]]:
    """Groups of columns with an empty column between them that belong to different tables.

    A hidden column is no empty one: it leaves no gap.
    """
    used: Counter[int] = Counter()
    for line in lines:
        if not line.lone or len(line.cells) == 1:
            used.update(line.cells.keys())
    runs: list[list[int]] = []
    for column in sorted(used):
        if runs and all(between in hidden for between in range(runs[-1][-1] + 1, column)):
            runs[-1].append(column)
        else:
            runs.append([column])
    groups: list[list[int]] = []
    for run in runs:
        if groups and not _apart(lines, groups[-1], run, sum(used[column] for column in run)):
            groups[-1].extend(run)
        else:
            groups.append(run)
    return groups or [[]]


def _apart(lines: Sequence[Line], left: list[int], right: list[int], cells: int) -> bool:
    """Whether the columns on both sides of a gap are tables of their own; ``cells`` stand on the right."""
    gap = right[0] - left[-1] - 1
    may_stray, may_pair = gap >= 2 and cells <= 2 * len(right), len(left) > 1 and len(right) > 1
    if not (may_stray or may_pair):
        return False
    one, other = within(lines, left), within(lines, right)
    if may_stray and _is_stray(one, other):
        return True
    if not (_is_table(one, left) and _is_table(other, right)):
        return False
    if gap >= 2:
        return True
    return (
        bool(_labels(one) & _labels(other))
        or abs(_first_row(one) - _first_row(other)) > 1
        or _both_titled(one, other)
    )


def _is_stray(one: Sequence[Line], other: Sequence[Line]) -> bool:
    """A cell or two far to the side that share at most one row with the rest, and are not its first."""
    rows = {line.number for line in one}
    shared = [line.number for line in other if line.number in rows]
    return len(other) <= 2 and len(one) > 2 and len(shared) <= 1 and one[0].number not in shared


def _is_table(lines: Sequence[Line], columns: Sequence[int]) -> bool:
    if len(columns) < 2 or len(lines) < 2:
        return False
    return sum(len(line.apart) >= 2 for line in lines) >= 2


def _first_row(lines: Sequence[Line]) -> int:
    return next((line.number for line in lines if len(line.apart) >= 2), 0)


def _labels(lines: Sequence[Line]) -> set[str]:
    best = _header(lines)
    return set(_spelled(lines[best.place])) if best else set()


def _both_titled(one: Sequence[Line], other: Sequence[Line]) -> bool:
    return all(len(lines) > 2 and _is_title(lines[0], lines[1]) for lines in (one, other))


def _is_title(line: Line, following: Line) -> bool:
    """A lone line that stands over the first column of the several below it."""
    return line.lone and len(following.apart) > 1 and min(line.cells) <= min(following.cells)


def _shared_title(lines: Sequence[Line], parts: Sequence[Sequence[int]]) -> str:
    """The text of a top line merged over several of the parts."""
    for line in lines[:2]:
        touched = sum(any(column in line.cells for column in part) for part in parts)
        if line.lone and touched > 1:
            return line.own[0].text
    return ""


# --- one above the other ------------------------------------------------------------------------


def _by_rows(lines: Sequence[Line]) -> list[list[Line]]:
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
    if best is None or best.total < header.ACCEPT or best.place > 3:
        return False
    line = below[best.place]
    if not header.has_grid(below[best.place + 1 :], list(line.cells)):
        return False
    if any(text.startswith(("text over", "bold or")) for points, text in best.reasons if points > 0):
        return True
    # Else the lower block has columns, or kinds in its columns, that the upper one has not.
    old, new = above.kinds(), _Above()
    new.take(below[best.place + 1 :])
    return any(old.get(column) != text for column, text in new.kinds().items())


def _by_titles(lines: list[Line]) -> Iterator[list[Line]]:
    """Small multiples: a lone line and the same header once more begin the next table."""
    best = _header(lines)
    first = best.place if best else len(lines)
    labels = _spelled(lines[first]) if best else []
    start = 0
    for place in range(first + 1, len(lines)):
        if lines[place - 1].lone and start < place - 1 and _spelled(lines[place]) == labels:
            yield lines[start : place - 1]
            start = place - 1
    yield lines[start:]


def _header(lines: Sequence[Line]) -> header.Score | None:
    best = header.best_header(Region(tuple(lines)))
    if best is None or best.total < header.ACCEPT or len(lines[best.place].own) < 2:
        return None
    return best


def _spelled(line: Line) -> list[str]:
    return [normal(cell.text) for cell in line.own]
