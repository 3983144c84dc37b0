"""What stands around the chunks of one document, read once for all of them.

Belongs here: what rules may look at beside a chunk, and what is cheaper to compute for a document
than for each of its chunks. Stays out: one chunk (``view``), rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from notes_pipeline.flags.acronyms import spelled_out
from notes_pipeline.flags.plain import plain
from notes_pipeline.records import Document, Row, Section
from notes_pipeline.settings import Settings


class Context(NamedTuple):
    """What rules may look at beside the chunk: its document, and its sections or rows."""

    document: Document
    sections: Sequence[Section]
    rows: Sequence[Row]
    settings: Settings


class Surroundings:
    """The context of a document's chunks, and what is read off it at once."""

    def __init__(self, context: Context) -> None:
        self.document, sections, self.rows, self.settings = context
        self.text = self.document.text or ""
        self.plain = plain(self.text)
        """The text as its words are compared, offset by offset."""
        self.blocks = [block for section in sections for block in section.blocks if not block.depth]
        """The blocks at depth 0, in document order, with their places in parallel lists for bisection."""
        self.starts = [block.start for block in self.blocks]
        self.ends = [block.end for block in self.blocks]
        self.expansions = spelled_out(self.text)
        """Abbreviations the document spells out somewhere, with their long form."""

    @cached_property
    def row_at(self) -> dict[tuple[str, int], Row]:
        """Data rows by sheet and row number."""
        return {(row.sheet, row.row_number): row for row in self.rows if row.kind == "data"}
