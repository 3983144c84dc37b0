"""A table whose rows stand file by file, looked through by the file with the memory of a row group.

Belongs here: finding the rows of some files, decoded or as they are. Stays out: what they mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from notes_pipeline.corpus.parquet import damaged
from notes_pipeline.records import from_table
from notes_pipeline.stages.keys import Stage
from notes_pipeline.stages.partitions import product_path

_GROUPS_KEPT = 2
"""Row groups kept decoded: files asked for in order rarely need more than the last and the next."""


class _Span(NamedTuple):
    group: int
    start: int
    end: int


class ByFile:
    """One table on disk, opened when first asked. Raises ``UserError`` where it is damaged or missing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._group = lru_cache(_GROUPS_KEPT)(self._read_group)

    @classmethod
    def of(cls, data: Path, stage: Stage, key: str, side: str = "") -> ByFile:
        """The table of a stage for one partition."""
        return cls(product_path(data, stage.asset, key, side))

    @cached_property
    def _file(self) -> pq.ParquetFile:
        with damaged(self._path):
            return pq.ParquetFile(self._path)

    def _read_group(self, group: int) -> pa.Table:
        with damaged(self._path):
            return self._file.read_row_group(group)

    @cached_property
    def _spans(self) -> dict[str, list[_Span]]:
        """Where the rows of each file are: a file's rows may go on in the next row group."""
        spans: dict[str, list[_Span]] = {}
        with damaged(self._path):
            for group in range(self._file.num_row_groups):
                names = self._file.read_row_group(group, ["source_path"]).column("source_path")
                for path, start, end in _runs_of(names):
                    spans.setdefault(path, []).append(_Span(group, start, end))
        return spans

    @property
    def paths(self) -> Collection[str]:
        """The files that have rows."""
        return self._spans.keys()

    def records(self, paths: Iterable[str], kind: type[Any]) -> dict[str, list[Any]]:
        """The records of these files, each file's in their order; an empty list where one has none."""
        found: dict[str, list[Any]] = {path: [] for path in paths}
        parts = list(self._parts(found))
        for record in from_table(pa.concat_tables(parts), kind) if parts else ():
            found[record.source_path].append(record)
        return found

    def rows(self, paths: Iterable[str], schema: pa.Schema) -> pa.Table:
        """The rows of these files as they are, in the order of the table."""
        return pa.concat_tables([schema.empty_table(), *(part.cast(schema) for part in self._parts(paths))])

    def _parts(self, paths: Iterable[str]) -> Iterator[pa.Table]:
        spans = sorted(span for path in paths for span in self._spans.get(path, ()))
        for group, start, end in _joined(spans):
            yield self._group(group).slice(start, end - start)


def _runs_of(names: pa.ChunkedArray) -> Iterator[tuple[str, int, int]]:
    """Each run of one name with its place; no Python string a row."""
    runs = pc.run_end_encode(names.combine_chunks())
    start = 0
    for name, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
        yield name, start, end
        start = end


def _joined(spans: Iterable[_Span]) -> Iterator[_Span]:
    """Spans side by side as one: decoding costs by the call, not only by the row."""
    last: _Span | None = None
    for span in spans:
        if last is not None and span.group == last.group and span.start == last.end:
            last = last._replace(end=span.end)
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last
