"""Merge and normalise: one order, duplicates marked, file-level problems as states of documents.

Belongs here: what turns the parts of a build into one corpus. Stays out: files (``parquet``,
``generations``) and judgement (``decide``); merging keeps every decision as it was made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from notes_pipeline.records import DOCUMENT_STATES, INTERNAL_ERROR, Chunk, Discard, Document

FILE_STATES = frozenset(DOCUMENT_STATES) - {"read"}


@dataclass(frozen=True)
class Corpus:
    """All products of one build; documents without what was read of them."""

    documents: tuple[Document, ...]
    chunks: Sequence[Chunk]
    """In memory, or a table on disk."""
    discards: tuple[Discard, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    """``documents``, ``read``, ``chunks``, ``keep``, ``review``, ``omit``, ``discards``, ``duplicates``,
    ``words``."""


def merge(documents: Iterable[Document], chunks: Iterable[Chunk], discards: Iterable[Discard]) -> Corpus:
    """The corpus of all parts, in any order: the result does not depend on how the work was divided.

    Chunks and discards come sorted by source path and place. A discard whose reason is a document
    state speaks of the whole file: it becomes the state of its document. So does an internal error,
    which stays a discard too, for the text it holds.
    """
    own, lost = merge_losses(documents, discards)
    marked = _with_duplicates(sorted(chunks, key=chunk_order))
    return Corpus(own, marked, lost, _counts(own, marked, lost))


def merge_losses(
    documents: Iterable[Document], discards: Iterable[Discard]
) -> tuple[tuple[Document, ...], tuple[Discard, ...]]:
    """Documents in their final state, and the losses inside them, both in corpus order."""
    placed, problems = _split(discards)
    own = sorted((_stated(document, problems) for document in documents), key=lambda it: it.source_path)
    return tuple(own), tuple(sorted(placed, key=discard_order))


def chunk_order(chunk: Chunk) -> tuple[str, int]:
    """Where a chunk stands in the corpus."""
    return chunk.source_path, chunk.chunk_index


def discard_order(discard: Discard) -> tuple[str, int, str, int, str, str]:
    """Where a discard stands: by file, then by place, then by what it says."""
    start = -1 if discard.char_start is None else discard.char_start
    row = -1 if discard.row_number is None else discard.row_number
    return discard.source_path, start, discard.sheet or "", row, discard.reason, discard.text_hash


def _split(discards: Iterable[Discard]) -> tuple[list[Discard], dict[str, Discard]]:
    placed: list[Discard] = []
    problems: dict[str, Discard] = {}
    for discard in discards:
        whole = discard.char_start is None and discard.row_number is None
        if discard.reason == INTERNAL_ERROR or (discard.reason in FILE_STATES and whole):
            problems.setdefault(discard.source_path, discard)
        if discard.reason not in FILE_STATES or not whole or discard.text:
            placed.append(discard)
    return placed, problems


def _stated(document: Document, problems: Mapping[str, Discard]) -> Document:
    """The document as ``documents.parquet`` keeps it: its final state, nothing of its content."""
    state, error = document.state, document.error
    if document.state == "read" and (problem := problems.get(document.source_path)):
        state, error = problem.reason, problem.detail
    return replace(document, state=state, error=error, text=None, content=None)


def _with_duplicates(chunks: list[Chunk]) -> tuple[Chunk, ...]:
    """Chunks in order, each later twin pointing at the first of its kind, in whatever file."""
    first: dict[str, str] = {}
    marked = []
    for chunk in chunks:
        original = first.setdefault(chunk.content_hash, chunk.chunk_id)
        twin = None if original == chunk.chunk_id else original
        marked.append(chunk if chunk.duplicate_of == twin else replace(chunk, duplicate_of=twin))
    return tuple(marked)


def _counts(
    documents: Sequence[Document], chunks: Sequence[Chunk], discards: Sequence[Discard]
) -> dict[str, int]:
    decisions = Counter(chunk.decision for chunk in chunks)
    return {
        "documents": len(documents),
        "read": sum(document.state == "read" for document in documents),
        "chunks": len(chunks),
        "keep": decisions["keep"],
        "review": decisions["review"],
        "omit": decisions["omit"],
        "discards": len(discards),
        "duplicates": sum(chunk.duplicate_of is not None for chunk in chunks),
        "words": sum(chunk.word_count for chunk in chunks),
    }
