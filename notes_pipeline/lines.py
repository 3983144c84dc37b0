"""Lines of a text: broken at CRLF, LF and CR only, never where ``str.splitlines`` also would."""

from __future__ import annotations

import re
from bisect import bisect_right

_BREAK = re.compile(r"\r\n|\n|\r")


class Lines:
    """The line starts of a text; answers in logarithmic time, built in linear time."""

    def __init__(self, text: str) -> None:
        if "\r" in text:
            self.starts = [0, *(match.end() for match in _BREAK.finditer(text))]
        else:
            self.starts = [0]
            position = text.find("\n")
            while position >= 0:
                self.starts.append(position + 1)
                position = text.find("\n", position + 1)
        self.length = len(text)

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
