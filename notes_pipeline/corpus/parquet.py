"""Tables on disk: written whole or not at all, the same bytes for the same rows.

Belongs here: Parquet files and their footers. Stays out: what the tables mean.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from notes_pipeline.errors import UserError

ROWS_PER_GROUP = 2_048
"""Rows of a row group, whatever the batches they came in: part of what makes bytes repeat."""

# Statistics of long texts cost space and help nobody; page bounds are pyarrow's, pinned by the lock.
_OPTIONS = {"compression": "zstd", "compression_level": 3, "version": "2.6", "write_statistics": False}


def write_table(path: Path, table: pa.Table, metadata: Mapping[str, str] | None = None) -> None:
    """``table`` at ``path`` in one step; ``metadata`` goes into the footer beside the schema."""
    with table_writer(path, table.schema) as writer:
        writer.write_all(table.to_batches())
        writer.metadata = dict(metadata or {})


class _HashedFile(io.BufferedWriter):
    """A file that hashes what is written to it."""

    def __init__(self, path: Path) -> None:
        super().__init__(io.FileIO(path, "wb"))
        self.digest = hashlib.sha256()

    def write(self, data: Any) -> int:
        self.digest.update(data)
        return super().write(data)


class TableWriter:
    """A table on its way to disk; holds one row group in memory."""

    def __init__(self, file: pq.ParquetWriter, schema: pa.Schema, sink: _HashedFile) -> None:
        self._file = file
        self._schema = schema
        self._sink = sink
        self._waiting: list[pa.RecordBatch] = []
        self._count = 0
        self.metadata: dict[str, str] = {}
        """Pairs for the footer; may be set until the writer closes."""

    def write_all(self, batches: Iterable[pa.RecordBatch]) -> None:
        """All rows of these batches, and the last row group with them."""
        for batch in batches:
            self._waiting.append(batch)
            self._count += batch.num_rows
            while self._count >= ROWS_PER_GROUP:
                self._write_group(ROWS_PER_GROUP)
        if self._count:
            self._write_group(self._count)

    def write_group(self, table: pa.Table) -> None:
        """``table`` as one row group, however many rows it has; no rows, no group."""
        if table.num_rows:
            self._file.write_table(table.combine_chunks(), row_group_size=table.num_rows)

    def _write_group(self, rows: int) -> None:
        """The first ``rows`` waiting rows, columns contiguous, so that input batches leave no trace."""
        table = pa.Table.from_batches(self._waiting, self._schema)
        group, rest = table.slice(0, rows).combine_chunks(), table.slice(rows)
        self._waiting, self._count = rest.to_batches(), rest.num_rows
        self._file.write_table(group, row_group_size=ROWS_PER_GROUP)

    @property
    def digest(self) -> str:
        """Hex digits over all rows written so far, as they are encoded; the footer is not among them."""
        return self._sink.digest.hexdigest()


@contextlib.contextmanager
def table_writer(path: Path, schema: pa.Schema) -> Iterator[TableWriter]:
    """A writer whose file appears at ``path``, whole, when the block ends well."""
    schema = schema.remove_metadata()
    with (
        atomic_file(path) as temporary,
        _HashedFile(temporary) as sink,
        pq.ParquetWriter(sink, schema, **_OPTIONS) as file,
    ):
        writer = TableWriter(file, schema, sink)
        yield writer
        file.add_key_value_metadata(dict(sorted(writer.metadata.items())))


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """A temporary name beside ``path`` that becomes ``path`` when the block ends well, and vanishes else.

    The data is on disk before the name is: after a crash ``path`` is the old file or the new one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{os.getpid()}-", suffix=".tmp")
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


def leftovers(folder: Path) -> list[Path]:
    """Temporary files anywhere under ``folder`` whose writer is gone: what a kill or a power cut left."""
    return sorted(path for path in folder.rglob(".*.tmp") if not _is_alive(path.name[1:].partition("-")[0]))


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True


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
    with damaged(path), pq.ParquetFile(path) as file:
        return file.read(columns)


def read_metadata(path: Path) -> dict[str, str]:
    """The footer's own pairs of ``path``; those of pyarrow are left out."""
    with damaged(path):
        pairs = pq.read_metadata(path).metadata or {}
    return {key.decode(): value.decode() for key, value in pairs.items() if not key.startswith(b"ARROW:")}


@contextlib.contextmanager
def damaged(path: Path) -> Iterator[None]:
    """Errors of reading ``path`` in this block as a ``UserError`` with the remedy."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise UserError(str(path), f"cannot be read: {error}", "build again with --fresh") from error
