"""A few chunks to read: chosen by the settings' hash, from every kind of source, flagged and not.

Belongs here: choosing and framing them. The same settings choose the same chunks as long as these
exist: each chunk draws its own lot, so an edit elsewhere moves nothing.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import defaultdict
from collections.abc import Sequence

from notes_pipeline.flags import RULES
from notes_pipeline.records import Chunk
from notes_pipeline.report.data import SampleCard
from notes_pipeline.report.marks import OVERLAP, segments

PER_STRATUM = 6
NEIGHBOUR = 240
"""Characters shown of the chunks before and after."""


_RULES = frozenset(rule.name for rule in RULES)


def is_flagged(chunk: Chunk) -> bool:
    """Whether a rule of ``flags`` saw something, or the chunk is not simply kept.

    What the cutter and the row writer say of their own work (a row in parts, a comment) is no flag.
    """
    return chunk.decision != "keep" or any(finding.rule in _RULES for finding in chunk.findings)


def sample(chunks: Sequence[Chunk], facts: Sequence[Chunk], settings_hash: str) -> tuple[SampleCard, ...]:
    """Up to ``PER_STRATUM`` chunks of each source type, flagged and unflagged, in corpus order.

    ``facts`` are the same chunks without their texts: what the choice needs.
    """
    strata: defaultdict[tuple[str, bool], list[int]] = defaultdict(list)
    for place, chunk in enumerate(facts):
        strata[chunk.source_type, is_flagged(chunk)].append(place)
    chosen: list[int] = []
    for places in strata.values():
        chosen += heapq.nsmallest(
            PER_STRATUM, places, key=lambda place: _lot(settings_hash, facts[place].chunk_id)
        )
    return tuple(_card(chunks, place) for place in sorted(chosen))


def _lot(seed: str, chunk_id: str) -> bytes:
    return hashlib.blake2b(f"{seed}:{chunk_id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _card(chunks: Sequence[Chunk], place: int) -> SampleCard:
    chunk = chunks[place]
    before = _neighbour(chunks, place - 1, chunk)
    after = _neighbour(chunks, place + 1, chunk)
    spans = [
        (0, _shared(before, chunk), OVERLAP),
        (len(chunk.text) - _shared(chunk, after), len(chunk.text), OVERLAP),
    ]
    spans += [(finding.start, finding.end, finding.rule) for finding in chunk.findings]
    return SampleCard(
        chunk=chunk,
        flagged=is_flagged(chunk),
        before=before.text[-NEIGHBOUR:] if before else "",
        after=after.text[:NEIGHBOUR] if after else "",
        segments=segments(chunk.text, spans),
    )


def _neighbour(chunks: Sequence[Chunk], place: int, chunk: Chunk) -> Chunk | None:
    if 0 <= place < len(chunks) and chunks[place].source_path == chunk.source_path:
        return chunks[place]
    return None


def _shared(first: Chunk | None, second: Chunk | None) -> int:
    """Characters that two neighbouring windows have in common."""
    if first is None or second is None or first.char_end is None or second.char_start is None:
        return 0
    return max(0, first.char_end - second.char_start)
