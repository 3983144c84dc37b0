"""What each line below a header is: data, a section row, a total, a note, the header once more.

Belongs here: the kinds of lines and why. Stays out: which data rows are worth a chunk (skip).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from notes_pipeline.rows.names import normal
from notes_pipeline.rows.tables.header_labels import is_letter, numbers_columns
from notes_pipeline.rows.tables.region import Line
from notes_pipeline.rows.tables.table import Table
from notes_pipeline.rows.workbook.grid import GridCell

SECTION_CHARACTERS = 80
"""A longer lone cell is a note."""
DENSE = 0.8
"""A table whose rows fill this share of the columns is full; a lone cell in it is odd."""
SECTION_POINTS = 1.5
"""Signs a lone cell must show to be the heading of the rows below it."""

_ALONE = ("alone in a full table", "alone")

_TOTAL = re.compile(
    r"((grand|sub|overall|running|net)[\s-]?)?totals?|sum|(gesamt|zwischen)?summe|insgesamt|gesamt|somme"
    r"|total (general|général)|totale|suma|итого|всего|合计|合計|总计|總計|कुल|योग",
    re.IGNORECASE,
)
_SECTION_WORD = re.compile(
    r"(chapter|part|unit|section|module|lesson|topic|book|volume|vol|week|day|phase|block|group|kapitel|teil"
    r"|chapitre|partie|capítulo|parte|capitolo|अध्याय|भाग)\b|[ivxlc]+[.)]\s|[a-z\d]{1,2}[.)]\s",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(\*|†|‡|¹|²|³|\(?\d{1,2}\)|\[\d+\]|©|source|note|notes|nb|n\.b\.|legend|key|remark|hinweis|quelle|fuente|nota"
    r"|updated|as of|stand)\b|[*†‡©]",
    re.IGNORECASE,
)


class Judged(NamedTuple):
    """A line with its kind, the section it stands in, and the reason where it is not data."""

    line: Line
    kind: str
    section: str
    reason: str


@dataclass(frozen=True)
class _Body:
    """What the rules may look at beside the line itself."""

    table: Table
    labels: tuple[str, ...]
    """The header's own cells, compared form."""
    density: float
    """Median share of the columns that a row of several cells fills."""
    bold: bool
    """Most data rows are bold, so bold tells nothing."""
    filled: bool
    """The same of coloured cells."""
    last_row: int
    """Number of the last line with two or more cells: below it stand notes."""
    run: dict[int, int]
    """For a lone line, how many stand in one run without a data row between them."""
    joined: frozenset[int]
    """Numbers of lines with no empty row between them and the table's rows."""
    before_header: frozenset[int]
    """Numbers of lines right above a repeated header."""


def judge(table: Table) -> Iterator[Judged]:
    """The kind of every line of the table's body, in order."""
    body = _look(table)
    sections: list[str] = []
    previous = ""
    kinds = [_kind(line, place, body) for place, line in enumerate(table.body)]
    last_data = max((place for place, (kind, _) in enumerate(kinds) if kind == "data"), default=-1)
    for place, line in enumerate(table.body):
        kind, reason = kinds[place]
        if kind == "section" and place > last_data:
            # Standing alone makes a heading only of what heads something; else it is a name without values.
            alone = reason in _ALONE
            kind, reason = ("data", "") if alone else ("note", "a heading with no rows below")
        if kind == "section":
            sections = _nested(sections, _text(line), after_section=previous == "section")
        previous = kind
        yield Judged(line, kind, "; ".join(sections) if kind == "data" else "", reason)


def _look(table: Table) -> _Body:
    several = [line for line in table.body if len(line.apart) >= 2]
    width = max(1, len(table.columns))
    shares = [len(line.cells) / width for line in several]
    bold = [line.own[0].bold for line in several]
    labels = tuple(normal(cell.text) for cell in (table.header[-1].own if table.header else []))
    return _Body(
        table=table,
        labels=labels,
        density=median(shares) if shares else 0.0,
        bold=sum(bold) * 2 > len(bold),
        filled=sum(line.own[0].filled for line in several) * 2 > len(several),
        last_row=several[-1].number if several else 0,
        run=_runs(table.body),
        joined=_joined_lines(table.body),
        before_header=frozenset(
            line.number for line, following in pairwise(table.body) if _is_repeated_header(following, labels)
        ),
    )


def _joined_lines(lines: Sequence[Line]) -> frozenset[int]:
    numbers = [line.number for line in lines]
    gaps = [later for earlier, later in pairwise(numbers) if later - earlier > 1]
    last = gaps[-1] if gaps else None
    return frozenset(number for number in numbers if last is None or number < last)


