"""CSV and TSV text as a grid: delimiter found, quotes honoured, rows of any length.

Belongs here: delimited text. Stays out: decoding (sources), what the rows mean (tables).
Every cell is text as it stands, also where it looks like a formula.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from openpyxl.utils import get_column_letter

from notes_pipeline.rows.workbook.grid import ERROR_VALUES, Grid, GridCell

DELIMITERS = (",", ";", "\t", "|")
"""In the order in which they win a tie."""
_SAMPLE_RECORDS = 200
_SAMPLE_LINES = 2_000
_MOST_RETRIES = 100
"""Unclosed quotes mended one by one; beyond that quotes are plain characters."""
_SEPARATOR_LINE = re.compile(r"\"?sep=(.)\"?\s*", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r")
_DECIMAL_COMMAS = re.compile(r"(?:[^,]|(?<=\d),(?=\d))*")
_NUMBER = re.compile(
    r"[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][+-]?\d+)?%?|[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+%?"
)
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?"
    r"|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?"
)
_LONGEST_FIELD = 2**31 - 1


def read_delimited(text: str, name: str, limit: int, *, tabs: bool = False) -> Grid:
    """The one grid of a delimited text; state ``too_large`` beyond ``limit`` cells.

    Row numbers count records from 1, as a spreadsheet would: a record may span lines, a blank line
    is a row, and a first line that says ``sep=;`` is none. ``tabs``: the name speaks for tabs.
    """
    lines = list(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    told = _SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    delimiter = told[1] if told else sniff_delimiter(lines[:_SAMPLE_LINES], tabs=tabs)
    cells: dict[int, dict[int, GridCell]] = {}
    lengths: Counter[int] = Counter()
    unclosed: list[int] = []
    count = 0
    for number, record in enumerate(_records(lines[bool(told) :], delimiter, unclosed), 1):
        row = _row(number, record)
        if row:
            cells[number] = row
            lengths[len(record)] += 1
            count += len(row)
        if count > limit:
            return Grid(name, 0, "too_large", notes=(f"too_large: more than {limit:,} cells",))
    errors = tuple(f"{get_column_letter(cell.column)}{cell.row}"
                   for row in cells.values() for cell in row.values() if cell.kind == "error")  # fmt: skip
    return Grid(name, 0, cells=cells, errors=errors, notes=tuple(_notes(delimiter, lengths, unclosed)))


def _row(number: int, record: Sequence[str]) -> dict[int, GridCell]:
    row: dict[int, GridCell] = {}
    for column, value in enumerate(record, 1):
        text = (_LINE_END.sub("\n", value) if "\r" in value else value).strip()
        if text:
            row[column] = GridCell(number, column, text, kind_of(text))
    return row


def sniff_delimiter(lines: Sequence[str], *, tabs: bool = False) -> str:
    """The delimiter under which most records have the same number of fields, and more than one."""
    sample = "".join(lines)
    candidates = list(DELIMITERS)
    if ";" in sample and _DECIMAL_COMMAS.fullmatch(sample):
        candidates.remove(",")  # 1,5;2,5: every comma stands in a number
    scores = {delimiter: _consistency(lines, delimiter) for delimiter in candidates if delimiter in sample}
    if scores.get("\t"):  # commas stand in the fields of tabbed texts more often than tabs in those of others
        scores["\t"] += 0.5 if tabs else 0.05
    return max(scores, key=lambda delimiter: scores[delimiter], default=candidates[0])


def _consistency(lines: Sequence[str], delimiter: str) -> float:
    """Share of the sampled records with the commonest number of fields above one; a little for width."""
    records = islice(_records(lines, delimiter, []), _SAMPLE_RECORDS)
    lengths = Counter(len(record) for record in records if any(map(str.strip, record)))
    wide = [(count, length) for length, count in lengths.items() if length > 1]
    if not wide:
        return 0.0
    count, length = max(wide)
    return count / lengths.total() + min(length, 100) / 1_000


def _records(lines: Sequence[str], delimiter: str, unclosed: list[int]) -> Iterator[list[str]]:
    """Records of ``lines``; where a quote is never closed, it is a plain character of its line.

    Without that, all the rest of the file would be one cell. Numbers of such records go to ``unclosed``.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    start, number = 0, 0
    while start < len(lines):
        reader = csv.reader(
            islice(lines, start, None),
            delimiter=delimiter,
            quoting=csv.QUOTE_MINIMAL if len(unclosed) < _MOST_RETRIES else csv.QUOTE_NONE,
        )
        done = start
        for record in reader:
            end = start + reader.line_num
            number += 1
            if end == len(lines) and end - done > 1 and _is_unclosed(lines[done:end]):
                unclosed.append(number)
                yield lines[done].rstrip("\r\n").split(delimiter)
                done += 1
                break
            yield record
            done = end
        start = done


def _is_unclosed(lines: Sequence[str]) -> bool:
    return sum(line.count('"') for line in lines) % 2 == 1


def kind_of(text: str) -> str:
    """``number``, ``date``, ``bool``, ``error`` or ``text``, by the look of a value.

    >>> [kind_of(text) for text in ("1,234.5", "2024-05-01", "TRUE", "=1+1", "007")]
    ['number', 'date', 'bool', 'text', 'text']
    """
    if text[0].isdecimal() or text[0] in "+-":
        if _NUMBER.fullmatch(text):
            return "text" if len(text) > 1 and text[0] == "0" and text[1].isdecimal() else "number"
        return "date" if _DATE.fullmatch(text) else "text"
    if text in ERROR_VALUES:
        return "error"
    return "bool" if text.upper() in ("TRUE", "FALSE") else "text"


def _notes(delimiter: str, lengths: Counter[int], unclosed: Sequence[int]) -> Iterator[str]:
    if delimiter != ",":
        yield f"delimiter: {'tab' if delimiter == chr(9) else delimiter}"
    if len(lengths) > 1:
        common = max(lengths, key=lambda length: (lengths[length], length))
        others = lengths.total() - lengths[common]
        yield f"ragged: {others} of {lengths.total()} rows do not have {common} fields"
    if unclosed:
        yield f"unclosed_quote: row {', '.join(map(str, unclosed[:20]))}"
