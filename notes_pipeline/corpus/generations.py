"""One build, published as a whole: staged beside the last good one, then put in its place by one swap.

Belongs here: where products lie and how a build replaces another. Stays out: what is in them.

::

    data/.generations/<build_hash>/{chunks,discards,documents}.parquet, qa/, partitions/
    data/current -> .generations/<build_hash>          replaced by one rename
    data/chunks.parquet -> current/chunks.parquet      and so on, made once
    qa/latest -> ../data/current/qa

A crash at any moment leaves ``data/current`` on the last good build, all its products together.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from notes_pipeline.corpus.merge import Corpus
from notes_pipeline.corpus.parquet import flush_folder, leftovers, table_writer
from notes_pipeline.records import CHUNKS, DISCARDS, DOCUMENTS, SCHEMA_VERSION, to_table

_SCHEMAS = {"chunks": CHUNKS, "discards": DISCARDS, "documents": DOCUMENTS}
TABLES = tuple(_SCHEMAS)
_STORE = ".generations"
_STAGING, _LINK = ".staging-", ".link-"
_PREVIOUS = "previous"


@dataclass(frozen=True)
class Generation:
    """All products of one build in one folder, named by a hash of their content."""

    path: Path
    build_hash: str

    @property
    def qa(self) -> Path:
        """Folder of the QA artifacts of this build."""
        return self.path / "qa"

    @property
    def partitions(self) -> Path:
        """Folder of the partition products the build was made from."""
        return self.path / "partitions"

    def table(self, name: str) -> Path:
        """File of ``chunks``, ``discards`` or ``documents``."""
        return self.path / f"{name}.parquet"


Batches = Mapping[str, Iterable[pa.RecordBatch]]
"""``chunks``, ``discards`` and ``documents``, each in corpus order."""


def stage(
    data: Path, corpus: Corpus, *, settings_hash: str, partitions: Mapping[str, Path] | None = None
) -> Generation:
    """The corpus as a generation under ``data`` that nobody sees yet; see ``stage_batches``."""
    tables = {
        "chunks": to_table(corpus.chunks, CHUNKS),
        "discards": to_table(corpus.discards, DISCARDS),
        "documents": to_table(corpus.documents, DOCUMENTS),
    }
    batches = {name: table.to_batches() for name, table in tables.items()}
    return stage_batches(data, batches, settings_hash=settings_hash, partitions=partitions)


def stage_batches(
    data: Path, batches: Batches, *, settings_hash: str, partitions: Mapping[str, Path] | None = None
) -> Generation:
    """The three tables as a generation under ``data`` that nobody sees yet; a row group in memory.

    ``partitions`` maps ``<asset>/<file>`` to a partition product, which is linked into the
    generation, so that it stays what the chunks came from when the next build replaces it.
    """
    with locked(data):
        _sweep(data)
        temporary = Path(tempfile.mkdtemp(dir=data / _STORE, prefix=_STAGING))
        try:
            name = _write_tables(temporary, batches, settings_hash)
            (temporary / "qa").mkdir()
            (temporary / "partitions").mkdir()
            for part, source in (partitions or {}).items():
                _link(source, temporary / "partitions" / part)
            target = Generation(data / _STORE / name, name)
            _settle(temporary, target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return target


def _write_tables(folder: Path, batches: Batches, settings_hash: str) -> str:
    """Writes the tables and returns the build hash: twelve hex digits over every cell of them."""
    digest = hashlib.sha256(f"{SCHEMA_VERSION}:{settings_hash}:".encode())
    with contextlib.ExitStack() as stack:
        writers = {
            name: stack.enter_context(table_writer(folder / f"{name}.parquet", schema))
            for name, schema in _SCHEMAS.items()
        }
        for name, writer in writers.items():
            writer.write_all(batches[name])
            digest.update(f"{name}:{writer.digest}".encode())
        build_hash = digest.hexdigest()[:12]
        for writer in writers.values():
            writer.metadata = {
                "build_hash": build_hash,
                "schema_version": str(SCHEMA_VERSION),
                "settings_hash": settings_hash,
            }
    return build_hash


def _link(source: Path, target: Path) -> None:
    """The same file under a second name; a copy where the disk knows no second names."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _settle(temporary: Path, target: Generation) -> None:
    """The filled folder under its final name; a twin already there keeps its reports and its place."""
    os.chmod(temporary, 0o755)
    if not target.path.exists():
        os.replace(temporary, target.path)
    else:
        _renew_partitions(temporary / "partitions", target.partitions)
        os.utime(target.path)
    flush_folder(target.path.parent)


