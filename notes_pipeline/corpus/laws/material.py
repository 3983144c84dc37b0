"""What a law looks at: one document, and everything that came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from notes_pipeline.lines import Lines
from notes_pipeline.records import Chunk, Discard, Document, Row, Section
from notes_pipeline.settings import Settings


class Violation(NamedTuple):
    """One break of one law: where, and what is wrong there."""

    law: str
    source_path: str
    place: str
    detail: str

    def __str__(self) -> str:
        return f"{self.source_path}:{self.place}: {self.law}: {self.detail}"


class Lost(NamedTuple):
    """What is in neither chunk nor discard."""

    characters: int
    rows: int

    @property
    def total(self) -> int:
        """Both together; 0 is the law."""
        return self.characters + self.rows


Law = Callable[["Material", Settings], Iterator[tuple[str, str]]]
"""Yields place and detail of each break in one document."""
Look = Callable[[Chunk], Iterator[tuple[str, str]]]
"""Looks at the next chunk of a corpus; yields place and detail of each break it shows."""
CorpusLaw = Callable[[], Look]
"""Starts looking at a corpus; remembers a few ids and hashes a chunk."""


@dataclass
class Material:
    """One document with its sections, rows, chunks and discards, each in order of place."""

    source_path: str
    document: Document | None = None
    sections: list[Section] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    discards: list[Discard] = field(default_factory=list)

    @property
    def text(self) -> str | None:
        """The decoded text where offsets count in it: notes, not tables."""
        if self.document is None or self.document.source_type in ROW_SOURCES:
            return None
        return self.document.text

    @cached_property
    def lines(self) -> Lines:
        """The lines of ``text``."""
        return Lines(self.text or "")

    @cached_property
    def slices(self) -> list[Chunk]:
        """Chunks that are slices of the text, in order of index."""
        return [chunk for chunk in self.chunks if chunk.char_start is not None and chunk.char_end is not None]

    def line(self, offset: int) -> str:
        """The place of a character, as an editor shows it."""
        return str(self.lines.number(offset))


ROW_SOURCES = frozenset(("excel", "csv"))
"""Source types made of rows: their laws count rows, not characters."""


def span(record: Chunk | Discard) -> tuple[int, int]:
    """Start and end of a record that has a place in the text; ``(0, 0)`` for one that has none."""
    return record.char_start or 0, record.char_end or 0


def group(
    documents: Iterable[Document],
    sections: Iterable[Section],
    rows: Iterable[Row],
    chunks: Iterable[Chunk],
    discards: Iterable[Discard],
) -> list[Material]:
    """Everything by document, sorted by source path; records of an unknown document make one without it."""
    found: dict[str, Material] = {}

    def of(source_path: str) -> Material:
        return found.setdefault(source_path, Material(source_path))

    for document in documents:
        of(document.source_path).document = document
    for section in sections:
        of(section.source_path).sections.append(section)
    for row in rows:
        of(row.source_path).rows.append(row)
    for chunk in chunks:
        of(chunk.source_path).chunks.append(chunk)
    for discard in discards:
        of(discard.source_path).discards.append(discard)
    return [found[source_path] for source_path in sorted(found)]
