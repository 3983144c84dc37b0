"""The cells of a pipe table's row in its source, for rows that no chunk holds whole.

Belongs here: where each cell starts and ends, and reading a part of a row under its own columns.
Stays out: rows of drawn tables, whose cells run over several lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter

from notes_pipeline.split.inline import inline_text
from notes_pipeline.words import count_words

_PIPE = re.compile(r"(?<!\\)\|")
_ENTITY_CHARACTERS = 200
_ENTITY_WORDS = 8
"""A longer first cell names nothing."""


@lru_cache(maxsize=1)  # the parts of a row follow each other
def cell_spans(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Start and end of each cell of the row ``text[start:end]``; its outer pipes belong to the outer cells.

    The delimiter line below a header belongs to the header's last cell; none for a row without pipes.
    """
    line_end = min((at for mark in "\r\n" if (at := text.find(mark, start, end)) >= 0), default=end)
    line = text[start:line_end].rstrip()
    pipes = [found.start() for found in _PIPE.finditer(line)]
    indentation = len(line) - len(line.lstrip(" \t>"))
    inner = [at for at in pipes if at > indentation and at < len(line) - 1]
    if not inner:
        return ()
    stops = [*(start + at + 1 for at in inner), end]
    firsts = [start, *(_after_blanks(text, stop, end) for stop in stops[:-1])]
    return tuple(zip(firsts, stops, strict=True))


def _after_blanks(text: str, start: int, end: int) -> int:
    while start < end - 1 and text[start] in " \t":
        start += 1
    return start


def part_of_row(
    text: str, row: tuple[int, int], part: tuple[int, int], labels: Sequence[str]
) -> Iterator[str]:
    """``label: value`` for each cell of a row as far as it lies in a part; first, what the row is about."""
    start, end = part
    spans = cell_spans(text, *row)
    if not spans:
        yield inline_text(text[start:end])
        return
    low, high = spans[0]
    if high <= start and high - low <= _ENTITY_CHARACTERS:
        first = _value(text[low:high])
        if count_words(first) <= _ENTITY_WORDS:
            yield from _labelled(labels, 0, first)
    for number in range(bisect_right(spans, start, key=itemgetter(1)), len(spans)):
        low, high = spans[number]
        if low >= end:
            break
        yield from _labelled(labels, number, _value(text[max(low, start) : min(high, end)]))


def _value(source: str) -> str:
    return inline_text(source.strip(" \t\r\n>|"))


def _labelled(labels: Sequence[str], number: int, value: str) -> Iterator[str]:
    label = labels[number].strip().rstrip(":") if number < len(labels) else ""
    if value:
        yield f"{label}: {value}" if label else value