def _is_stub(cell: GridCell, text: str, body: _Body) -> bool:
    """A name not yet filled in: short, plain, in the first column, right below the rows."""
    plain = not cell.bold and not _NOTE.match(text) and len(text) <= 40
    return plain and cell.column == min(body.table.columns)


def _runs(lines: Sequence[Line]) -> dict[int, int]:
    """For each lone line the length of its run of lone lines."""
    runs: dict[int, int] = {}
    current: list[int] = []
    for line in lines:
        if line.lone:
            current.append(line.number)
            continue
        runs.update(dict.fromkeys(current, len(current)))
        current = []
    runs.update(dict.fromkeys(current, len(current)))
    return runs


def _kind(line: Line, place: int, body: _Body) -> tuple[str, str]:
    if body.table.total_rows and place >= len(body.table.body) - body.table.total_rows:
        return "total", "the named table's total row"
    if _is_repeated_header(line, body.labels):
        return "repeated_header", "the same cells as the header"
    if place == 0 and numbers_columns(line):
        return "repeated_header", "the numbers of the columns"
    if reason := _total(line):
        return "total", reason
    if line.lone:
        return _lone(line, body)
    if line.number > body.last_row and _NOTE.match(_text(line)):
        return "note", "stands below the table"
    return "data", ""


def _is_repeated_header(line: Line, labels: Sequence[str]) -> bool:
    own = line.own
    if len(own) < 2 or len(own) < 0.8 * len(labels):
        return False
    return all(normal(cell.text) in labels for cell in own)


def _total(line: Line) -> str:
    own = line.own
    first = own[0]
    if first.kind != "text" or any(cell.kind == "text" for cell in own[1:]):
        return ""
    word = first.text.strip().rstrip(":").strip()
    if _TOTAL.fullmatch(word):
        return f"begins with {word!r}"
    if len(own) > 1 and all(cell.kind == "formula" for cell in own[1:]):
        return "nothing but sums"
    return ""


def _lone(line: Line, body: _Body) -> tuple[str, str]:
    cell = line.own[0]
    text = _text(line)
    if len(body.table.columns) == 1:
        return "data", ""
    if line.number > body.last_row:
        stub = line.number in body.joined and _is_stub(cell, text, body)
        return ("data", "") if stub else ("note", "one cell below the table")
    if cell.kind != "text":
        return "data", ""
    if len(text) > SECTION_CHARACTERS:
        return "note", "one long cell"
    points, signs = _section_signs(line, cell, text, body)
    if points >= SECTION_POINTS:
        return "section", ", ".join(signs)
    if _NOTE.match(text):
        return "note", "reads like a note"
    return "data", ""


def _section_signs(line: Line, cell: GridCell, text: str, body: _Body) -> tuple[float, list[str]]:
    signs: list[tuple[float, str]] = []
    styled = (cell.bold and not body.bold) or (cell.filled and not body.filled)
    if len(line.cells) > 1:
        signs.append((3.0, "merged over the columns"))
    if styled:
        signs.append((2.0, "bold or filled unlike the data"))
    if line.number in body.before_header:
        signs.append((3.0, "the header follows once more"))
    if _SECTION_WORD.match(text):
        signs.append((1.5, "begins like a section"))
    if len(text) > 3 and text.isupper():
        signs.append((1.5, "in capitals"))
    if is_letter(line):
        signs.append((2.0, "a letter of the alphabet"))
    if text.endswith(":"):
        signs.append((1.0, "ends in a colon"))
    if cell.column != min(body.table.columns):
        signs.append((-1.5, "not in the first column"))
    if not styled or body.density >= DENSE:
        signs.append(_anomaly(body))
    if body.run[line.number] > 2:
        signs.append((-2.0, "one of many lone cells"))
    if _NOTE.match(text):
        signs.append((-1.0, "reads like a note"))
    return sum(points for points, _ in signs), [name for points, name in signs if points > 0]


def _anomaly(body: _Body) -> tuple[float, str]:
    """How odd a lone cell is here: in a dense, wide table very; in a sparse one not at all."""
    if body.density >= DENSE:
        return (1.5, _ALONE[0]) if len(body.table.columns) >= 3 else (0.5, _ALONE[1])
    return (0.0, "") if body.density >= 0.6 else (-1.0, "")


def _nested(sections: list[str], text: str, *, after_section: bool) -> list[str]:
    """The open sections after one more: right below another it is inner; ``Part 2`` replaces ``Part 1``."""
    for depth, other in enumerate(sections):
        if _first_word(other) == _first_word(text):
            return [*sections[:depth], text]
    return [*sections, text] if after_section else [text]


def _first_word(text: str) -> str:
    return normal(text).partition(" ")[0]


def _text(line: Line) -> str:
    return " ".join(line.own[0].text.split())
