"""excel_rows and excel_chunks: workbooks to rows, rows to chunks.

Belongs here: what each stage is given and which tables it leaves. Stays out: how a workbook is
read and what a row says (``rows``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from notes_pipeline import rows
from notes_pipeline.records import Chunk, Discard, Document, Row, Sheet, table_of
from notes_pipeline.rows import Workbook
from notes_pipeline.rows.templates.registry import Registry, load_registry
from notes_pipeline.settings import Settings
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.by_file import ByFile
from notes_pipeline.stages.guard import guarded, lost_rows, lost_workbook
from notes_pipeline.stages.keys import EXCEL_CHUNKS, EXCEL_ROWS, SOURCE_FILES
from notes_pipeline.stages.markdown import chunk_tables
from notes_pipeline.stages.reuse import Input, Product, Tables, paths_of, refresh
from notes_pipeline.stages.snapshot import read_inputs

TYPES = ("excel", "csv")

ROW_TABLES = Product(EXCEL_ROWS, {"": Row, "sheets": Sheet, "discards": Discard})
CHUNK_TABLES = Product(EXCEL_CHUNKS, {"": Chunk, "discards": Discard})


class _Workbooks(NamedTuple):
    documents: list[Document]
    workbooks: list[Workbook]
    settings: Settings
    templates: Path
    templates_hash: str


def excel_rows(build: Build, key: str) -> Outcome:
    """Rows, sheets and discards of every workbook of a partition."""
    documents = ByFile.of(build.data, SOURCE_FILES, key)

    def task(batch: Sequence[Input]) -> _Workbooks:
        return _workbooks(build, documents.records(paths_of(batch), Document), [])

    return refresh(build, ROW_TABLES, key, workbooks(build, key), task, _read)


def excel_chunks(build: Build, key: str) -> Outcome:
    """Chunks of every row of a partition, and a discard for every row that gives none."""
    documents = ByFile.of(build.data, SOURCE_FILES, key)
    tables = {side: ByFile.of(build.data, EXCEL_ROWS, key, side) for side in ROW_TABLES.kinds}

    def task(batch: Sequence[Input]) -> _Workbooks:
        paths = paths_of(batch)
        found = {side: tables[side].records(paths, kind) for side, kind in ROW_TABLES.kinds.items()}
        books = [
            Workbook(
                sheets=tuple(found["sheets"][path]),
                rows=tuple(found[""][path]),
                discards=tuple(found["discards"][path]),
            )
            for path in paths
        ]
        return _workbooks(build, documents.records(paths, Document), books)

    return refresh(build, CHUNK_TABLES, key, workbooks(build, key), task, _speak)


def workbooks(build: Build, key: str) -> list[Input]:
    """The workbooks that are read, and the comma-separated files."""
    return read_inputs(build, key, TYPES)


def _workbooks(build: Build, documents: Mapping[str, list[Document]], books: list[Workbook]) -> _Workbooks:
    found = [document for [document] in documents.values()]
    return _Workbooks(found, books, build.workspace.settings, build.templates, build.registry.hash)


@cache
def _registry(folder: Path, templates_hash: str) -> Registry:
    """A worker's own copy: compiled templates do not travel between processes."""
    return load_registry(folder)


def _read(task: _Workbooks) -> Tables:
    registry = _registry(task.templates, task.templates_hash)
    sheets: list[Sheet] = []
    found: list[Row] = []
    discards: list[Discard] = []
    for document in task.documents:
        workbook = workbook_of(document, task.settings, registry)
        sheets += workbook.sheets
        found += workbook.rows
        discards += workbook.discards
    return {
        "": table_of(found, Row),
        "sheets": table_of(sheets, Sheet),
        "discards": table_of(discards, Discard),
    }


def workbook_of(document: Document, settings: Settings, registry: Registry) -> Workbook:
    """Sheets and rows of a workbook, or the text of its sheets as losses where reading it raised."""
    return guarded(
        lambda: rows.read(document, settings, registry),
        lambda error: Workbook((), (), tuple(lost_workbook(document, settings, error))),
    )


def _speak(task: _Workbooks) -> Tables:
    registry = _registry(task.templates, task.templates_hash)
    made: list[Chunk | Discard] = []
    for document, workbook in zip(task.documents, task.workbooks, strict=True):
        made += row_chunks_of(document, workbook, task.settings, registry)
    return chunk_tables(made)


def row_chunks_of(
    document: Document, workbook: Workbook, settings: Settings, registry: Registry
) -> Sequence[Chunk | Discard]:
    """Chunks and discards of a workbook's rows, or every row as a loss where that raised."""
    return guarded(
        lambda: rows.chunk(document, workbook, settings, registry),
        lambda error: lost_rows(document, workbook.rows, error),
    )
