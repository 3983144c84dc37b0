"""flagged_chunks: what the rules saw in each chunk, and what follows from it.

Belongs here: what rules and decision are given. Stays out: the rules (``flags``) and the
decision (``decide``). Reviewers' verdicts are applied at the merge, so a new label never
judges a whole notebook anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from notes_pipeline.decide import decide
from notes_pipeline.flags import Context, flag
from notes_pipeline.records import Chunk, Document, Row, Section, table_of
from notes_pipeline.stages import excel, markdown
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.keys import (
    EXCEL_CHUNKS,
    EXCEL_ROWS,
    FLAGGED_CHUNKS,
    MARKDOWN_CHUNKS,
    MARKDOWN_SECTIONS,
    SOURCE_FILES,
)
from notes_pipeline.stages.reuse import ByFile, Input, Product, Tables, refresh
from notes_pipeline.stages.snapshot import read_inputs

FLAGGED_TABLES = Product(FLAGGED_CHUNKS, {"": Chunk})


class _Judged(NamedTuple):
    contexts: list[Context]
    chunks: list[list[Chunk]]


def flagged_chunks(build: Build, key: str) -> Outcome:
    """The chunks of a partition, notes and rows in one table, each with findings and a decision."""
    documents = ByFile(build, SOURCE_FILES, key)
    sections, rows = ByFile(build, MARKDOWN_SECTIONS, key), ByFile(build, EXCEL_ROWS, key)
    notes, sentences = ByFile(build, MARKDOWN_CHUNKS, key), ByFile(build, EXCEL_CHUNKS, key)
    settings = build.workspace.settings

    def context(document: Document) -> Context:
        path = document.source_path
        return Context(
            document=replace(document, content=None),
            sections=sections.records(path, Section),
            rows=rows.records(path, Row),
            settings=settings,
        )

    def task(batch: Sequence[Input]) -> _Judged:
        paths = [file.source_path for file in batch]
        return _Judged(
            [context(document) for document in documents.each(batch, Document)],
            [notes.records(path, Chunk) + sentences.records(path, Chunk) for path in paths],
        )

    return refresh(build, FLAGGED_TABLES, key, files(build, key), task, _judge)


def files(build: Build, key: str) -> list[Input]:
    """The files that chunks come from, of every kind."""
    return read_inputs(build, key, (*markdown.TYPES, *excel.TYPES))


def _judge(task: _Judged) -> Tables:
    judged = [
        decide(chunk, context.settings)
        for context, chunks in zip(task.contexts, task.chunks, strict=True)
        for chunk in flag(chunks, context)
    ]
    return {"": table_of(judged, Chunk)}
