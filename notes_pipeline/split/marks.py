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
MOST_LINES = 200
"""A ``$$`` without a partner this near is text (PowerShell writes it as a name); so is a ``%%``, unless
both stand alone in their lines (drawings kept in a note are thousands of lines)."""

BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
BLOCK_BREAK = re.compile(r"\n(?=[ \t>]*(?:\n|#{1,6}[ \t]|(?:[-*+]|\d{1,9}[.)])[ \t]|\||```|~~~))")
"""The line break in front of what ends a paragraph: a blank line, heading, item, row or fence."""
_HEADING = re.compile(r"\n[ \t]*\n#{1,6}[ \t]")
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_OPENERS = (
    ("fence", "```", re.compile("```+")),
    ("fence", "~~~", re.compile("~~~+")),
    ("math", "$$", re.compile(r"\$\$")),
    ("bracket", "\\[", re.compile(r"\\\[")),
    ("html", "<!--", re.compile("<!--")),
    ("comment", "%%", re.compile("%%")),
)
"""Each a literal: looked for one by one, they are found ten times as fast as in one pattern."""
_MATH_END = re.compile(r"\$\$(?=[ \t.,;]*(?:\{#[^}\n]*\}|\(\d+\))?[ \t]*(?:\n|\Z))")
_BRACKET_END = re.compile(r"\\\](?=[ \t.,;]*(?:\n|\Z))")
_LONGEST_LEAD = 1_000
"""Characters from a line's start to a mark; farther in, it is in the text of its line."""


