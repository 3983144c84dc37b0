"""source_files: every file read once, kept as it was read; all later stages look here.

Belongs here: which files must be read again, and the product that holds them. Stays out: how a
file is read (``sources``).

A file whose size, time and inode are as they were is not opened. As with version control, a
file changed in the same instant as it was looked at proves nothing by its time, so the stat of
a file that young is not kept. Times stand beside the product, not in it: they are no content.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from notes_pipeline.corpus.parquet import read_table, write_text
from notes_pipeline.records import INTERNAL_ERROR, Document, table_of
from notes_pipeline.settings import Settings
from notes_pipeline.sources import read
from notes_pipeline.sources.walk import Found
from notes_pipeline.stages.build import Build, Outcome, Scan
from notes_pipeline.stages.by_file import ByFile
from notes_pipeline.stages.guard import described, guarded
from notes_pipeline.stages.keys import SOURCE_FILES, STAGES
from notes_pipeline.stages.partitions import product_path, remove_products
from notes_pipeline.stages.reuse import (
    Input,
    Product,
    Tables,
    batches,
    footer_of,
    footers_on_disk,
    in_runs,
    save,
)

SNAPSHOT_FILES = Product(SOURCE_FILES, {"": Document})

RACY_NS = 2_000_000_000
"""Coarsest file time in use (FAT): a file younger than this at the scan may change unseen."""

_UNSETTLED = frozenset({"unreadable", "linked", "workspace", "changed_while_read", INTERNAL_ERROR})
"""States that say nothing of the next time; such files are tried again on every build."""

Stat = tuple[int, int, int]
"""Size, time in nanoseconds, inode."""


class _Read(NamedTuple):
    found: list[Found]
    settings: Settings


def source_files(build: Build, key: str, scan: Scan) -> Outcome:
    """Brings the snapshot of one notebook up to date with its files as the scan saw them.

    A notebook without files is gone: all its products go.
    """
    found = scan.files.get(key, [])
    if not found:
        remove_products(build.data, STAGES, key)
        return Outcome(SOURCE_FILES.asset, key, 0, 0, True, {"": 0})
    path = product_path(build.data, SOURCE_FILES.asset, key)
    footer = footer_of(build, SOURCE_FILES, ())
    old = None if build.fresh else footers_on_disk({"": path}, footer["key"])
    stats = _known_stats(build.data, key) if old is not None else {}
    todo = [file for file in found if stats.get(file.source_path) != _stat(file)]
    if (
        old is not None
        and not todo
        and list(json.loads(old["inputs"])) == [file.source_path for file in found]
    ):
        return Outcome(SOURCE_FILES.asset, key, 0, len(found), False, json.loads(old["records"]))
    seen = _Seen()
    saved = save(
        build,
        SNAPSHOT_FILES,
        key,
        footer,
        seen.inputs,
        seen.noted(_read_again(build, found, todo, path)),
    )
    _keep_stats(build.data, key, found, seen.states, scan.started_ns)
    written = old is None or old.get("rows") != saved.digest
    return Outcome(SOURCE_FILES.asset, key, len(todo), len(found) - len(todo), written, saved.records)


@dataclass
class _Seen:
    """What is remembered of each file while the snapshot is written."""

    inputs: list[Input] = field(default_factory=list)
    states: list[str] = field(default_factory=list)

    def noted(self, groups: Iterable[Tables]) -> Iterator[Tables]:
        for tables in groups:
            self.inputs += snapshot_inputs(tables[""])
            self.states += tables[""].column("state").to_pylist()
            yield tables


def _read_again(build: Build, found: Sequence[Found], todo: Sequence[Found], old: Path) -> Iterator[Tables]:
    by_path = {file.source_path: file for file in todo}
    settings = build.workspace.settings
    runs = list(batches([Input(file.source_path, "", file.size) for file in found]))
    new = ([by_path[file.source_path] for file in run if file.source_path in by_path] for run in runs)
    tasks = (_Read(files, settings) for files in new if files)
    made = iter(build.pool.map(_read_batch, tasks, sum(file.size for file in todo)))
    return in_runs(SNAPSHOT_FILES.kinds, runs, by_path.keys(), made, {"": ByFile(old)})


def _read_batch(task: _Read) -> Tables:
    return {"": table_of([document_of(file, task.settings) for file in task.found], Document)}


def document_of(found: Found, settings: Settings) -> Document:
    """The file as it was read, or without anything of it where reading it raised."""

    def unread(error: Exception) -> Document:
        return replace(read(found._replace(error=described(error)), settings), state=INTERNAL_ERROR)

    return guarded(lambda: read(found, settings), unread)


def snapshot_inputs(table: pa.Table, source_types: Sequence[str] | None = None) -> list[Input]:
    """The files of a snapshot in order; with ``source_types``, those of them that were read as such."""
    columns = (table.column(name).to_pylist() for name in INPUT_COLUMNS)
    return [
        Input(path, digest, size)
        for path, digest, size, kind, state in zip(*columns, strict=True)
        if source_types is None or (kind in source_types and state == "read")
    ]


INPUT_COLUMNS = ["source_path", "file_hash", "size_bytes", "source_type", "state"]


def read_inputs(build: Build, key: str, source_types: Sequence[str]) -> list[Input]:
    """The files of these types that the snapshot of a partition holds, in order."""
    path = product_path(build.data, SOURCE_FILES.asset, key)
    return snapshot_inputs(read_table(path, columns=INPUT_COLUMNS), source_types)


def fingerprint(found: Sequence[Found]) -> str:
    """Sixteen hex digits over names, sizes and times of a notebook's files: has anything moved?"""
    seen = [(file.source_path, *_stat(file), file.unread) for file in found]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def known_fingerprint(data: Path, key: str) -> str:
    """The fingerprint of a notebook at its last snapshot; empty if there is none."""
    return str(_cache(data, key).get("fingerprint", ""))


def _stat(file: Found) -> Stat:
    return (file.size, file.mtime_ns, file.inode)


def _cache_path(data: Path, key: str) -> Path:
    return data / SOURCE_FILES.asset / f"{key}.stat.json"


def _cache(data: Path, key: str) -> Mapping[str, object]:
    try:
        cache = json.loads(_cache_path(data, key).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cache if isinstance(cache, dict) else {}


def _known_stats(data: Path, key: str) -> dict[str, Stat]:
    files = _cache(data, key).get("files")
    return {path: tuple(stat) for path, stat in files.items()} if isinstance(files, dict) else {}


def _keep_stats(data: Path, key: str, found: Sequence[Found], states: Sequence[str], scanned_ns: int) -> None:
    files = {
        file.source_path: _stat(file)
        for file, state in zip(found, states, strict=True)
        if state not in _UNSETTLED and file.mtime_ns < scanned_ns - RACY_NS
    }
    cache = {"fingerprint": fingerprint(found), "files": files}
    write_text(_cache_path(data, key), json.dumps(cache))
