"""A chunk as a rule looks at it: where its body begins, its first word, its blocks, its words.

Belongs here: what several rules need of one chunk. Stays out: rules, and what is the same for all
chunks of a document (``surroundings``).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from notes_pipeline.flags.plain import plain
from notes_pipeline.flags.surroundings import Surroundings
from notes_pipeline.records import Block, Chunk

HEAD = 160
"""Characters after the opening marks in which an opening phrase must stand."""

# Marks a reader does not read (quote and list marks, task boxes, callout kinds, emphasis, an opening
# bracket), then the first word or nothing.
_OPENING = re.compile(
    r"(?:\s|>|\[![\w-]+\][+-]?|[-*+•–]\s|\d{1,4}[.)]\s|\[[ xX/-]\]\s|[*_~=]{1,3}|[(\[\"'“‘«])*"
    r"([^\W\d_]+(?:['’][^\W\d_]+)?|)"
)
_HEADING_LINE = re.compile(r"\s*#{1,6}[ \t][^\r\n]*(?:\r\n|\n|\r|\Z)")
_LAST_MARKS = "*_~= \t\r\n"


class View:
    """One chunk for the rules: what every chunk is asked for at once, the rest when a rule asks."""

    __slots__ = (
        "around",
        "blocks",
        "body",
        "chunk",
        "cut",
        "ending",
        "first",
        "first_end",
        "first_kind",
        "start",
        "text",
        "trimmed_end",
        "vocabulary",
        "words",
    )

    def __init__(self, chunk: Chunk, around: Surroundings, asked: frozenset[bytes]) -> None:
        self.chunk = chunk
        self.around = around
        self.text = text = chunk.text
        start, end = chunk.char_start, chunk.char_end
        self.words = (plain(text) if start is None else around.plain[start:end]).split()
        """Words of the text as rules compare them, headings included, in order."""
        self.vocabulary = asked.intersection(self.words)
        """Those words any rule or type asks for: ``asked``."""
        self.blocks: list[Block] = []
        """Blocks of the body at depth 0; empty where none is known."""
        self.body = 0
        """Offset in ``text`` after the heading lines the chunk begins with."""
        self.first_kind = ""
        """Kind of the first body block, or empty where none is known."""
        self.cut = False
        """Whether the chunk starts inside that block."""
        if start is not None and end is not None:
            self._find_body(start, end)
        opening = _OPENING.match(text, self.body)
        assert opening is not None  # every part of it is optional
        self.start, self.first_end = opening.span(1)
        """Offset of the first character a reader reads, and after the first word where it is one."""
        self.first = opening[1].lower().replace("’", "'")
        """The first word, lower-cased, or empty."""
        self.trimmed_end = end = len(text.rstrip(_LAST_MARKS))
        """Offset after the last character that is neither blank nor an emphasis mark."""
        self.ending = text[end - 1] if end else ""
        """That character, or empty."""

    def _find_body(self, start: int, end: int) -> None:
        """Finds the blocks that share a character with ``start:end``, and where headings among them end."""
        around = self.around
        low = bisect_right(around.ends, start)
        blocks = around.blocks[low : bisect_left(around.starts, end, low)]
        body, skipped = 0, 0
        for block in blocks:
            if block.kind != "heading":
                self.first_kind, self.cut = block.kind, block.start < start
                break
            body, skipped = block.end - start, skipped + 1
        if not blocks:
            while line := _HEADING_LINE.match(self.text, body):
                body = line.end()
        self.blocks = blocks[skipped:] if skipped else blocks
        self.body = min(body, len(self.text))

    @property
    def last_kind(self) -> str:
        """Kind of the last body block, or empty where none is known."""
        return self.blocks[-1].kind if self.blocks else ""

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
        return self.chunk.heading_path[-1] if self.chunk.heading_path else self.around.document.title

    @property
    def headings(self) -> str:
        """All that is embedded above the body, the note's title and the heading path, lower-cased."""
        return " ".join((self.around.document.title, *self.chunk.heading_path)).strip().lower()
