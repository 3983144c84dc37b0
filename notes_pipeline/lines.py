"""Lines of a text: broken at CRLF, LF and CR only, never where ``str.splitlines`` also would.

Belongs here: a table of them for places in any order, and counting them from place to place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

_BREAK = re.compile(r"\r\n|\n|\r")
_NEWLINE = re.compile(r"\n")


class Lines:
    """The line starts of a text; answers in logarithmic time, built in linear time when first asked."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.length = len(text)

    @cached_property
    def starts(self) -> list[int]:
        """Offset at which each line begins; the first is 0."""
        pattern = _BREAK if "\r" in self._text else _NEWLINE
        return [0, *[match.end() for match in pattern.finditer(self._text)]]

    def number(self, offset: int) -> int:
        """The 1-based line in which the character at ``offset`` stands."""
        return bisect_right(self.starts, offset)

    def start(self, offset: int) -> int:
        """Offset at which the line holding ``offset`` begins."""
        return self.starts[bisect_right(self.starts, offset) - 1]

    def next_start(self, offset: int) -> int:
        """Offset at which the line after the one holding ``offset`` begins, or the text's end."""
        at = bisect_right(self.starts, offset)
        return self.starts[at] if at < len(self.starts) else self.length

    def range(self, start: int, end: int) -> tuple[int, int]:
        """First and last line of the half-open span ``start:end``; of an empty span, its line twice."""
        return self.number(start), self.number(max(start, end - 1))


class LineWalk:
    """Line numbers of spans asked for in the order of their starts: counted on from one to the next.

    For the few chunks of a note that is a fraction of what a table of all lines costs.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = Lines(text) if "\r" in text else None
        self._offset = 0
        self._number = 1

    def range(self, start: int, end: int) -> tuple[int, int]:
        """As ``Lines.range``; ``start`` is not before that of the span asked for last."""
        if self._lines is not None:
            return self._lines.range(start, end)
        first = self._number + self._text.count("\n", self._offset, start)
        self._offset, self._number = start, first
        return first, first + self._text.count("\n", start, end - 1)
