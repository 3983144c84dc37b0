"""markdown_sections and markdown_chunks: notes to sections, sections to chunks.

Belongs here: what each stage is given and which tables it leaves. Stays out: how a note is
parsed or cut (``split``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.records import Chunk, Discard, Document, Section, Warned, table_of
from notes_pipeline.settings import Settings
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.parse import parse
from notes_pipeline.split.warnings import warnings
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.by_file import ByFile
from notes_pipeline.stages.guard import guarded, lost_note
from notes_pipeline.stages.keys import MARKDOWN_CHUNKS, MARKDOWN_SECTIONS, SOURCE_FILES
from notes_pipeline.stages.partitions import product_path
from notes_pipeline.stages.reuse import Input, Product, Tables, paths_of, refresh
from notes_pipeline.stages.snapshot import read_inputs

TYPES = ("markdown",)

SECTION_TABLES = Product(MARKDOWN_SECTIONS, {"": Section, "discards": Discard, "warnings": Warned})
CHUNK_TABLES = Product(MARKDOWN_CHUNKS, {"": Chunk, "discards": Discard})


class _Notes(NamedTuple):
    documents: list[Document]
    sections: list[list[Section]]
    settings: Settings


def markdown_sections(build: Build, key: str) -> Outcome:
    """Sections of every note of a partition; a note that cannot be parsed is a discard beside them."""
    documents = ByFile.of(build.data, SOURCE_FILES, key)

    def task(batch: Sequence[Input]) -> _Notes:
        return _Notes(_documents(documents, batch), [], build.workspace.settings)

    return refresh(build, SECTION_TABLES, key, notes(build, key), task, _parse)


def markdown_chunks(build: Build, key: str) -> Outcome:
    """Chunks and discards of every note of a partition."""
    documents, sections = (
        ByFile.of(build.data, SOURCE_FILES, key),
        ByFile.of(build.data, MARKDOWN_SECTIONS, key),
    )

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
    warned: list[Warned] = []
    for document in task.documents:
        found, lost = sections_of(document, task.settings)
        sections += found
        discards += lost
        warned += (Warned(document.source_path, warning) for warning in warnings(document, found))
    return {
        "": table_of(sections, Section),
        "discards": table_of(discards, Discard),
        "warnings": table_of(warned, Warned),
    }


def sections_of(document: Document, settings: Settings) -> tuple[Sequence[Section], list[Discard]]:
    """The sections of a note, or its whole text as a loss where parsing it raised."""
    return guarded(
        lambda: (parse(document, settings), []),
        lambda error: ((), [lost_note(document, error)]),
    )


def _cut(task: _Notes) -> Tables:
    made: list[Chunk | Discard] = []
    for document, sections in zip(task.documents, task.sections, strict=True):
        made += chunks_of(document, sections, task.settings)
    return chunk_tables(made)


def chunks_of(
    document: Document, sections: Sequence[Section], settings: Settings
) -> Sequence[Chunk | Discard]:
    """Chunks and discards of a note, or its whole text as a loss where cutting it raised."""
    return guarded(
        lambda: chunk(document, sections, settings),
        lambda error: [lost_note(document, error)],
    )


def chunk_tables(made: Sequence[Chunk | Discard]) -> Tables:
    """Chunks and discards, each in its table, in the order they were made."""
    chunks = [item for item in made if isinstance(item, Chunk)]
    discards = [item for item in made if isinstance(item, Discard)]
    return {"": table_of(chunks, Chunk), "discards": table_of(discards, Discard)}