def marked_regions(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each stretch: ``skip``, or ``math`` and ``comment`` over several lines."""
    openers = _openers(text)
    marks = _Marks(text, openers)
    position = 0
    for start, opener_end, name in openers:
        if start < position:
            continue
        kind = _opens(text, name, start, opener_end)
        end = marks.end(kind, text[start:opener_end], opener_end) if kind else -1
        if end >= 0:
            yield _kind(kind, text, start, end), start, end
            position = end
        elif kind == "fence" and (start == 0 or text[start - 1] == "\n"):
            yield SKIP, start, len(text)
            return


def _openers(text: str) -> list[tuple[int, int, str]]:
    """Start, end and kind of everything that may open a stretch, in order."""
    found = [
        (*match.span(), kind)
        for kind, literal, pattern in _OPENERS
        if literal in text
        for match in pattern.finditer(text)
    ]
    found.sort()
    return found


def _opens(text: str, kind: str, start: int, end: int) -> str:
    """What a mark opens where it stands, or nothing."""
    before = _before(text, start)
    at_start = _LEAD.fullmatch(before) is not None
    if kind in ("comment", "html") and not at_start:
        if before.count("`") % 2:
            return ""  # shown as code
        if kind == "html":
            return "aside"
        return "inline" if text[start - 1].isspace() or text[start - 1] == "(" else ""
    if not at_start:
        return ""
    rest = _behind(text, end)
    if (kind == "bracket" and rest.strip()) or (text[start] == "`" and "`" in rest):
        return ""
    return kind


def _before(text: str, offset: int) -> str:
    """The line of ``offset`` up to it; something that is no lead where that is long."""
    floor = max(0, offset - _LONGEST_LEAD)
    newline = text.rfind("\n", floor, offset)
    return text[newline + 1 : offset] if newline >= 0 or floor == 0 else "…"


def _behind(text: str, offset: int) -> str:
    """The line of ``offset`` from there on."""
    newline = text.find("\n", offset)
    return text[offset : newline if newline >= 0 else len(text)]


def _kind(kind: str, text: str, start: int, end: int) -> str:
    if kind == "aside":
        return "comment" if BLANK_LINE.search(text, start, end) else SKIP
    if kind in ("fence", "html") or "\n" not in text[start:end]:
        return SKIP
    return "comment" if kind in ("comment", "inline") else "math"


class _Marks:
    """The closing marks of a text, each kind looked for once."""

    def __init__(self, text: str, openers: list[tuple[int, int, str]]) -> None:
        self.text = text
        self.fences = [(start, end) for start, end, kind in openers if kind == "fence"]
        self.unclosed: dict[str, tuple[int, int]] = {}
        """By fence character: from which position no fence of that length or longer closes."""
        self.ended: set[str] = set()

    def end(self, kind: str, opener: str, after: int) -> int:
        """Where what ``opener`` (it ends at ``after``) opened ends, or -1 where it never does."""
        if kind == "fence":
            return self._fence(opener, after)
        if kind == "math":
            return self._near(self._math_ends, after)
        if kind == "bracket":
            return self._near(self._bracket_ends, after)
        if kind in ("comment", "inline"):
            return self._comment(after, block=kind == "comment")
        return self._find("-->", after)

    def _comment(self, after: int, *, block: bool) -> int:
        """The end of a comment: in its paragraph; or, opened at a line's start, at another line's end."""
        end = self._find("%%", after)
        if end < 0 or not BLOCK_BREAK.search(self.text, after, end - 2):
            return end
        if not block or _behind(self.text, end).strip() or self._cuts_fence(after, end):
            return -1
        far = self._lines.number(end) - self._lines.number(after) > MOST_LINES
        return -1 if far and not self._are_alone(after, end) else end

    def _cuts_fence(self, after: int, end: int) -> bool:
        """Whether a fence opens but does not close between two marks, or the other way round."""
        return (bisect_left(self._fence_lines, end) - bisect_left(self._fence_lines, after)) % 2 == 1

    def _are_alone(self, after: int, end: int) -> bool:
        """Whether two marks, of two characters each, stand alone in their lines."""
        return not _behind(self.text, after).strip() and not _before(self.text, end - 2).strip(" \t>")

    def _find(self, mark: str, after: int) -> int:
        if mark in self.ended:
            return -1
        found = self.text.find(mark, after)
        if found < 0:
            self.ended.add(mark)
            return -1
        return found + len(mark)

    def _near(self, closers: list[tuple[int, int]], after: int) -> int:
        """The next closer, if it is near and no fence stands between."""
        at = bisect_left(closers, (after, 0))
        if at == len(closers):
            return -1
        start, end = closers[at]
        fence = bisect_left(self.fences, (after, 0))
        if fence < len(self.fences) and self.fences[fence][0] < start:
            return -1
        if self._lines.number(start) - self._lines.number(after) > MOST_LINES:
            return -1
        inline = _behind(self.text, after).strip() and _before(self.text, start).strip(" \t>")
        return -1 if inline and _HEADING.search(self.text, after, start) else end

    def _fence(self, fence: str, after: int) -> int:
        length, position = self.unclosed.get(fence[0], (len(fence) + 1, 0))
        if len(fence) >= length and after >= position:
            return -1
        for at in range(bisect_left(self._fence_ends, (after, 0)), len(self._fence_ends)):
            start, end = self._fence_ends[at]
            if self.text.startswith(fence, start):
                return end
        self.unclosed[fence[0]] = (len(fence), after)
        return -1

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def _fence_lines(self) -> list[int]:
        """Where lines start with a fence, after what may lead it."""
        return [start for start, _ in self.fences if _LEAD.fullmatch(_before(self.text, start))]

    @cached_property
    def _fence_ends(self) -> list[tuple[int, int]]:
        """The fences alone in their lines."""
        text = self.text
        return [
            (start, end)
            for start, end in self.fences
            if not _before(text, start).strip(" \t>") and not _behind(text, end).strip()
        ]

    @cached_property
    def _math_ends(self) -> list[tuple[int, int]]:
        return [found.span() for found in _MATH_END.finditer(self.text)]

    @cached_property
    def _bracket_ends(self) -> list[tuple[int, int]]:
        found = [match.span() for match in _BRACKET_END.finditer(self.text)]
        return [span for span in found if not _before(self.text, span[0]).strip(" \t>")]
