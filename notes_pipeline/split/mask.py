"""What the Markdown parser must not look into: covered before it runs, byte for byte.

Belongs here: display mathematics, ``%%`` comments and pandoc's own tables, in which CommonMark
would see headings, rules and lists. Stays out: everything CommonMark knows (fences, HTML).

A region becomes ``<?xxx?>`` of the same number of bytes: one HTML block where it stands on lines
of its own, one inline tag where it does not, so the blocks around it keep their places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from notes_pipeline.split.dash_tables import dash_tables, grid_tables
from notes_pipeline.split.plain import PIPE

MOST_MATH_LINES = 200
"""A ``$$`` without a partner this near is text (PowerShell writes it as a name)."""


class Region(NamedTuple):
    """A covered piece: ``math``, ``comment`` or ``table``, and its source."""

    kind: str
    source: str


class Masked(NamedTuple):
    """A body ready for the parser, and the covered regions by the byte they start at."""

    text: str
    regions: dict[int, Region]


_OPENER = re.compile(
    r"^(?P<lead>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)"
    r"(?:(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})|(?P<math>\$\$)|(?P<bracket>\\\[[ \t]*$)|(?P<html><!--))"
    r"|(?P<comment>(?:^|(?<=[\s(]))%%)|(?P<aside><!--)",
    re.MULTILINE,
)
_MATH_END = re.compile(
    r"\$\$(?=[ \t.,;]*(?:\{#[^}\n]*\}|\(\d+\))?[ \t]*$)|^(?=[ \t]*(?:```|~~~))", re.MULTILINE
)
_BRACKET_END = re.compile(r"^[ \t>]*\\\][ \t.,;]*$", re.MULTILINE)
_DASHES = re.compile(r"-- +--")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
_WIKI_PIPE = re.compile(r"(\[\[[^\[\]|\n]*[^\[\]|\n\\])\|(?=[^\[\]\n]*\]\])")
_DELIMITER_ROW = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|", re.MULTILINE)


def mask(body: str) -> Masked:
    """``body`` with everything covered that would mislead the parser; the same bytes in length."""
    text = body
    if "\x00" in text or "\x01" in text or "\x02" in text:
        text = re.sub("[\x00-\x02]", " ", text)
    if "[[" in text and "|" in text and _DELIMITER_ROW.search(text):
        text = _WIKI_PIPE.sub(rf"\1{PIPE}", text)
    spans = _regions(text)
    return _cover(text, spans) if spans else Masked(text, {})


def _cover(text: str, spans: list[tuple[str, int, int]]) -> Masked:
    pieces: list[str] = []
    regions: dict[int, Region] = {}
    done = size = 0
    for kind, start, end in spans:
        before = text[done:start]
        source = text[start:end]
        size += len(before.encode())
        length = len(source.encode())
        pieces += (before, "<?", "x" * (length - 4), "?>")
        regions[size] = Region(kind, source)
        size += length
        done = end
    pieces.append(text[done:])
    return Masked("".join(pieces), regions)


def _regions(text: str) -> list[tuple[str, int, int]]:
    """Kind, start and end of each region, in order and apart."""
    grid = "+-" in text or "+=" in text or "+:" in text
    dashes = "-- " in text and _DASHES.search(text) is not None
    inline = "$$" in text or "%%" in text or "\\[" in text or _has_aside(text)
    if not (grid or dashes or inline):
        return []
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    found = list(_marked(text)) if inline else list(_fences(text))
    if grid:
        found += [("table", start, end) for start, end in grid_tables(text)]
    if dashes:
        found += [("table", start, end) for start, end in dash_tables(text)]
    return [region for region in _apart(found) if region[0] != "skip"]


def _has_aside(text: str) -> bool:
    """Whether an HTML comment starts behind other text on its line and holds a blank line.

    CommonMark ends such a comment there, and reads the rest of it as blocks.
    """
    start = text.find("<!--")
    while start >= 0:
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        end = text.find("-->", start)
        if text[line:start].strip(" ") and end >= 0 and _BLANK_LINE.search(text, start, end):
            return True
        start = text.find("<!--", max(end, start + 4))
    return False


def _apart(found: list[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    done = 0
    for kind, start, end in sorted(found, key=lambda region: region[1]):
        if start >= done:
            yield kind, start, end
            done = end


def _fences(text: str) -> Iterator[tuple[str, int, int]]:
    return (region for region in _marked(text) if region[0] == "skip")


def _marked(text: str) -> Iterator[tuple[str, int, int]]:
    """Fences and HTML comments (``skip``), mathematics and comments over several lines."""
    position = 0
    while opener := _OPENER.search(text, position):
        kind = opener.lastgroup or ""
        start, end = opener.start(kind), _end(text, opener, kind)
        if end < 0:
            if kind == "fence" and not opener["lead"]:
                yield "skip", start, len(text)
                return
            position = opener.end()
            continue
        if kind in ("fence", "html") or (kind == "aside" and not _BLANK_LINE.search(text, start, end)):
            yield "skip", start, end
        elif "\n" in text[start:end]:
            yield ("comment" if kind in ("comment", "aside") else "math"), start, end
        position = end


def _end(text: str, opener: re.Match[str], kind: str) -> int:
    """Where what ``opener`` opened ends, or -1."""
    after = opener.end()
    if kind == "comment":
        closer = text.find("%%", after)
        return closer + 2 if closer >= 0 else -1
    if kind in ("html", "aside"):
        closer = text.find("-->", after)
        return closer + 3 if closer >= 0 else -1
    if kind == "fence":
        fence = opener["fence"]
        found = re.compile(rf"^[ \t>]*{fence}{fence[0]}*[ \t]*$", re.MULTILINE).search(text, after)
        return found.end() if found else -1
    limit = _lines_on(text, after, MOST_MATH_LINES)
    found = (_MATH_END if kind == "math" else _BRACKET_END).search(text, after, limit)
    return found.end() if found and found[0] else -1


def _lines_on(text: str, position: int, lines: int) -> int:
    for _ in range(lines):
        position = text.find("\n", position) + 1
        if position == 0:
            return len(text)
    return position
