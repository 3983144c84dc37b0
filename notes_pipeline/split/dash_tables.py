"""Pandoc's grid, simple and multiline tables: where they stand.

Belongs here: tables drawn with dashes, which CommonMark does not know. Stays out: pipe tables.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

_GRID_RULE = re.compile(r"^ {0,3}\+(?:[-=:]+\+)+[ \t]*$", re.MULTILINE)
_GRID_LINE = re.compile(r" {0,3}[+|][^\n]*")
_GROUPS = re.compile(r"^ *-{2,}(?: +-{2,})+ *$", re.MULTILINE)
_RULE = re.compile(r"^ *-{3,} *$")
_CLOSER = re.compile(r"^ *-{2,}(?: +-{2,})* *$(?=\n[ \t]*(?:\n|\Z)|\Z)", re.MULTILINE)
"""The last line of dashes: a blank line follows, or nothing."""
_NO_ROW = re.compile(r"^(?:#|```|~~~)", re.MULTILINE)
_MOST_HEADER_LINES = 6
_LONGEST = 100_000
"""Characters from a table's first dashes to its last: beyond it, they are rules."""


def grid_tables(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each ``+---+`` table; lines are broken by ``\\n`` only."""
    position = 0
    while rule := _GRID_RULE.search(text, position):
        end = last_rule = rule.end()
        while end < len(text) and (line := _GRID_LINE.match(text, end + 1)):
            end = line.end()
            if _GRID_RULE.match(text, line.start()):
                last_rule = end
        if last_rule > rule.end() and _blank_before(text, rule.start()):
            yield rule.start(), last_rule
        position = max(end, rule.end())


def dash_tables(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each simple or multiline table."""
    closers = [found.end() for found in _CLOSER.finditer(text)]
    done = 0
    while groups := _GROUPS.search(text, done):
        start, is_multiline = _first_line(text, groups.start(), done)
        end = _last_rule(text, groups.end(), closers) if is_multiline else _until_blank(text, groups.end())
        if start >= 0 and end > 0:
            yield start, end
        done = max(end, groups.end())


def _first_line(text: str, start: int, floor: int) -> tuple[int, bool]:
    """Where the table with dash groups at ``start`` begins (or -1), and whether dashes must end it."""
    above = 0
    while start > floor and above <= _MOST_HEADER_LINES:
        line_start = max(floor, text.rfind("\n", floor, start - 1) + 1)
        line = text[line_start : start - 1]
        if not line.strip():
            break
        start = line_start
        above += 1
        if _RULE.match(line):
            return start, True
    return (-1, False) if above > 1 else (start, above == 0)


def _last_rule(text: str, start: int, closers: list[int]) -> int:
    """End of the dashes that close a multiline table, or 0."""
    at = bisect_right(closers, start)
    if at == len(closers) or closers[at] - start > _LONGEST or _NO_ROW.search(text, start, closers[at]):
        return 0
    return closers[at]


def _until_blank(text: str, end: int) -> int:
    while end < len(text):
        line_end = text.find("\n", end + 1)
        line_end = len(text) if line_end < 0 else line_end
        if not text[end + 1 : line_end].strip():
            break
        end = line_end
    return end


def _blank_before(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start].strip()
