"""The one way a stage makes its product: unchanged files are carried over, the rest is worked on.

Belongs here: reading what a former build left, deciding what still holds, writing the new
tables in one order. Stays out: what the work is.

A product is one or more tables of one partition, each sorted by source path, each with the
same footer: the stage's reuse key and the hash of every file it was made from. A file's rows
are reused where both are as they were.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from notes_pipeline.corpus.parquet import read_metadata, read_table, write_table
from notes_pipeline.errors import UserError
from notes_pipeline.records import SCHEMA_VERSION, SCHEMAS, from_table
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.keys import STAGES, Stage, stage_key
from notes_pipeline.stages.partitions import product_path

Tables = Mapping[str, pa.Table]
"""Tables of one product; the main one under ``""``, the others under the name of their side."""

BATCH_BYTES = 1_000_000
BATCH_FILES = 200
"""A batch is what one worker gets at once: large enough to be worth sending, small enough to bound memory."""


@dataclass(frozen=True, slots=True)
class Product:
    """The tables of one asset: record kind by side."""

    stage: Stage
    kinds: Mapping[str, type]

    def paths(self, data: Path, key: str) -> dict[str, Path]:
        """Sides first, the main table last: it is written last, so a torn product shows in its footers."""
        names = sorted(self.kinds, reverse=True)
        return {side: product_path(data, self.stage.asset, key, side) for side in names}


@dataclass(frozen=True, slots=True)
class Input:
    """One file as a stage sees it."""

    source_path: str
    file_hash: str
    size: int
    """Bytes or characters: what its work costs, roughly."""


def paths_of(inputs: Iterable[Input]) -> list[str]:
    """Their source paths, in order."""
    return [file.source_path for file in inputs]


Gather = Callable[[Sequence[Input]], Any]
"""Turns a batch of inputs into the task a worker is sent."""


def refresh(
    build: Build,
    product: Product,
    key: str,
    inputs: Sequence[Input],
    task: Gather,
    work: Callable[[Any], Tables],
) -> Outcome:
    """Brings one partition's product up to date.

    ``inputs`` are sorted by path. ``task`` gathers a batch of them here, ``work`` turns it into
    tables, maybe in another process.
    """
    asset = product.stage.asset
    footer = footer_of(build, product.stage, inputs)
    paths = product.paths(build.data, key)
    old = None if build.fresh else footers_on_disk(paths, footer["key"])
    known = json.loads(old["inputs"]) if old is not None else {}
    if old is not None and old["inputs"] == footer["inputs"]:
        return Outcome(asset, key, 0, len(inputs), False, json.loads(old["records"]))
    todo = [file for file in inputs if known.get(file.source_path) != file.file_hash]
    made = list(build.pool.map(work, map(task, batches(todo)), sum(file.size for file in todo)))
    kept = {file.source_path for file in inputs} - {file.source_path for file in todo}
    order = {file.source_path: rank for rank, file in enumerate(inputs)}
    tables = {
        side: assemble(kind, [part[side] for part in made], paths[side] if kept else None, kept, order)
        for side, kind in product.kinds.items()
    }
    records = save(build, product, key, footer, inputs, tables)
    return Outcome(asset, key, len(todo), len(inputs) - len(todo), True, records)


def current_footer(build: Build, product: Product, key: str, inputs: Sequence[Input]) -> str | None:
    """The reuse key of the product on disk if it is what ``refresh`` would leave there, else None."""
    footer = footer_of(build, product.stage, inputs)
    old = footers_on_disk(product.paths(build.data, key), footer["key"])
    return footer["key"] if old is not None and old["inputs"] == footer["inputs"] else None


def save(
    build: Build,
    product: Product,
    key: str,
    footer: Mapping[str, str],
    inputs: Sequence[Input],
    tables: Tables,
) -> dict[str, int]:
    """Writes the tables of a product with their footer; returns their numbers of rows."""
    records = {side: tables[side].num_rows for side in sorted(tables)}
    whole = {**footer, "inputs": _hashes(inputs), "records": json.dumps(records)}
    for side, path in product.paths(build.data, key).items():
        write_table(path, tables[side], whole)
    return records


def footer_of(build: Build, stage: Stage, inputs: Sequence[Input]) -> dict[str, str]:
    """What the tables of a product say of their making; the numbers of rows come with ``save``."""
    settings = build.workspace.settings
    templates = build.registry.hash if uses_templates(stage) else ""
    return {
        "asset": stage.asset,
        "schema_version": str(SCHEMA_VERSION),
        "settings_hash": settings.hash,
        "key": stage_key(stage, settings.hash, templates),
        "inputs": _hashes(inputs),
    }


def _hashes(inputs: Sequence[Input]) -> str:
    return json.dumps({file.source_path: file.file_hash for file in inputs})


def uses_templates(stage: Stage) -> bool:
    """Whether row templates decide this stage or one before it."""
    return stage.templates or any(uses_templates(STAGES[asset]) for asset in stage.after)


def footers_on_disk(paths: Mapping[str, Path], key: str) -> dict[str, str] | None:
    """The footer all tables of a product share; None where one is missing, torn or of another making."""
    found = []
    for path in paths.values():
        try:
            found.append(dict(read_metadata(path)))
        except UserError:
            return None
    first = found[0]
    whole = all({"key", "inputs", "records"} <= footer.keys() for footer in found)
    if not whole or any((footer["key"], footer["inputs"]) != (key, first["inputs"]) for footer in found):
        return None
    return first


def batches(inputs: Iterable[Input]) -> Iterator[list[Input]]:
    """Runs of files, each a task for one worker; a file larger than a batch is one alone."""
    batch: list[Input] = []
    size = 0
    for file in inputs:
        if batch and (size + file.size > BATCH_BYTES or len(batch) >= BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


def assemble(
    kind: type, made: Sequence[pa.Table], old: Path | None, kept: set[str], order: Mapping[str, int]
) -> pa.Table:
    """New and kept rows in the order of their files; within a file, in the order they were made."""
    schema = SCHEMAS[kind]
    if old is None:
        return pa.concat_tables([schema.empty_table(), *made])
    before = read_table(old)
    wanted = pc.is_in(before.column("source_path"), pa.array(sorted(kept), pa.string()))
    table = pa.concat_tables([before.filter(wanted).cast(schema), *made])
    ranks = np.fromiter((order[path] for path in table.column("source_path").to_pylist()), np.int64)
    return table.take(pa.array(np.argsort(ranks, kind="stable")))


class ByFile:
    """A table whose rows stand file by file, opened when first asked; few files are decoded at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, build: Build, stage: Stage, key: str, side: str = "") -> ByFile:
        """The table of a stage for one partition."""
        return cls(product_path(build.data, stage.asset, key, side))

    @cached_property
    def _table(self) -> pa.Table:
        return read_table(self._path)

    @cached_property
    def _spans(self) -> dict[str, tuple[int, int]]:
        spans: dict[str, tuple[int, int]] = {}
        for at, path in enumerate(self._table.column("source_path").to_pylist()):
            start, _ = spans.get(path, (at, at))
            spans[path] = (start, at + 1)
        return spans

    @property
    def paths(self) -> Collection[str]:
        """The files that have rows."""
        return self._spans.keys()

    def records(self, paths: Iterable[str], kind: type[Any]) -> dict[str, list[Any]]:
        """The records of these files, each file's in their order; an empty list where one has none."""
        found: dict[str, list[Any]] = {path: [] for path in paths}
        parts = [self._table.slice(start, end - start) for start, end in self._runs(found)]
        for record in from_table(pa.concat_tables(parts), kind) if parts else ():
            found[record.source_path].append(record)
        return found

    def _runs(self, paths: Iterable[str]) -> Iterator[tuple[int, int]]:
        """Spans of rows, those side by side as one: decoding costs by the call, not only by the row."""
        first, last = 0, 0
        for start, end in sorted(self._spans[path] for path in paths if path in self._spans):
            if start != last:
                if last > first:
                    yield first, last
                first = start
            last = end
        if last > first:
            yield first, last
