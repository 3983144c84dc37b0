"""Where the lines of a unit alone end a sentence: lists, headings, tables and the like.

Belongs here: line structure inside one unit, also the kinds CommonMark takes for running text
(``a.`` and ``(ii)`` lists, ``key:: value``, ``: definition``, a first line wholly bold).
Stays out: inline markup (``inline.py``) and everything about words.
"""

from __future__ import annotations

import re
from itertools import pairwise

_QUOTE = r"[ \t]*+(?:>[ \t]*+)*+"
_BULLET = r"[-*+•‣◦▪●–][ \t]+"
_LETTER = r"(?:[A-Za-z]|[ivxIVX]{1,5})[.)][ \t]+|\((?:[A-Za-z]|\d{1,3}|[ivxIVX]{1,5})\)[ \t]+"

_LEADING = re.compile(
    rf"{_QUOTE}(?:(?:{_BULLET})?\[[ xX/<>!?-]\][ \t]+|{_BULLET}|#{{1,6}}[ \t]+"
    r"|\[\^[^\]\s]{1,100}\]:[ \t]*|:[ \t]+|\[![\w-]{1,30}\][+-]?[ \t]*)*"
)

_BREAK = re.compile(r"\r\n|\n|\r")
_OPENS = re.compile(
    rf"{_QUOTE}(?:{_BULLET}|\[[ xX]\][ \t]|#{{1,6}}[ \t]|\[\^[^\]\s]{{1,100}}\]:|:[ \t]+\S|\||"
    r"[\w-]{1,40}::(?:[ \t]|$)|\[![\w-]{1,30}\])"
)
_ORDERED = re.compile(rf"{_QUOTE}(?:(?P<number>\d{{1,9}})[.)][ \t]|(?P<letter>{_LETTER}))")
_ENDS_WITH_LINE = re.compile(rf"{_QUOTE}(?:#{{1,6}}[ \t]|\[![\w-]{{1,30}}\])")
_FENCE = re.compile(rf"{_QUOTE}(?P<fence>`{{3,}}|~{{3,}})")
_BLANK = re.compile(rf"{_QUOTE}$")
_UNDERLINE = re.compile(r"[ \t]*(?:=+|-{2,})[ \t]*$")
_DELIMITER_ROW = re.compile(rf"{_QUOTE}\|?[ \t]*+:?-[ \t|:-]*+$")
_BOLD_LINE = re.compile(
    rf"{_QUOTE}(?:\*\*[^*\s](?:[^*]*[^*\s])?\*\*|__[^_\s](?:[^_]*[^_\s])?__)[ \t]*:?[ \t]*$"
)
_WHOLE = re.compile(rf"{_QUOTE}(?:`{{3,}}[^`\n]*+(?:\n|$)|~{{3,}}|\|)")
_FIRST_LETTERS = ("a.", "a)", "i.", "i)")


def _is_first(ordered: re.Match[str]) -> bool:
    return ordered["number"] == "1" or (ordered["letter"] or "").strip() in _FIRST_LETTERS


def pieces(unit: str) -> list[tuple[int, int]]:
    """Half-open spans of ``unit`` between which a sentence always ends; blank ones are left out.

    Linear in the length of ``unit``; spans are ordered, disjoint and hold all that is not blank.
    """
    if "\n" not in unit and "\r" not in unit:
        return [(0, len(unit))] if unit and not unit.isspace() else []
    starts = _Starts()
    position = 0
    for match in _BREAK.finditer(unit):
        starts.line(unit, position, match.start())
        position = match.end()
    starts.line(unit, position, len(unit))
    edges = [*starts.found, len(unit)]
    return [(start, end) for start, end in pairwise(edges) if start < end and not unit[start:end].isspace()]


class _Starts:
    """The offsets at which a piece starts, found line by line."""

    def __init__(self) -> None:
        self.found = [0]
        self._fence = ""
        self._fresh = True
        """The next line starts a piece whatever it holds."""
        self._list = False
        """The piece before is an item of an ordered list, or leads in to one."""

    def line(self, unit: str, start: int, end: int) -> None:
        line = unit[start:end]
        if self._in_fence(line):
            if self._fresh:
                self._open(start)
            self._fresh = not self._fence
            return
        if _BLANK.match(line):
            self._fresh = True
            return
        if self._starts(line):
            self._open(start)
        self._list = (
            (start == self.found[-1] and bool(_ORDERED.match(line)))
            or line.rstrip().endswith((":", ";"))
            or (self._list and not self._fresh)
        )
        self._fresh = (
            bool(_ENDS_WITH_LINE.match(line))
            or bool(_UNDERLINE.match(line))
            or self._is_title(unit, start, line)
        )

    def _open(self, start: int) -> None:
        if start != self.found[-1]:
            self.found.append(start)

    def _in_fence(self, line: str) -> bool:
        match = _FENCE.match(line)
        if self._fence:
            closes = match and match["fence"].startswith(self._fence) and not line[match.end() :].strip()
            self._fence = "" if closes else self._fence
            return True
        if not match or "`" in line[match.end() :]:
            return False
        self._fence = match["fence"]
        self._fresh = True
        return True

    def _starts(self, line: str) -> bool:
        if self._fresh:
            return True
        if _DELIMITER_ROW.match(line):
            return False
        if _OPENS.match(line):
            return True
        ordered = _ORDERED.match(line)
        # "… in the year\n1935. It …" wraps by chance: a number opens an item where a list is under way.
        return ordered is not None and (self._list or _is_first(ordered))

    def _is_title(self, unit: str, start: int, line: str) -> bool:
        return start == self.found[-1] and bool(_BOLD_LINE.match(line))


def is_whole(unit: str, start: int) -> bool:
    """Whether the piece at ``start`` is a fence, a table row or a heading's like: never cut inside."""
    return bool(_WHOLE.match(unit, start))


def leading(unit: str, start: int, end: int) -> int:
    """Where the text of the piece ``start:end`` begins, after quote, list, task and heading markers."""
    markers = _LEADING.match(unit, start, end)
    return markers.end() if markers else start
