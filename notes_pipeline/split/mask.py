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
from notes_pipeline.split.dedent import read_outlines
from notes_pipeline.split.dollars import DOLLAR, hidden_dollars
from notes_pipeline.split.marks import BLANK_LINE, SKIP, marked_regions
from notes_pipeline.split.plain import PIPE


class Region(NamedTuple):
    """A covered piece: ``math``, ``comment`` or ``table``, and its source."""

    kind: str
    source: str


class Masked(NamedTuple):
    """A body ready for the parser, and the covered regions by the byte they start at."""

    text: str
    regions: dict[int, Region]
    clean: str
    """The body, character for character, with blanks for the control characters the parse uses itself."""


_DASHES = re.compile(r"-- +--")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_WIKI_PIPE = re.compile(r"(\[\[[^\[\]|\n]*[^\[\]|\n\\])\|(?=[^\[\]\n]*\]\])")
_DELIMITER_ROW = re.compile(r"\|[ \t]*:?-")
_GRID = re.compile(r"\+[-=:]+\+")
_BRACKET = re.compile(r"\\\[[ \t]*(?:\n|\r)")


def mask(body: str) -> Masked:
    """``body`` with everything covered that would mislead the parser; the same bytes in length."""
    text = body
    if "\x00" in text or "\x01" in text or "\x02" in text or DOLLAR in text:
        text = re.sub("[\x00-\x03]", " ", text)
    if "\r" in text:
        text = _LONE_RETURN.sub("\n", text)  # the parser ends an HTML block at a line feed only
    if "|" in text and "[[" in text and _DELIMITER_ROW.search(text):
        text = _WIKI_PIPE.sub(rf"\1{PIPE}", text)
    text = read_outlines(text)
    spans = _regions(text)
    masked = _cover(text, spans) if spans else Masked(text, {}, text)
    return masked._replace(text=hidden_dollars(masked.text)) if "$" in text else masked


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
    return Masked("".join(pieces), regions, text)


def _regions(text: str) -> list[tuple[str, int, int]]:
    """Kind, start and end of each region, in order and apart."""
    # One character is found many times as fast as two: most notes have none of these marks.
    grid = "+" in text and _GRID.search(text) is not None
    dashes = "--" in text and "-- " in text and _DASHES.search(text) is not None
    marked = (
        ("$" in text and "$$" in text)
        or ("%" in text and "%%" in text)
        or ("\\" in text and _BRACKET.search(text) is not None)
        or ("<" in text and _has_aside(text))
    )
    if not (grid or dashes or marked):
        return []
    text = text.replace("\r\n", " \n")
    found = list(marked_regions(text))
    if grid:
        found += [("table", start, end) for start, end in grid_tables(text)]
    if dashes:
        found += [("table", start, end) for start, end in dash_tables(text)]
    return [region for region in _apart(found) if region[0] != SKIP]


def _has_aside(text: str) -> bool:
    """Whether an HTML comment starts anywhere but at a line's start and holds a blank line.

    CommonMark ends such a comment there, and reads the rest of it as blocks.
    """
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start)
        if end < 0:
            return False
        if start and text[start - 1] not in "\r\n" and BLANK_LINE.search(text, start, end):
            return True
        start = text.find("<!--", end)
    return False


def _apart(found: list[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    done = 0
    for kind, start, end in sorted(found, key=lambda region: region[1]):
        if start >= done:
            yield kind, start, end
            done = end
