"""flagged_chunks: what the rules saw in each chunk, and what follows from it.

Belongs here: what rules and decision are given. Stays out: the rules (``flags``) and the
decision (``decide``). Reviewers' verdicts are applied at the merge, so a new label never
judges a whole notebook anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from notes_pipeline.decide import decide
from notes_pipeline.flags import Context, flag
from notes_pipeline.garbage import collector_paused
from notes_pipeline.records import INTERNAL_ERROR, Chunk, Discard, Document, Row, Section, revised
from notes_pipeline.stages import excel, markdown
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.by_file import ByFile
from notes_pipeline.stages.guard import failed, guarded
from notes_pipeline.stages.keys import (
    EXCEL_CHUNKS,
    EXCEL_ROWS,
    FLAGGED_CHUNKS,
    MARKDOWN_CHUNKS,
    MARKDOWN_SECTIONS,
    SOURCE_FILES,
)
from notes_pipeline.stages.reuse import Input, Product, Tables, paths_of, refresh
from notes_pipeline.stages.snapshot import read_inputs

FLAGGED_TABLES = Product(FLAGGED_CHUNKS, {"": Chunk, "discards": Discard})


class _Judged(NamedTuple):
    contexts: list[Context]
    chunks: list[list[Chunk]]


def flagged_chunks(build: Build, key: str) -> Outcome:
    """The chunks of a partition, notes and rows in one table, each with findings and a decision."""
    stages = (SOURCE_FILES, MARKDOWN_SECTIONS, EXCEL_ROWS, MARKDOWN_CHUNKS, EXCEL_CHUNKS)
    documents, sections, rows, notes, sentences = (ByFile.of(build.data, stage, key) for stage in stages)
    settings = build.workspace.settings

    def task(batch: Sequence[Input]) -> _Judged:
        paths = paths_of(batch)
        found, of_notes = documents.records(paths, Document), notes.records(paths, Chunk)
        bodies, cells = sections.records(paths, Section), rows.records(paths, Row)
        of_rows = sentences.records(paths, Chunk)
        contexts = [
            Context(replace(document, content=None), bodies[path], cells[path], settings)
            for path, [document] in found.items()
        ]
        return _Judged(contexts, [of_notes[path] + of_rows[path] for path in paths])

    return refresh(build, FLAGGED_TABLES, key, files(build, key), task, _judge)


def files(build: Build, key: str) -> list[Input]:
    """The files that chunks come from, of every kind."""
    return read_inputs(build, key, (*markdown.TYPES, *excel.TYPES))


def _judge(task: _Judged) -> Tables:
    judged: list[Chunk | Discard] = []
    with collector_paused():
        for context, chunks in zip(task.contexts, task.chunks, strict=True):
            judged += judged_chunks(chunks, context)
        return markdown.chunk_tables(judged)


def judged_chunks(chunks: Sequence[Chunk], context: Context) -> list[Chunk | Discard]:
    """The chunks of one document with findings and decision.

    Where a rule raises, its chunks are whole but nobody judged them: a person should.
    """
    return guarded(
        lambda: [decide(chunk, context.settings) for chunk in flag(chunks, context)],
        lambda error: [*_unjudged(chunks), failed(context.document, error)],
    )


def _unjudged(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    for chunk in chunks:
        yield revised(chunk, decision="review", decision_reason=INTERNAL_ERROR)
