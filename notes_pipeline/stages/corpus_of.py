"""Files to a corpus in memory: what a build would make of them, without a workspace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from notes_pipeline.corpus.merge import Corpus, merge
from notes_pipeline.records import Chunk, Discard, Document
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.settings import Settings
from notes_pipeline.sources.walk import Found, notebook_of, scan
from notes_pipeline.stages.one import chunk_document
from notes_pipeline.stages.snapshot import document_of


def files_under(path: Path, root: Path, settings: Settings) -> list[Found]:
    """The file, or the files of the folder, with their paths relative to ``root``."""
    if not path.is_dir():
        return [_found(path, root)]
    prefix = path.resolve().relative_to(root).as_posix()
    files = scan(path, ignore=settings.ignore)
    return files if prefix == "." else [_below(file, prefix) for file in files]


def _found(path: Path, root: Path) -> Found:
    info = path.stat()
    source_path = (path.parent.resolve() / path.name).relative_to(root).as_posix()
    real = path.resolve()  # a link named on purpose is followed
    return Found(source_path, real, notebook_of(source_path), info.st_size, info.st_mtime_ns, info.st_ino, "")


def _below(file: Found, prefix: str) -> Found:
    source_path = f"{prefix}/{file.source_path}"
    return file._replace(source_path=source_path, notebook=notebook_of(source_path))


def corpus_of_files(files: Iterable[Found], settings: Settings, registry: Registry) -> Corpus:
    """Chunks, discards and documents of these files, ordered and with duplicates marked."""
    documents: list[Document] = []
    made: list[Chunk | Discard] = []
    for file in {file.source_path: file for file in files}.values():
        document = document_of(file, settings)
        made += chunk_document(document, settings, registry)
        documents.append(replace(document, text=None, content=None))
    chunks = (item for item in made if isinstance(item, Chunk))
    discards = (item for item in made if isinstance(item, Discard))
    return merge(documents, chunks, discards)
