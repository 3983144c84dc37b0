"""A region becomes a table: title lines, header, columns with names, and the lines below.

Belongs here: what a found table is, how its columns get their names, what stands above its header.
Stays out: the score (header), the cutting (regions), the kinds of the lines below (structure).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from notes_pipeline.rows.names import letter_name, normal, unique
from notes_pipeline.rows.tables import header
from notes_pipeline.rows.tables.header_extent import extent, has_grid
from notes_pipeline.rows.tables.header_labels import is_letter
from notes_pipeline.rows.tables.region import Line, Region

TITLE_CHARACTERS = 150
"""A longer line above a table is a note, not its title."""

_NO_TITLE = re.compile(
    r"(https?://|www\.)\S+|(page|seite|p\.) ?\d+( (of|von|/) ?\d+)?|[\W\d_]+|\(.*\)", re.IGNORECASE
)
_REMARK = re.compile(r"\(.*[^\W\d_]{2}.*\)")
_NUMBERING = re.compile(
    r"(table|tab\.|figure|fig\.|tabelle|annex|appendix|exhibit)\W{0,2}[\divxA-Z.]+:?", re.IGNORECASE
)


@dataclass(frozen=True)
class Table:
    """One table of a sheet; ``columns`` maps the sheet's column to its name, left to right."""

    title: str
    above: tuple[Line, ...]
    """Lines before the header: titles and notes."""
    header: tuple[Line, ...]
    """None where no header was found: the columns are then named by their letters."""
    body: tuple[Line, ...]
    columns: dict[int, str]
    explanation: str
    """Where the header was found and why, for the report."""
    confidence: str
    """``high``, ``low``; ``none`` without a header."""
    total_rows: int = 0

    @property
    def first_row(self) -> int:
        """The first row of the sheet that belongs to it."""
        return min(line.number for line in (*self.above, *self.header, *self.body))


def table_of(region: Region) -> Table | None:
    """The table of a region, or None where nothing in it lies as a grid (a form, prose, a lone cell)."""
    if region.header_rows is not None:
        return _declared(region)
    best = header.best_header(region)
    lines = region.lines
    if best and best.is_taken:
        first, last = extent(lines, best.place)
        if has_grid(lines[last + 1 :], _own_columns(lines[first : last + 1])):
            confidence = "high" if best.is_sure else "low"
            why = f"{_rows(lines[first : last + 1])}, score {best.total:.2f}: {best.explanation}"
            why += "" if best.is_told_apart else f"; {header.UNCERTAIN}"
            return _headed(region, first, last, why, confidence)
    return _headerless(region, best)


def headed(region: Region, first: int, last: int, why: str) -> Table:
    """The table whose header somebody named: lines ``first`` to ``last`` of the region."""
    return _headed(region, first, last, why, "high")


def header_only(region: Region) -> Score | None:
    """The score of a region that is nothing but a header, else None."""
    lines = region.lines
    own = lines[-1].own
    texts = [cell for cell in own if cell.kind == "text" and len(cell.text) <= 40]
    if len(own) < 2 or len(texts) < len(own) or any(not line.lone for line in lines[:-1]):
        return None
    return header.Score(len(lines) - 1, 0.0, ())


Score = header.Score


def _declared(region: Region) -> Table | None:
    count, first = region.header_rows or 0, region.above
    if count == 0 or len(region.lines) <= first + count:
        return _headerless(region, None)
    why = f"{_rows(region.lines[first : first + count])}: the workbook names this table"
    table = _headed(region, first, first + count - 1, why, "high")
    return replace(table, total_rows=region.total_rows)


def _headed(region: Region, first: int, last: int, why: str, confidence: str) -> Table:
    lines = region.lines
    head = lines[first : last + 1]
    above, body = lines[:first], _merged_once(head, lines[last + 1 :])
    columns = _columns(head, body)
    title = _title(above) or region.title
    return Table(title, above, head, body, columns, why, confidence)


def _headerless(region: Region, best: header.Score | None) -> Table | None:
    """A grid all of whose lines are data: most lines fill the same two or more columns."""
    above, body = _leading_titles(region.lines)
    if not _is_regular(body):
        return None
    body = _merged_once((), body)
    names = {column: letter_name(column) for column in sorted({c for line in body for c in line.cells})}
    why = "no header row" + (f": best was row {region.lines[best.place].number}" if best else "")
    why += f", score {best.total:.2f}: {best.explanation}" if best else ""
    return Table(_title(above) or region.title, above, (), body, names, why, "none")


