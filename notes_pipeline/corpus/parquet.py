"""Tables on disk: written whole or not at all, the same bytes for the same rows.

Belongs here: Parquet files and their footers. Stays out: what the tables mean.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from notes_pipeline.errors import UserError

ROWS_PER_GROUP = 8_192
"""Rows of a row group, whatever the batches they came in: part of what makes bytes repeat."""

# Statistics of long texts cost space and help nobody; page bounds are pyarrow's, pinned by the lock.
_OPTIONS = {"compression": "zstd", "compression_level": 3, "version": "2.6", "write_statistics": False}


def write_table(path: Path, table: pa.Table, metadata: Mapping[str, str] | None = None) -> None:
    """``table`` at ``path`` in one step; ``metadata`` goes into the footer beside the schema."""
    write_batches(path, table.schema, table.to_batches(), metadata)


def write_batches(
    path: Path,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
    metadata: Mapping[str, str] | None = None,
) -> int:
    """Batches of ``schema`` as one file at ``path``; returns its rows. Holds one row group in memory."""
    pairs = {key.encode(): value.encode() for key, value in sorted((metadata or {}).items())}
    with (
        atomic_file(path) as temporary,
        pq.ParquetWriter(temporary, schema.with_metadata(pairs or None), **_OPTIONS) as writer,
    ):
        rows = 0
        for group in _row_groups(schema, batches):
            writer.write_table(group.replace_schema_metadata(pairs or None), row_group_size=ROWS_PER_GROUP)
            rows += group.num_rows
        return rows


def _row_groups(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The rows in groups of ``ROWS_PER_GROUP``, columns contiguous, so that input batches leave no trace."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        while count >= ROWS_PER_GROUP:
            table = pa.Table.from_batches(waiting, schema)
            yield table.slice(0, ROWS_PER_GROUP).combine_chunks()
            rest = table.slice(ROWS_PER_GROUP)
            waiting, count = rest.to_batches(), rest.num_rows
    if count:
        yield pa.Table.from_batches(waiting, schema).combine_chunks()


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """A temporary name beside ``path`` that becomes ``path`` when the block ends well, and vanishes else.

    The data is on disk before the name is: after a crash ``path`` is the old file or the new one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _flush(temporary)
        temporary.chmod(0o644)
        os.replace(temporary, path)
        flush_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """``text`` in UTF-8 at ``path`` in one step; lone surrogates become U+FFFD."""
    with atomic_file(path) as temporary:
        temporary.write_bytes(text.encode("utf-8", "replace"))


def _flush(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Names in ``folder`` reach the disk; systems that cannot flush a folder are left alone."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_table(path: Path, columns: list[str] | None = None) -> pa.Table:
    """The table at ``path``, or some of its columns. Raises ``UserError`` where it is damaged or missing."""
    try:
        return pq.ParquetFile(path).read(columns)
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from error


def read_metadata(path: Path) -> dict[str, str]:
    """The footer's own pairs of ``path``; those of pyarrow are left out."""
    try:
        pairs = pq.read_metadata(path).metadata or {}
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from error
    return {key.decode(): value.decode() for key, value in pairs.items() if not key.startswith(b"ARROW:")}


def _unreadable(path: Path, error: Exception) -> UserError:
    return UserError(str(path), f"cannot be read: {error}", "build again with --fresh")
