"""The one way a stage makes its product: unchanged files are carried over, the rest is worked on.

Belongs here: reading what a former build left, deciding what still holds, writing the new
tables in one order, a batch of files in memory. Stays out: what the work is.

A product is one or more tables of one partition, each sorted by source path, each with the
same footer: the stage's reuse key and the hash of every file it was made from. A file's rows
are reused where both are as they were.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from notes_pipeline.corpus.parquet import read_metadata, table_writer
from notes_pipeline.errors import UserError
from notes_pipeline.records import SCHEMA_VERSION, SCHEMAS
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.by_file import ByFile
from notes_pipeline.stages.keys import STAGES, Basis, Stage, stage_key
from notes_pipeline.stages.partitions import product_path

Tables = Mapping[str, pa.Table]
"""Tables of one product; the main one under ``""``, the others under the name of their side."""

BATCH_BYTES = 1_000_000
BATCH_FILES = 200
"""A batch is what one worker gets at once, and a row group of the product: large enough to be worth
sending, small enough to bound memory."""


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
    todo = {file.source_path for file in inputs if known.get(file.source_path) != file.file_hash}
    runs = list(batches(inputs))
    new = ([file for file in run if file.source_path in todo] for run in runs)
    size = sum(file.size for file in inputs if file.source_path in todo)
    made = iter(build.pool.map(work, (task(files) for files in new if files), size))
    kept = {side: ByFile(path) for side, path in paths.items()}
    saved = save(build, product, key, footer, inputs, in_runs(product.kinds, runs, todo, made, kept))
    return Outcome(asset, key, len(todo), len(inputs) - len(todo), True, saved.records)


def current_footer(build: Build, product: Product, key: str, inputs: Sequence[Input]) -> str | None:
    """The reuse key of the product on disk if it is what ``refresh`` would leave there, else None."""
    footer = footer_of(build, product.stage, inputs)
    old = footers_on_disk(product.paths(build.data, key), footer["key"])
    return footer["key"] if old is not None and old["inputs"] == footer["inputs"] else None


class Saved(NamedTuple):
    """What was written."""

    records: dict[str, int]
    """Rows by side."""
    digest: str
    """Over the rows of the main table."""


def save(
    build: Build,
    product: Product,
    key: str,
    footer: Mapping[str, str],
    inputs: Sequence[Input],
    groups: Iterable[Tables],
) -> Saved:
    """Writes the tables of a product with their footer, a row group for each of ``groups``.

    Borders of row groups follow the files alone, so bytes tell nothing of what was carried over.
    ``inputs`` are looked at after the last group.
    """
    records = dict.fromkeys(sorted(product.kinds), 0)
    with contextlib.ExitStack() as stack:
        # The one opened first is closed last: a torn product shows in the footer of its main table.
        writers = {
            side: stack.enter_context(table_writer(path, SCHEMAS[product.kinds[side]]))
            for side, path in sorted(product.paths(build.data, key).items())
        }
        for tables in groups:
            for side, writer in writers.items():
                writer.write_group(tables[side])
                records[side] += tables[side].num_rows
        digest = writers[""].digest
        for writer in writers.values():
            writer.metadata = {
                **footer,
                "inputs": _hashes(inputs),
                "records": json.dumps(records),
                "rows": digest,
            }
    return Saved(records, digest)


def footer_of(build: Build, stage: Stage, inputs: Sequence[Input]) -> dict[str, str]:
    """What the tables of a product say of their making; the numbers of rows come with ``save``."""
    settings = build.workspace.settings
    basis = Basis(
        settings.hash,
        build.registry.hash if rests_on(stage, "templates") else "",
        build.engine_version if rests_on(stage, "sentences") else "",
    )
    return {
        "asset": stage.asset,
        "schema_version": str(SCHEMA_VERSION),
        "settings_hash": settings.hash,
        "key": stage_key(stage, basis),
        "inputs": _hashes(inputs),
    }


def _hashes(inputs: Sequence[Input]) -> str:
    return json.dumps({file.source_path: file.file_hash for file in inputs})


def rests_on(stage: Stage, what: str) -> bool:
    """Whether ``templates`` or ``sentences`` decide this stage or one before it."""
    return getattr(stage, what) or any(rests_on(STAGES[asset], what) for asset in stage.after)


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


def in_runs(
    kinds: Mapping[str, type],
    runs: Iterable[Sequence[Input]],
    todo: Collection[str],
    made: Iterator[Tables],
    old: Mapping[str, ByFile],
) -> Iterator[Tables]:
    """The tables of one run of files after the other, new and kept rows in the order of their files.

    ``made`` gives the tables of every run that has files in ``todo``; rows of all others are ``old``.
    """
    for run in runs:
        new = next(made) if any(file.source_path in todo for file in run) else None
        kept = [file.source_path for file in run if file.source_path not in todo]
        order = {file.source_path: rank for rank, file in enumerate(run)}
        yield {
            side: _in_order(
                [
                    *([] if new is None else [new[side]]),
                    *([old[side].rows(kept, SCHEMAS[kind])] if kept else []),
                ],
                order,
            )
            for side, kind in kinds.items()
        }


def _in_order(parts: Sequence[pa.Table], order: Mapping[str, int]) -> pa.Table:
    """Rows in the order of their files; within a file, in the order they were made."""
    if len(parts) == 1:
        return parts[0]
    table = pa.concat_tables(parts)
    ranks = np.fromiter((order[path] for path in table.column("source_path").to_pylist()), np.int64)
    return table.take(pa.array(np.argsort(ranks, kind="stable")))