def _leading_titles(lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    count = 0
    while count < len(lines) and lines[count].lone and not is_letter(lines[count]):
        count += 1
    return lines[:count], lines[count:]


def _is_regular(lines: Sequence[Line]) -> bool:
    lines = [line for line in lines if not is_letter(line)]
    rows = [frozenset(line.cells) for line in lines if len(line.apart) >= 2]
    if len(rows) < 2 or len(rows) < 0.6 * len(lines):
        return False
    counts: dict[int, int] = {}
    for row in rows:
        for column in row:
            counts[column] = counts.get(column, 0) + 1
    common = {column for column, count in counts.items() if count >= 0.6 * len(rows)}
    alike = sum(len(row & common) >= 0.6 * len(row | common) for row in rows)
    return len(common) >= 2 and alike >= 0.6 * len(rows)


def _own_columns(lines: Sequence[Line]) -> list[int]:
    return sorted({column for line in lines for column in line.cells})


def _merged_once(head: Sequence[Line], body: Sequence[Line]) -> tuple[Line, ...]:
    """The body without cells that a merge repeats under a header merged over the same columns.

    There the merge is how the author laid out one wide column; under headers of its own each
    column keeps the value.
    """
    columns = _own_columns((*head, *body))
    wide = {column for column in columns if all(_one_column(line, column) for line in head)}
    if not wide:
        return tuple(body)
    kept = []
    for line in body:
        again = {column for column in line.cells if column in wide and line.goes_on(column)}
        cells = {column: cell for column, cell in line.cells.items() if column not in again}
        kept.append(Line(line.number, cells) if again else line)
    return tuple(kept)


def _one_column(line: Line, column: int) -> bool:
    if column in line.cells:
        return line.goes_on(column)
    return column - 1 not in line.cells


def _columns(head: Sequence[Line], body: Sequence[Line]) -> dict[int, str]:
    """Names by column: header lines joined outer to inner; columns with data alone by their letter."""
    used = {column for line in body for column in line.cells}
    named = {cell.column for line in head[-1:] for cell in line.apart}
    places = sorted(used | named)
    names = unique(_joined(head, column) or letter_name(column) for column in places)
    return dict(zip(places, names, strict=True))


def _joined(head: Sequence[Line], column: int) -> str:
    parts: list[str] = []
    for line in head:
        cell = line.cells.get(column)
        if cell is None or cell.kind == "error":
            continue
        text = " ".join(cell.text.split())
        if line is not head[-1] and text.endswith(":") and not cell.spilled:
            # It names the band beside it, not the column below it.
            continue
        if not parts or normal(parts[-1]) != normal(text):
            parts.append(text)
    return " ".join(parts)


def _title(above: Sequence[Line]) -> str:
    """The most title-like of the lines above: alone, short, bold before plain, first before later."""
    alone = [line for line in above if is_title(line)]
    if not alone:
        return ""
    best = max(alone, key=lambda line: (_speaks(line), line.own[0].bold, -min(line.cells), -line.number))
    text = _line_text(best)
    after = [line for line in alone if line.number > best.number]
    if after and _NUMBERING.fullmatch(text):
        text = f"{text.rstrip(':. ')}: {_line_text(after[0])}"
    return text


def _speaks(line: Line) -> bool:
    return not _NO_TITLE.fullmatch(_line_text(line))


def says_something(text: str) -> bool:
    """Whether a line above a table tells of it: a remark in brackets does, a page number or address not."""
    return not _NO_TITLE.fullmatch(text) or bool(_REMARK.fullmatch(text))


def _line_text(line: Line) -> str:
    return " ".join(line.own[0].text.split())


def is_title(line: Line) -> bool:
    """Whether a line above a table can be its title: one short text."""
    return line.lone and line.own[0].kind == "text" and 1 < len(line.own[0].text) <= TITLE_CHARACTERS


def _rows(lines: Sequence[Line]) -> str:
    first, last = lines[0].number, lines[-1].number
    return f"row {first}" if first == last else f"rows {first}-{last}"
