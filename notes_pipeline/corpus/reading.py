"""A corpus on disk: its chunks decoded as they are asked for.

Belongs here: looking through a large table with a small memory. Stays out: what is in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, overload

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from notes_pipeline.corpus.generations import Generation
from notes_pipeline.corpus.merge import Corpus
from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.records import DOCUMENTS, Chunk, Discard, Document, DocumentFacts, from_table

BATCH = 1_024
"""Chunks decoded at a time."""


class ChunkTable(Sequence[Chunk]):
    """The chunks of ``path``, as many as it has rows: a batch in memory, or one row group to look one up."""

    def __init__(self, path: Path) -> None:
        self._path = path
        footer = pq.read_metadata(path)
        self._length: int = footer.num_rows
        self._group_rows: list[int] = [footer.row_group(at).num_rows for at in range(footer.num_row_groups)]
        self._group: tuple[int, Any] = (-1, None)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Chunk]:
        with pq.ParquetFile(self._path) as file:
            for batch in file.iter_batches(BATCH):
                yield from from_table(pa.Table.from_batches([batch]), Chunk)

    @overload
    def __getitem__(self, place: int) -> Chunk: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Chunk]: ...

    def __getitem__(self, place: int | slice) -> Chunk | Sequence[Chunk]:
        if isinstance(place, slice):
            return [self._at(at) for at in range(*place.indices(self._length))]
        if not -self._length <= place < self._length:
            raise IndexError(place)
        return self._at(place % self._length)

    def _at(self, place: int) -> Chunk:
        group = 0
        while place >= self._group_rows[group]:
            place -= self._group_rows[group]
            group += 1
        return from_table(self._read(group).slice(place, 1), Chunk)[0]

    def _read(self, group: int) -> Any:
        if self._group[0] != group:
            with pq.ParquetFile(self._path) as file:
                self._group = group, file.read_row_group(group)
        return self._group[1]


def read_corpus(generation: Generation) -> Corpus:
    """The corpus of a generation; its chunks stay on the disk."""
    documents = tuple(_documents(generation.table("documents")))
    discards = tuple(from_table(read_table(generation.table("discards")), Discard))
    judged = read_table(generation.table("chunks"), ["decision", "duplicate_of", "word_count"])
    decisions = Counter(judged["decision"].to_pylist())
    counts = {
        "documents": len(documents),
        "read": sum(document.state == "read" for document in documents),
        "chunks": judged.num_rows,
        "keep": decisions["keep"],
        "review": decisions["review"],
        "omit": decisions["omit"],
        "discards": len(discards),
        "duplicates": judged.num_rows - judged["duplicate_of"].null_count,
        "words": pc.sum(judged["word_count"]).as_py() or 0,
    }
    return Corpus(documents, ChunkTable(generation.table("chunks")), discards, counts)


def _documents(path: Path) -> Iterator[Document]:
    """Documents without what was read of them."""
    for facts in from_table(read_table(path, DOCUMENTS.names), DocumentFacts):
        yield Document(**{name: getattr(facts, name) for name in DOCUMENTS.names}, text=None, content=None)
