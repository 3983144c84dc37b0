"""CSV and TSV text as a grid: delimiter found, quotes honoured, rows of any length.

Belongs here: delimited text. Stays out: decoding (sources), what the rows mean (tables).
Every cell is text as it stands, also where it looks like a formula.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

from notes_pipeline.rows.grid import Grid, GridCell

DELIMITERS = (",", ";", "\t", "|")
"""In the order in which they win a tie."""
_SAMPLE_RECORDS = 200
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n?\Z", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_NUMBER = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][+-]?\d+)?%?")
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?"
    r"|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?"
)
_MAX_FIELD = 10_000_000


def read_delimited(text: str, name: str, limit: int) -> Grid:
    """The one grid of a delimited text; state ``too_large`` beyond ``limit`` cells.

    Row numbers count records from 1 (a record may span lines); a ``sep=;`` line is none of them.
    """
    text = text.removeprefix("\ufeff")
    first, rest = _first_line(text)
    told = _SEPARATOR_LINE.match(first)
    body = rest if told else text
    delimiter = told[1] if told else sniff_delimiter(body)
    cells: dict[int, dict[int, GridCell]] = {}
    count = 0
    lengths: Counter[int] = Counter()
    for number, record in enumerate(_records(body, delimiter), 2 if told else 1):
        row = {column: GridCell(number, column, value, kind_of(value))
               for column, value in enumerate(map(_shown, record), 1) if value}  # fmt: skip
        if row:
            cells[number] = row
            lengths[len(record)] += 1
            count += len(row)
        if count > limit:
            return Grid(name, 0, "too_large", notes=(f"too_large: more than {limit:,} cells",))
    return Grid(name, 0, cells=cells, notes=_notes(delimiter, lengths))


def sniff_delimiter(text: str) -> str:
    """The delimiter under which most records have the same number of fields, and more than one."""
    best, best_score = DELIMITERS[0], 0.0
    for delimiter in DELIMITERS:
        score = _consistency(text, delimiter)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _consistency(text: str, delimiter: str) -> float:
    """Share of the sampled records with the commonest number of fields above one; a little for width."""
    if delimiter not in text:
        return 0.0
    lengths: Counter[int] = Counter()
    for record in _records(text, delimiter, _SAMPLE_RECORDS):
        if any(field.strip() for field in record):
            lengths[len(record)] += 1
    wide = {length: count for length, count in lengths.items() if length > 1}
    if not wide:
        return 0.0
    length, count = max(wide.items(), key=lambda item: (item[1], item[0]))
    return count / lengths.total() + min(length, 100) / 1_000


def _records(text: str, delimiter: str, most: int | None = None) -> list[list[str]]:
    csv.field_size_limit(_MAX_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, doublequote=True, strict=False)
    records: list[list[str]] = []
    try:
        for record in reader:
            records.append(record)
            if most is not None and len(records) >= most:
                break
    except csv.Error:  # a field without an end: its quote was a plain character
        plain = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=csv.QUOTE_NONE)
        return list(plain)[:most]
    return records


def _first_line(text: str) -> tuple[str, str]:
    match = _LINE_END.search(text)
    return (text[: match.end()], text[match.end() :]) if match else (text, "")


def _shown(value: str) -> str:
    return _LINE_END.sub("\n", value).strip() if value else ""


def kind_of(text: str) -> str:
    """``number``, ``date``, ``bool`` or ``text``, by the look of a value.

    >>> [kind_of(text) for text in ("1,234.5", "2024-05-01", "TRUE", "=1+1", "007")]
    ['number', 'date', 'bool', 'text', 'text']
    """
    if text[0].isdigit() or text[0] in "+-":
        if _NUMBER.fullmatch(text):
            return "text" if len(text) > 1 and text[0] == "0" and text[1].isdigit() else "number"
        return "date" if _DATE.fullmatch(text) else "text"
    return "bool" if text.upper() in ("TRUE", "FALSE") else "text"


def _notes(delimiter: str, lengths: Counter[int]) -> tuple[str, ...]:
    notes = [] if delimiter == "," else [f"delimiter: {'tab' if delimiter == chr(9) else delimiter}"]
    if len(lengths) > 1:
        common = max(lengths.items(), key=lambda item: (item[1], item[0]))[0]
        others = lengths.total() - lengths[common]
        notes.append(f"ragged: {others} of {lengths.total()} rows do not have {common} fields")
    return tuple(notes)
