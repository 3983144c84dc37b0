"""markdown_sections and markdown_chunks: notes to sections, sections to chunks.

Belongs here: what each stage is given and which tables it leaves. Stays out: how a note is
parsed or cut (``split``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.records import Chunk, Discard, Document, Section, table_of
from notes_pipeline.settings import Settings
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.parse import parse
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.guard import failure
from notes_pipeline.stages.keys import MARKDOWN_CHUNKS, MARKDOWN_SECTIONS, SOURCE_FILES
from notes_pipeline.stages.partitions import product_path
from notes_pipeline.stages.reuse import ByFile, Input, Product, Tables, paths_of, refresh
from notes_pipeline.stages.snapshot import read_inputs

TYPES = ("markdown",)

SECTION_TABLES = Product(MARKDOWN_SECTIONS, {"": Section, "discards": Discard})
CHUNK_TABLES = Product(MARKDOWN_CHUNKS, {"": Chunk, "discards": Discard})


class _Notes(NamedTuple):
    documents: list[Document]
    sections: list[list[Section]]
    settings: Settings


def markdown_sections(build: Build, key: str) -> Outcome:
    """Sections of every note of a partition; a note that cannot be parsed is a discard beside them."""
    documents = ByFile.of(build, SOURCE_FILES, key)

    def task(batch: Sequence[Input]) -> _Notes:
        return _Notes(_documents(documents, batch), [], build.workspace.settings)

    return refresh(build, SECTION_TABLES, key, notes(build, key), task, _parse)


def markdown_chunks(build: Build, key: str) -> Outcome:
    """Chunks and discards of every note of a partition."""
    documents, sections = ByFile.of(build, SOURCE_FILES, key), ByFile.of(build, MARKDOWN_SECTIONS, key)

    def task(batch: Sequence[Input]) -> _Notes:
        found = sections.records(paths_of(batch), Section)
        return _Notes(_documents(documents, batch), list(found.values()), build.workspace.settings)

    return refresh(build, CHUNK_TABLES, key, parsed(build, key), task, _cut)


def _documents(table: ByFile, batch: Sequence[Input]) -> list[Document]:
    return [document for [document] in table.records(paths_of(batch), Document).values()]


def notes(build: Build, key: str) -> list[Input]:
    """The notes that are parsed."""
    return read_inputs(build, key, TYPES)


def parsed(build: Build, key: str) -> list[Input]:
    """The notes that are cut: all but those whose parsing failed."""
    path = product_path(build.data, MARKDOWN_SECTIONS.asset, key, "discards")
    failed = set(read_table(path, columns=["source_path"]).column("source_path").to_pylist())
    return [file for file in notes(build, key) if file.source_path not in failed]


def _parse(task: _Notes) -> Tables:
    sections: list[Section] = []
    discards: list[Discard] = []
    for document in task.documents:
        try:
            sections += parse(document, task.settings)
        except Exception as error:
            discards.append(failure(document, error))
    return {"": table_of(sections, Section), "discards": table_of(discards, Discard)}


def _cut(task: _Notes) -> Tables:
    made: list[Chunk | Discard] = []
    for document, sections in zip(task.documents, task.sections, strict=True):
        try:
            made += chunk(document, sections, task.settings)
        except Exception as error:
            made.append(failure(document, error))
    return chunk_tables(made)


def chunk_tables(made: Sequence[Chunk | Discard]) -> Tables:
    """Chunks and discards, each in its table, in the order they were made."""
    chunks = [item for item in made if isinstance(item, Chunk)]
    discards = [item for item in made if isinstance(item, Discard)]
    return {"": table_of(chunks, Chunk), "discards": table_of(discards, Discard)}
