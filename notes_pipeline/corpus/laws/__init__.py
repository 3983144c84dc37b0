"""The laws of the house, one function each: what must hold of every build, whoever asks.

Property tests, the blocking checks of a build and ``verify`` all come through here. A law looks at
the snapshot the chunks were made from, never at a file; it reports, it never raises for bad data,
and takes time linear in what it looks at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from notes_pipeline.corpus.laws import blocks, identity, rows, text
from notes_pipeline.corpus.laws.material import CorpusLaw, Law, Lost, Material, Violation, group
from notes_pipeline.records import Chunk, Discard, Document, Row, Section
from notes_pipeline.settings import Settings

__all__ = [
    "CORPUS_LAWS",
    "LAWS",
    "Lost",
    "Material",
    "Violation",
    "corpus_violations",
    "document_violations",
    "group",
    "lost",
    "violations",
]

LAWS: dict[str, Law] = {
    "coverage": text.coverage,
    "slices": text.slices,
    "lines": text.line_numbers,
    "overlap": text.overlap,
    "blocks_whole": blocks.blocks_whole,
    "words_whole": blocks.words_whole,
    "heading_alone": blocks.heading_alone,
    "lead_in": blocks.lead_in,
    "hard_limits": text.hard_limits,
    "rows": rows.rows_add_up,
    "order": identity.order,
    "judgement": identity.judgement,
    "discard_reason": identity.discard_reason,
}
"""Laws about one document and all that came of it."""

CORPUS_LAWS: dict[str, CorpusLaw] = {
    "ids": identity.ids_unique,
    "duplicates": identity.duplicates,
}
"""Laws about all chunks together; they need ids and hashes only."""


def violations(
    documents: Iterable[Document],
    sections: Iterable[Section],
    rows: Iterable[Row],
    chunks: Iterable[Chunk],
    discards: Iterable[Discard],
    settings: Settings,
) -> Iterator[Violation]:
    """Every break of every law; ``documents`` with the text they were read as. None: all laws hold."""
    chunks = list(chunks)
    materials = group(documents, sections, rows, chunks, discards)
    for material in materials:
        yield from document_violations(material, settings)
    yield from corpus_violations(chunks)


def document_violations(material: Material, settings: Settings) -> Iterator[Violation]:
    """Breaks of the laws about one document."""
    for name, law in LAWS.items():
        for place, detail in law(material, settings):
            yield Violation(name, material.source_path, place, detail)


def corpus_violations(chunks: Iterable[Chunk]) -> Iterator[Violation]:
    """Breaks of the laws about all chunks of a corpus, given in corpus order; looks at each chunk once."""
    looks = {name: law() for name, law in CORPUS_LAWS.items()}
    for chunk in chunks:
        for name, look in looks.items():
            for place, detail in look(chunk):
                yield Violation(name, chunk.source_path, place, detail)


def lost(material: Material) -> Lost:
    """Non-blank characters and non-empty rows that are in neither chunk nor discard: counted, not assumed."""
    return Lost(characters=text.lost_characters(material), rows=rows.lost_rows(material))
