"""What earlier builds made: the last ten as tables for comparison, all as one line each for trends.

Belongs here: ``qa/runs/<n>.parquet`` and ``qa/history.jsonl``. Stays out: what the numbers mean.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import pyarrow as pa

from notes_pipeline.corpus.parquet import ROWS_PER_GROUP, read_metadata, table_writer, write_text
from notes_pipeline.ids import content_hash
from notes_pipeline.records import Chunk

KEPT_RUNS = 10
_S = pa.string()
_OWN = ("chunk_id", "locator", "content_hash", "decision")
RUNS = pa.schema(
    [
        *(pa.field(name, _S, nullable=False) for name in (*_OWN, "section")),
        pa.field("lines", pa.list_(pa.uint32()), nullable=False),
    ]
)
"""``qa/runs/<n>.parquet``: what ``diff`` compares. ``section`` names file and heading path by a hash,
``lines`` are checksums of the text's lines (the smallest of them): what tells an edit from another text."""
_LINES = 16
"""Checksums kept of a chunk: enough to tell whether two chunks share most of their lines."""


def record_run(qa: Path, chunks: Iterable[Chunk], metrics: Mapping[str, Any], build_hash: str) -> int:
    """Adds a build to ``qa/runs`` and ``qa/history.jsonl``; returns its number.

    A build that made the very products of the last one (told anew, or cut off before its end) replaces
    the last line and adds no second table.
    """
    number = _record_chunks(qa / "runs", chunks, build_hash)
    _append(qa / "history.jsonl", {"run": number, "build_hash": build_hash, **metrics})
    return number


def earlier(path: Path, build_hash: str) -> list[dict[str, Any]]:
    """The lines of ``history.jsonl`` before that of ``build_hash``, if this was the last build too."""
    entries = read_history(path)
    return entries[:-1] if entries and entries[-1].get("build_hash") == build_hash else entries


def _record_chunks(folder: Path, chunks: Iterable[Chunk], build_hash: str) -> int:
    known = runs(folder)
    if known and read_metadata(known[-1]).get("build_hash") == build_hash:
        return int(known[-1].stem)
    number = int(known[-1].stem) + 1 if known else 1
    with table_writer(folder / f"{number}.parquet", RUNS) as writer:
        writer.write_all(_remembered(chunks))
        writer.metadata = {"build_hash": build_hash}
    for old in runs(folder)[:-KEPT_RUNS]:
        old.unlink(missing_ok=True)
    return number


def _remembered(chunks: Iterable[Chunk]) -> Iterator[pa.RecordBatch]:
    """What a run keeps of each chunk, some thousand at a time."""
    rest = iter(chunks)
    while some := list(islice(rest, ROWS_PER_GROUP)):
        columns: dict[str, list[Any]] = {name: [getattr(chunk, name) for chunk in some] for name in _OWN}
        columns["section"] = [content_hash(chunk.heading_path, chunk.source_path) for chunk in some]
        columns["lines"] = [_checksums(chunk.text) for chunk in some]
        yield pa.RecordBatch.from_pydict(columns, schema=RUNS)


def _checksums(text: str) -> list[int]:
    lines = {line.strip() for line in text.splitlines()} - {""}
    return sorted(crc32(line.encode("utf-8", "surrogatepass")) for line in lines)[:_LINES]


def runs(folder: Path) -> list[Path]:
    """Recorded builds, oldest first."""
    return sorted((p for p in folder.glob("*.parquet") if p.stem.isdigit()), key=lambda p: int(p.stem))


def read_history(path: Path) -> list[dict[str, Any]]:
    """The lines of ``history.jsonl``, oldest first; a line cut by a crash is passed over."""
    if not path.exists():
        return []
    lines = []
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            lines.append(entry)
    return lines


def _append(path: Path, entry: Mapping[str, Any]) -> None:
    entries = [*earlier(path, entry["build_hash"]), dict(entry)]
    write_text(path, "".join(json.dumps(it, ensure_ascii=False, sort_keys=True) + "\n" for it in entries))
