"""Counts, shares, bins and clusters: the plain arithmetic of a report."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from notes_pipeline.records import Chunk, Discard, Document
from notes_pipeline.report.data import Bin, Cluster, Count, FileRow, Histogram
from notes_pipeline.report.sample import is_flagged
from notes_pipeline.settings import Bands

BINS = 26


def counts(
    values: Iterable[str], before: Mapping[str, int] | None = None, order: Sequence[str] = ()
) -> tuple[Count, ...]:
    """Names with count, share and delta: in ``order`` where given, then the most frequent first."""
    found = Counter(values)
    total = max(found.total(), 1)
    names = [*order, *sorted(found.keys() - set(order), key=lambda name: (-found[name], name))]
    return tuple(
        Count(
            name,
            found[name],
            found[name] / total,
            None if before is None else found[name] - before.get(name, 0),
        )
        for name in names
    )


def histogram(
    title: str,
    unit: str,
    values: Iterable[float],
    step: float,
    bins: int,
    edges: Sequence[tuple[str, float]] = (),
) -> Histogram:
    """``bins`` bins of width ``step`` from 0, and a last one for all above where there is any."""
    starts = [round(step * at, 6) for at in range(bins + 1)]
    found = Counter(bisect_right(starts, value) - 1 for value in values)
    made = [Bin(starts[at], starts[at + 1], found[at]) for at in range(bins)]
    if found[bins]:
        made.append(Bin(starts[bins], None, found[bins]))
    return Histogram(title, unit, tuple(made), tuple(edges))


def word_histogram(title: str, chunks: Iterable[Chunk], bands: Bands) -> Histogram:
    """Words per chunk, with the edges of the bands; the last edge stands inside the bins."""
    edges = (("fragment", bands.fragment), ("short", bands.short), ("too long", bands.too_long))
    step = max(1, -(-bands.too_long * 26 // (25 * BINS)))
    return histogram(title, "words", (chunk.word_count for chunk in chunks), step, BINS, edges)


def unit_histogram(title: str, unit: str, values: Iterable[float], step: float) -> Histogram:
    """Values from 0 to 1 in bins of ``step``; 1 itself belongs to the last bin."""
    below = (min(value, 1 - step / 2) for value in values)
    return histogram(title, unit, below, step, round(1 / step))


def file_rows(
    documents: Sequence[Document], chunks: Sequence[Chunk], discards: Sequence[Discard]
) -> tuple[FileRow, ...]:
    """One row a file, those in trouble first."""
    own: defaultdict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        own[chunk.source_path].append(chunk)
    lost = Counter(discard.source_path for discard in discards)
    rows = [
        _file_row(document, own.get(document.source_path, []), lost[document.source_path])
        for document in documents
    ]
    return tuple(sorted(rows, key=lambda row: (*(-part for part in row.trouble), row.document.source_path)))


def _file_row(document: Document, chunks: Sequence[Chunk], discards: int) -> FileRow:
    decisions = Counter(chunk.decision for chunk in chunks)
    templates = Counter(chunk.template for chunk in chunks if chunk.template)
    return FileRow(
        document=document,
        chunks=len(chunks),
        keep=decisions["keep"],
        review=decisions["review"],
        omit=decisions["omit"],
        discards=discards,
        flagged=sum(map(is_flagged, chunks)),
        words=sum(chunk.word_count for chunk in chunks),
        template=min(templates, key=lambda name: (-templates[name], name), default=""),
    )


def clusters(chunks: Sequence[Chunk], facts: Sequence[Chunk], most: int) -> tuple[Cluster, ...]:
    """Chunks of the same content: the ``most`` largest clusters; ``facts`` are the chunks without texts."""
    others: defaultdict[str, list[str]] = defaultdict(list)
    for chunk in facts:
        if chunk.duplicate_of:
            others[chunk.duplicate_of].append(chunk.locator)
    first = {chunk.chunk_id: place for place, chunk in enumerate(facts) if chunk.chunk_id in others}
    largest = sorted(first, key=lambda chunk_id: (-len(others[chunk_id]), first[chunk_id]))[:most]
    return tuple(Cluster(chunks[first[chunk_id]], tuple(others[chunk_id])) for chunk_id in largest)
