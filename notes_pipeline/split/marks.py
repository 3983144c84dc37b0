"""Stretches of a text between two marks: fences, comments, display mathematics.

Belongs here: finding them before the parser runs, in one pass that stays linear whatever marks
are never closed. Stays out: what is done with them (mask).

Lines are broken by ``\\n`` only; whoever calls has seen to that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from notes_pipeline.lines import Lines

SKIP = "skip"
"""A stretch the parser knows itself: nothing in it is to be covered."""
MOST_MATH_LINES = 200
"""A ``$$`` without a partner this near is text (PowerShell writes it as a name)."""

BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
_LEAD = r"^(?P<lead>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)"
_OPENER = re.compile(
    rf"{_LEAD}(?:(?P<fence>`{{3,}}(?=[^`\n]*$)|~{{3,}})"
    r"|(?P<math>\$\$)|(?P<bracket>\\\[[ \t]*$)|(?P<html><!--))"
    r"|(?P<comment>(?:^|(?<=[\s(]))%%)|(?P<aside><!--)",
    re.MULTILINE,
)
_FENCE_END = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_MATH_END = re.compile(
    r"\$\$(?=[ \t.,;]*(?:\{#[^}\n]*\}|\(\d+\))?[ \t]*$)|^(?=[ \t]*(?:```|~~~))", re.MULTILINE
)
_BRACKET_END = re.compile(r"^[ \t>]*\\\][ \t.,;]*$", re.MULTILINE)


def marked_regions(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each stretch: ``skip``, or ``math`` and ``comment`` over several lines."""
    marks = _Marks(text)
    position = 0
    while opener := _OPENER.search(text, position):
        kind = opener.lastgroup or ""
        start, end = opener.start(kind), marks.end(opener, kind)
        if end < 0:
            if kind == "fence" and not opener["lead"]:
                yield SKIP, start, len(text)
                return
            position = opener.end()
            continue
        yield _kind(kind, text, start, end), start, end
        position = end


def _kind(kind: str, text: str, start: int, end: int) -> str:
    if kind == "aside":
        return "comment" if BLANK_LINE.search(text, start, end) else SKIP
    if kind in ("fence", "html") or "\n" not in text[start:end]:
        return SKIP
    return "comment" if kind == "comment" else "math"


class _Marks:
    """The closing marks of a text, each kind looked for once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.unclosed: dict[str, tuple[int, int]] = {}
        """By fence character: from which position no fence of that length or longer closes."""
        self.ended: dict[str, int] = {}

    def end(self, opener: re.Match[str], kind: str) -> int:
        """Where what ``opener`` opened ends, or -1 where it never does."""
        after = opener.end()
        if kind == "fence":
            return self._fence(opener["fence"], after)
        if kind == "math":
            return self._near(self._math_ends, after)
        if kind == "bracket":
            return self._near(self._bracket_ends, after)
        return self._find("%%" if kind == "comment" else "-->", after)

    def _find(self, mark: str, after: int) -> int:
        if mark in self.ended:
            return -1
        found = self.text.find(mark, after)
        if found < 0:
            self.ended[mark] = after
            return -1
        return found + len(mark)

    def _near(self, closers: list[tuple[int, int]], after: int) -> int:
        at = bisect_left(closers, (after, 0))
        if at == len(closers):
            return -1
        start, end = closers[at]
        far = self._lines.number(start) - self._lines.number(after) > MOST_MATH_LINES
        return -1 if far or start == end else end

    def _fence(self, fence: str, after: int) -> int:
        length, position = self.unclosed.get(fence[0], (len(fence) + 1, 0))
        if len(fence) >= length and after >= position:
            return -1
        for at in range(bisect_left(self._fence_ends, (after, 0, "")), len(self._fence_ends)):
            _, end, closer = self._fence_ends[at]
            if closer.startswith(fence):
                return end
        self.unclosed[fence[0]] = (len(fence), after)
        return -1

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def _fence_ends(self) -> list[tuple[int, int, str]]:
        return [(found.start(), found.end(), found[1]) for found in _FENCE_END.finditer(self.text)]

    @cached_property
    def _math_ends(self) -> list[tuple[int, int]]:
        return [found.span() for found in _MATH_END.finditer(self.text)]

    @cached_property
    def _bracket_ends(self) -> list[tuple[int, int]]:
        return [found.span() for found in _BRACKET_END.finditer(self.text)]
