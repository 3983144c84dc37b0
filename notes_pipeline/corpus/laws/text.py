"""Laws about characters: nothing lost, slices exact, lines right, overlaps exact, limits hard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from notes_pipeline.corpus.laws.material import ROW_SOURCES, Material, span
from notes_pipeline.ids import text_hash
from notes_pipeline.records import DISCARD_TEXT_LIMIT, Chunk, Discard
from notes_pipeline.settings import HARD_CHARACTERS, Settings

Span = tuple[int, int]


def coverage(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 1: every non-blank character lies in a chunk, or else in exactly one discard."""
    source = material.text
    if material.document is None:
        yield "", "has chunks or discards but no document"
        return
    if source is None:
        return
    for start, end in uncovered(material):
        lost = _ink(source[start:end])
        yield material.line(start), f"{lost} characters from {start} on are in no chunk and no discard"
    chunks = union(span(chunk) for chunk in material.slices)
    discards = sorted(span(discard) for discard in material.discards if discard.char_start is not None)
    for start, end in [*_shared(chunks, discards), *_twice(discards)]:
        if _ink(source[start:end]):
            yield material.line(start), f"characters {start}:{end} are in a discard and in something else"


def lost_characters(material: Material) -> int:
    """Non-blank characters of the text in neither chunk nor discard."""
    source = material.text
    return 0 if source is None else sum(_ink(source[start:end]) for start, end in uncovered(material))


def uncovered(material: Material) -> list[Span]:
    """Spans of the text that hold ink and are in neither chunk nor discard."""
    source = material.text or ""
    places = [span(chunk) for chunk in material.slices]
    places += [span(discard) for discard in material.discards if discard.char_start is not None]
    gaps, position = [], 0
    for start, end in [*union(places), (len(source), len(source))]:
        if start > position and _ink(source[position:start]):
            gaps.append((position, start))
        position = max(position, end)
    return gaps


def union(spans: Iterable[Span]) -> list[Span]:
    """Sorted, disjoint spans that hold the same characters."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif end > start:
            merged.append((start, end))
    return merged


def _shared(left: list[Span], right: list[Span]) -> Iterator[Span]:
    """Parts of sorted ``right`` that lie in sorted, disjoint ``left``."""
    at = 0
    for start, end in right:
        while at < len(left) and left[at][1] <= start:
            at += 1
        here = at
        while here < len(left) and left[here][0] < end:
            yield max(start, left[here][0]), min(end, left[here][1])
            here += 1


def _twice(spans: list[Span]) -> Iterator[Span]:
    """Parts of sorted spans that lie in an earlier one too."""
    reached = 0
    for start, end in spans:
        if start < reached:
            yield start, min(end, reached)
        reached = max(reached, end)


def _ink(text: str) -> int:
    """Characters that are not blank."""
    return sum(map(len, text.split()))


def slices(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 2: ``source[char_start:char_end] == text``, for chunks and for what a discard keeps."""
    source = material.text
    if source is None:
        yield from _no_text_no_slice(material)
        return
    for chunk in material.chunks:
        start, end = span(chunk)
        if (
            chunk.char_start is None
            or source[start:end] != chunk.text
            or not 0 <= start <= end <= len(source)
        ):
            yield _place(material, chunk), f"chunk {chunk.locator} is not the slice {start}:{end}"
    for discard in material.discards:
        if discard.char_start is not None and not _keeps_its_slice(source, discard):
            start, end = span(discard)
            yield _place(material, discard), f"discard {discard.reason} is not the slice {start}:{end}"


def _keeps_its_slice(source: str, discard: Discard) -> bool:
    start, end = span(discard)
    text = source[start:end]
    whole = (discard.text_length, discard.text_hash) == (len(text), text_hash(text))
    return whole and discard.text == text[:DISCARD_TEXT_LIMIT] and 0 <= start <= end <= len(source)


def _no_text_no_slice(material: Material) -> Iterator[tuple[str, str]]:
    records: list[Chunk | Discard] = [*material.chunks, *material.discards]
    for record in records:
        if record.char_start is not None:
            yield "", f"claims the slice {record.char_start}:{record.char_end} of a file that has no text"


def _place(material: Material, record: Chunk | Discard) -> str:
    if record.char_start is None:
        return f"{record.sheet}!{record.row_number}" if record.sheet else ""
    return material.line(record.char_start)


def line_numbers(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Lines are those in which the slice's first and last character stand."""
    if material.text is None:
        return
    records: list[Chunk | Discard] = [*material.slices, *material.discards]
    for record in records:
        if record.char_start is None or record.char_end is None:
            continue
        right = material.lines.range(record.char_start, record.char_end)
        if right != (record.start_line, record.end_line):
            given = f"{record.start_line}-{record.end_line}"
            yield (
                material.line(record.char_start),
                f"lines are {right[0]}-{right[1]}, the record says {given}",
            )


def overlap(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 5: windows go forward at both ends, none lies inside another, and share only what they may.

    That the tail of one window is the head of the next follows: both are exact slices.
    """
    for before, after in zip(material.slices, material.slices[1:], strict=False):
        (start, end), (next_start, next_end) = span(before), span(after)
        if next_start <= start or next_end <= end:
            yield material.line(next_start), f"{after.locator} lies inside {before.locator} or before it"
        elif next_start < end and not settings.preset.overlap:
            yield (
                material.line(next_start),
                f"{after.locator} overlaps {before.locator}, the preset has no overlap",
            )


def hard_limits(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 8: no chunk is over the limits of its preset, and none over the ceiling in characters."""
    document = material.document
    rows = document is not None and document.source_type in ROW_SOURCES
    characters = HARD_CHARACTERS if rows else settings.preset.hard_characters
    words = None if rows else settings.preset.hard_words
    for chunk in material.chunks:
        if len(chunk.text) > characters:
            yield (
                _place(material, chunk),
                f"{chunk.locator} has {len(chunk.text)} characters, at most {characters}",
            )
        if words is not None and chunk.word_count > words:
            yield _place(material, chunk), f"{chunk.locator} has {chunk.word_count} words, at most {words}"
