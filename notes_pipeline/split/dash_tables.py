"""Pandoc's grid, simple and multiline tables: where they stand.

Belongs here: tables drawn with dashes, which CommonMark does not know. Stays out: pipe tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_GRID_RULE = re.compile(r"^ {0,3}\+(?:[-=:]+\+)+[ \t]*$", re.MULTILINE)
_GRID_LINE = re.compile(r" {0,3}[+|][^\n]*")
_GROUPS = re.compile(r"^ *-{2,}(?: +-{2,})+ *$", re.MULTILINE)
_RULE = re.compile(r"^ *-{3,} *$")
_MOST_HEADER_LINES = 6
_MOST_LINES = 2_000


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
    done = 0
    while groups := _GROUPS.search(text, done):
        span = _around(text, groups.start(), groups.end(), done)
        if span:
            yield span
        done = span[1] if span else groups.end()


def _around(text: str, start: int, end: int, floor: int) -> tuple[int, int] | None:
    """The table whose line of dash groups is ``text[start:end]``, none of it before ``floor``."""
    above: list[int] = []
    while start > floor and len(above) <= _MOST_HEADER_LINES:
        line_start = text.rfind("\n", floor, start - 1) + 1 or floor
        line = text[line_start : start - 1]
        if not line.strip():
            break
        start = line_start
        above.append(line_start)
        if _RULE.match(line):
            return _until_rule(text, start, end)
    if len(above) == 1:
        return start, _until_blank(text, end)
    return None if above else _until_rule(text, start, end)


def _until_rule(text: str, start: int, end: int) -> tuple[int, int] | None:
    """To the closing dashes: followed by a blank line or nothing."""
    for _ in range(_MOST_LINES):
        if end >= len(text):
            return None
        line_end = text.find("\n", end + 1)
        line_end = len(text) if line_end < 0 else line_end
        line = text[end + 1 : line_end]
        end = line_end
        if line.startswith(("#", "```")):
            return None
        if (_RULE.match(line) or _GROUPS.match(line)) and _blank_after(text, end):
            return start, end
    return None


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


def _blank_after(text: str, end: int) -> bool:
    following = text.find("\n", end + 1)
    return not text[end : len(text) if following < 0 else following].strip()