def _renew_partitions(fresh: Path, old: Path) -> None:
    """Same tables from other partition files: the links follow, each in one step."""
    names = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
    for name in sorted(names):
        (old / name).parent.mkdir(parents=True, exist_ok=True)
        # Renaming a file onto another name of itself does nothing, so a link already right stays.
        os.replace(fresh / name, old / name)
    for path in sorted(old.rglob("*")):
        if path.is_file() and path.relative_to(old) not in names:
            path.unlink()


def publish(data: Path, generation: Generation) -> None:
    """``generation`` becomes the current one by one rename; older than the one before it are removed."""
    with locked(data):
        before = current(data)
        if before and before.build_hash != generation.build_hash:
            _point(data / _STORE / _PREVIOUS, Path(before.build_hash))
        _point(data / "current", Path(_STORE) / generation.build_hash)
        _expose(data)
        _prune(data, generation)


def current(data: Path) -> Generation | None:
    """The published generation, or None before the first build."""
    link = data / "current"
    if not link.is_symlink() or not link.exists():
        return None
    name = Path(os.readlink(link)).name
    return Generation(data / _STORE / name, name)


def previous(data: Path) -> Generation | None:
    """The generation before the published one, where it is still there."""
    link = data / _STORE / _PREVIOUS
    if not link.is_symlink() or not link.exists():
        return None
    name = os.readlink(link)
    return Generation(data / _STORE / name, name)


def recover(data: Path) -> list[str]:
    """Removes what a crash left behind and mends the names; returns what was removed."""
    with locked(data):
        removed = _sweep(data)
        if current(data):
            _expose(data)
        return removed


def _sweep(data: Path) -> list[str]:
    """Removes half-made folders and links: whoever holds the lock knows that nobody is making them.

    Files that are written without the lock go where their writer is gone.
    """
    store, qa = data / _STORE, data.parent / "qa"
    found = [*store.glob(f"{_STAGING}*"), *store.glob(f"{_LINK}*"), *data.glob(f"{_LINK}*")]
    found += [*qa.glob(f"{_LINK}*"), *leftovers(data), *leftovers(qa)]
    for path in found:
        _remove(path)
    return sorted(path.name for path in found)


def _expose(data: Path) -> None:
    """The promised names, which lead through ``current``; a plain file in the way is an older layout."""
    for name in TABLES:
        _point(data / f"{name}.parquet", Path("current") / f"{name}.parquet")
    qa = data.parent / "qa"
    qa.mkdir(exist_ok=True)
    _point(qa / "latest", Path("..") / data.name / "current" / "qa")


def _point(link: Path, target: Path) -> None:
    """``link`` leads to ``target``, replaced in one step."""
    if link.is_symlink() and os.readlink(link) == str(target):
        return
    if link.is_dir() and not link.is_symlink():
        shutil.rmtree(link)
    temporary = link.with_name(f"{_LINK}{os.getpid()}-{link.name}")
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(target)
    os.replace(temporary, link)
    flush_folder(link.parent)


def _prune(data: Path, published: Generation) -> None:
    """Generations neither published, nor the one before, nor staged since."""
    before = previous(data)
    keep = {published.build_hash, before.build_hash if before else ""}
    newest = published.path.stat().st_mtime_ns
    for path in (data / _STORE).iterdir():
        if path.is_symlink() or not path.is_dir() or path.name in keep:
            continue
        if path.stat().st_mtime_ns <= newest:
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(data: Path) -> Iterator[None]:
    """Only one process at a time changes the generations under ``data``; a crash frees the lock."""
    store = data / _STORE
    store.mkdir(parents=True, exist_ok=True)
    with (store / ".lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
