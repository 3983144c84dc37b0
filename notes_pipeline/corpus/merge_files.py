"""Many sorted tables on disk -> one sorted table, with the memory of a row group and a few ids a row.

Belongs here: the same order and duplicates as ``merge`` makes of records, made of files. Two passes:
the first reads names and hashes only, the second copies rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from notes_pipeline.corpus.generations import Generation, stage_batches
from notes_pipeline.corpus.merge import merge_losses
from notes_pipeline.corpus.parquet import ROWS_PER_GROUP, read_table
from notes_pipeline.records import (
    CHUNKS,
    DISCARDS,
    DOCUMENTS,
    Chunk,
    Discard,
    Document,
    from_table,
    to_table,
)

Judge = Callable[[Chunk], Chunk]

_BATCH = 2_048
_PLACE = ["source_path", "chunk_index"]


def stage_files(
    data: Path,
    documents: Iterable[Document],
    discards: Iterable[Discard],
    chunk_files: Sequence[Path],
    *,
    settings_hash: str,
    partitions: Mapping[str, Path] | None = None,
    labelled: Collection[str] = (),
    judge: Judge = lambda chunk: chunk,
) -> Generation:
    """Merges and stages in one go what ``merge`` and ``stage`` would, byte for byte, from tables of chunks.

    Chunks whose content hash is ``labelled`` are judged again by ``judge``: a label changes no stage
    before the merge.
    """
    own, lost = merge_losses(documents, discards)
    groups = merged_chunks(chunk_files)
    batches = {
        "chunks": (batch for group in groups for batch in _judged(group, labelled, judge).to_batches()),
        "discards": to_table(lost, DISCARDS).to_batches(),
        "documents": to_table(own, DOCUMENTS).to_batches(),
    }
    return stage_batches(data, batches, settings_hash=settings_hash, partitions=partitions)


def _judged(group: pa.Table, labelled: Collection[str], judge: Judge) -> pa.Table:
    """The group as it is, but for chunks whose content a reviewer labelled."""
    if not labelled or not pc.any(pc.is_in(group["content_hash"], pa.array(labelled, pa.string()))).as_py():
        return group
    names = frozenset(labelled)
    chunks = from_table(group, Chunk)
    return to_table([judge(chunk) if chunk.content_hash in names else chunk for chunk in chunks], CHUNKS)


def merged_chunks(paths: Sequence[Path]) -> Iterator[pa.Table]:
    """The chunks of all files by source path and index, each later twin pointing at the first of its kind.

    Each file is sorted by itself, as every stage writes it; one that is not is sorted in memory.
    """
    if not paths:
        return
    names = [read_table(path, [*_PLACE, "chunk_id", "content_hash"]) for path in paths]
    files = np.repeat(np.arange(len(paths)), [table.num_rows for table in names])
    whole = pa.concat_tables(names)
    order = np.asarray(pc.sort_indices(whole, [(name, "ascending") for name in _PLACE]))
    twins = _twins(whole.select(["chunk_id", "content_hash"]).take(pa.array(order)))
    streams = [_Stream(path, table.num_rows) for path, table in zip(paths, names, strict=True)]
    del names, whole
    for start in range(0, len(order), ROWS_PER_GROUP):
        group = _next_rows(streams, files[order[start : start + ROWS_PER_GROUP]])
        yield _with_column(group, "duplicate_of", twins.slice(start, group.num_rows))


def _twins(names: pa.Table) -> pa.Array:
    """For each row in corpus order, the id of the first row of its content; null for that row itself."""
    hashes = names["content_hash"].combine_chunks().dictionary_encode()
    codes = np.asarray(hashes.indices)
    _, first = np.unique(codes, return_index=True)
    originals = first[codes] if len(codes) else codes
    ids = names["chunk_id"].combine_chunks()
    return pc.if_else(
        pa.array(originals == np.arange(len(codes))),
        pa.scalar(None, pa.string()),
        ids.take(pa.array(originals)),
    )


def _next_rows(streams: Sequence[_Stream], files: np.ndarray) -> pa.Table:
    """The next rows of each file, in the order in which ``files`` names the files."""
    counts = np.bincount(files, minlength=len(streams))
    taken = pa.concat_tables([stream.take(int(count)) for stream, count in zip(streams, counts, strict=True)])
    places = np.empty(len(files), dtype=np.int64)
    places[np.argsort(files, kind="stable")] = np.arange(len(files))
    return taken.take(pa.array(places))


class _Stream:
    """The rows of one file in order, handed out by the number; nothing of it stays once all are out."""

    def __init__(self, path: Path, rows: int) -> None:
        self._left = rows
        self._batches = self._read(path)
        self._rest: pa.Table = CHUNKS.empty_table()

    @staticmethod
    def _read(path: Path) -> Iterator[pa.Table]:
        if not _is_sorted(read_table(path, _PLACE)):
            yield read_table(path).sort_by([(name, "ascending") for name in _PLACE]).cast(CHUNKS)
            return
        with pq.ParquetFile(path, pre_buffer=False) as file:
            for batch in file.iter_batches(_BATCH):
                yield pa.Table.from_batches([batch]).cast(CHUNKS)

    def take(self, count: int) -> pa.Table:
        """The next ``count`` rows."""
        parts = []
        while count:
            if not self._rest.num_rows:
                self._rest = next(self._batches)
            part = self._rest.slice(0, count)
            self._rest = self._rest.slice(part.num_rows)
            parts.append(part)
            count -= part.num_rows
            self._left -= part.num_rows
        if not self._left:
            self._batches, self._rest = iter(()), CHUNKS.empty_table()
        return pa.concat_tables(parts) if parts else CHUNKS.empty_table()


def _is_sorted(place: pa.Table) -> bool:
    order = np.asarray(pc.sort_indices(place, [(name, "ascending") for name in _PLACE]))
    return bool((order == np.arange(len(order))).all())


def _with_column(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), CHUNKS.field(name), values)
