"""A chunk as a rule looks at it: where its body begins, its first word, its blocks, its words.

Belongs here: what several rules need and what is worth computing once a chunk. Stays out: rules.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from notes_pipeline.flags.acronyms import spelled_out
from notes_pipeline.records import Block, Chunk, Document, Row, Section
from notes_pipeline.settings import Settings

HEAD = 160
"""Characters after the opening marks in which an opening phrase must stand."""

# Marks a reader does not read: quote and list marks, task boxes, callout kinds, emphasis, an opening bracket.
_MARKS = re.compile(
    r"(?:\s|>|\[![\w-]+\][+-]?|[-*+•–]\s|\d{1,4}[.)]\s|\[[ xX/-]\]\s|[*_~=]{1,3}|[(\[\"'“‘«])*",
)
_HEADING_LINE = re.compile(r"\s*#{1,6}[ \t][^\r\n]*(?:\r\n|\n|\r|\Z)")
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LAST_MARKS = "*_~= \t\r\n"
_PUNCTUATION = "“”‘„«»–—…•·→。，、：；！？（）\u00a0"


def _plain(character: str) -> str:
    """A character of western text as rules compare it: small, a blank, or "?" for letters beyond ASCII."""
    if character.isascii():
        return character.lower() if character.isalnum() or character in "'?" else " "
    return "'" if character == "’" else " " if character in _PUNCTUATION else "?"


_PLAIN = "".join(_plain(bytes((byte,)).decode("cp1252", "replace")) for byte in range(256)).encode()


@dataclass(frozen=True)
class Context:
    """What rules may look at beside the chunk: its document, and its sections or rows."""

    document: Document
    sections: Sequence[Section]
    rows: Sequence[Row]
    settings: Settings

    @cached_property
    def outline(self) -> Outline:
        """The top-level blocks of the document, for finding those of a chunk."""
        return Outline(self.sections)

    @cached_property
    def expansions(self) -> dict[str, str]:
        """Abbreviations the document spells out somewhere, with their long form."""
        return spelled_out(self.document.text or "")

    @cached_property
    def row_at(self) -> dict[tuple[str, int], Row]:
        """Data rows by sheet and row number."""
        return {(row.sheet, row.row_number): row for row in self.rows if row.kind == "data"}


class Outline:
    """Blocks at depth 0 in document order, with their places in parallel lists for bisection."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.blocks = [block for section in sections for block in section.blocks if block.depth == 0]
        self.starts = [block.start for block in self.blocks]
        self.ends = [block.end for block in self.blocks]

    def within(self, start: int, end: int) -> list[Block]:
        """Blocks that share a character with the half-open span ``start:end``."""
        return self.blocks[bisect_right(self.ends, start) : bisect_left(self.starts, end)]


class View:
    """One chunk for the rules; cheap things at once, the rest when a rule asks."""

    def __init__(self, chunk: Chunk, context: Context, asked: frozenset[str]) -> None:
        self.chunk = chunk
        self.context = context
        self.text = chunk.text
        self.words = _words(chunk.text)
        """Lower-cased words of the text, headings included, in order."""
        self.vocabulary = asked.intersection(self.words)
        """Those words any rule or type asks for: ``asked``."""
        self.blocks = self._own_blocks()
        self.body = self._body_start()
        """Offset in ``text`` after the heading lines the chunk begins with."""
        marks = _MARKS.match(self.text, self.body)
        self.start = marks.end() if marks else self.body
        """Offset of the first character a reader reads."""
        word = _FIRST_WORD.match(self.text, self.start)
        self.first = word.group().lower().replace("’", "'") if word else ""
        self.first_end = word.end() if word else self.start
        self.trimmed_end = len(self.text.rstrip(_LAST_MARKS))
        """Offset after the last character that is neither blank nor an emphasis mark."""
        self.first_kind = self.blocks[0].kind if self.blocks else ""
        """Kind of the first body block, or empty where none is known."""
        self.last_kind = self.blocks[-1].kind if self.blocks else ""
        """Kind of the last body block, or empty where none is known."""
        self.is_row = chunk.row_number is not None
        """Whether the chunk was made of a workbook's row."""

    def _own_blocks(self) -> list[Block]:
        start, end = self.chunk.char_start, self.chunk.char_end
        if start is None or end is None:
            return []
        return self.context.outline.within(start, end)

    def _body_start(self) -> int:
        origin = self.chunk.char_start
        if origin is None:
            return 0
        body, skipped = 0, 0
        for block in self.blocks:
            if block.kind != "heading":
                break
            body, skipped = block.end - origin, skipped + 1
        if skipped:
            self.blocks = self.blocks[skipped:]
        elif not self.blocks:
            while line := _HEADING_LINE.match(self.text, body):
                body = line.end()
        return min(body, len(self.text))

    @property
    def lower(self) -> str:
        """The text, lower-cased."""
        return self.text.lower()

    @property
    def head(self) -> str:
        """The opening of the body, from its first read character."""
        return self.text[self.start : self.start + HEAD]

    @property
    def last_heading(self) -> str:
        """The innermost title above the chunk, the note's own where it has none, or empty."""
        return self.chunk.heading_path[-1] if self.chunk.heading_path else self.context.document.title

    @property
    def headings(self) -> str:
        """All that is embedded above the body, the note's title and the heading path, lower-cased."""
        return " ".join((self.context.document.title, *self.chunk.heading_path)).strip().lower()


def _words(text: str) -> list[str]:
    """The words of a text in order, lower-cased (a regex would cost five times as much)."""
    text = text.replace("?", " ")
    if text.isascii():
        data = text.encode()
    else:
        try:
            data = text.encode("cp1252")
        except UnicodeEncodeError:
            data = _in_ascii(text)
    return data.translate(_PLAIN).decode().split()


def _in_ascii(text: str) -> bytes:
    """``text`` with letters beyond ASCII as "?", so that words stay whole; punctuation as blanks."""
    text = text.replace("’", "'")
    for mark in _PUNCTUATION:
        if mark in text:
            text = text.replace(mark, " ")
    return text.encode("ascii", "replace")
