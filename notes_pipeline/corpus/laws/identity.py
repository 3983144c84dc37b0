"""Laws about names and judgement: ids unique, order kept, duplicates true, every omission explained."""

from __future__ import annotations

from collections.abc import Iterator

from notes_pipeline.corpus.laws.material import Look, Material
from notes_pipeline.ids import content_hash, encode_path
from notes_pipeline.records import DECISIONS, QUALITIES, Chunk
from notes_pipeline.settings import Settings


def order(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Chunks of a file count from 0 without a gap, and their names and hashes are those of their content."""
    prefix = encode_path(material.source_path) + "#"
    for expected, chunk in enumerate(material.chunks):
        if chunk.chunk_index != expected:
            yield chunk.locator, f"chunk_index is {chunk.chunk_index}, {expected} comes here"
        if not chunk.chunk_id.startswith(prefix) or not chunk.locator.startswith(prefix):
            yield chunk.locator, f"chunk_id and locator must begin with {prefix}"
        if chunk.content_hash != content_hash(chunk.heading_path, chunk.text):
            yield chunk.locator, "content_hash is not that of heading path and text"


def judgement(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Every decision is known and explained, every finding points into its text."""
    for chunk in material.chunks:
        if chunk.decision not in DECISIONS or chunk.quality not in QUALITIES:
            yield chunk.locator, f"decision {chunk.decision!r}, quality {chunk.quality!r}"
        if not chunk.decision_reason:
            yield chunk.locator, f"is {chunk.decision} without the rule that said so"
        for finding in chunk.findings:
            if not 0 <= finding.start <= finding.end <= len(chunk.text):
                yield chunk.locator, f"finding {finding.rule} points outside its text"


def discard_reason(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Nothing is thrown away without a reason."""
    for discard in material.discards:
        if not discard.reason:
            place = discard.start_line if discard.row_number is None else discard.row_number
            yield str(place or ""), "a discard has no reason"


def ids_unique() -> Look:
    """Law 4: no two chunks share an id, and no two a locator, part and index."""
    ids: set[str] = set()
    places: set[tuple[str, int | None, int]] = set()

    def look(chunk: Chunk) -> Iterator[tuple[str, str]]:
        place = (chunk.locator, chunk.part, chunk.chunk_index)
        if chunk.chunk_id in ids:
            yield chunk.locator, f"chunk_id {chunk.chunk_id} is there twice"
        if place in places:
            yield chunk.locator, "the locator is there twice"
        ids.add(chunk.chunk_id)
        places.add(place)

    return look


def duplicates() -> Look:
    """Corpus order is by source path and index; ``duplicate_of`` names the first chunk of that content."""
    first: dict[str, str] = {}
    last = [("", -1)]

    def look(chunk: Chunk) -> Iterator[tuple[str, str]]:
        here = (chunk.source_path, chunk.chunk_index)
        if here <= last[0]:
            yield chunk.locator, "stands after a chunk that comes later"
        last[0] = here
        original = first.setdefault(chunk.content_hash, chunk.chunk_id)
        expected = None if original == chunk.chunk_id else original
        if chunk.duplicate_of != expected:
            yield chunk.locator, f"duplicate_of is {chunk.duplicate_of}, should be {expected}"

    return look
