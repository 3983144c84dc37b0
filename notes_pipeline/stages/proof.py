"""The laws, held on a generation: by the blocking checks before it is published, by ``verify`` after.

Belongs here: which tables a law is shown. Stays out: the laws (``corpus.laws``). Everything is
read from the generation itself, so what is proved is what lies on the disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from notes_pipeline.corpus.generations import Generation
from notes_pipeline.corpus.laws import (
    CORPUS_LAWS,
    LAWS,
    Material,
    Violation,
    corpus_violations,
    document_violations,
    group,
    lost,
)
from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.corpus.reading import ChunkTable
from notes_pipeline.errors import UserError
from notes_pipeline.records import INTERNAL_ERROR, Chunk, Discard, Document, Row, Section
from notes_pipeline.settings import Settings
from notes_pipeline.stages.by_file import ByFile
from notes_pipeline.stages.corpus import SETTINGS_FILE
from notes_pipeline.stages.reuse import Input, batches, paths_of
from notes_pipeline.stages.snapshot import INPUT_COLUMNS, snapshot_inputs

LAW_NAMES = (*LAWS, *CORPUS_LAWS)

_SHOWN = 20
"""Violations kept a law; all are counted."""


@dataclass
class Proof:
    """What looking at everything showed."""

    documents: int = 0
    lost_characters: int = 0
    lost_rows: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    """Violations by law, only those that broke."""
    shown: dict[str, list[Violation]] = field(default_factory=dict)
    """The first of them."""

    @property
    def lost(self) -> int:
        """Characters and rows in neither chunk nor discard."""
        return self.lost_characters + self.lost_rows

    @property
    def holds(self) -> bool:
        """Whether no law broke and nothing is lost."""
        return not self.broken and not self.lost

    def add(self, violation: Violation) -> None:
        """Counts a violation, and keeps it if it is among the first of its law."""
        self.broken[violation.law] += 1
        shown = self.shown.setdefault(violation.law, [])
        if len(shown) < _SHOWN:
            shown.append(violation)


def prove(generation: Generation, settings: Settings) -> Proof:
    """Holds every law on every document of a generation; a batch of files is decoded at a time."""
    proof = Proof()
    for material in _materials(generation):
        missing = lost(material)
        proof.documents += 1
        proof.lost_characters += missing.characters
        proof.lost_rows += missing.rows
        for violation in document_violations(material, settings):
            proof.add(violation)
    for violation in corpus_violations(ChunkTable(generation.table("chunks"))):
        proof.add(violation)
    return proof


def _materials(generation: Generation) -> Iterator[Material]:
    chunks, discards = (ByFile(generation.table(name)) for name in ("chunks", "discards"))
    states = _states(generation)
    for name, inputs in _snapshots(generation):
        documents, sections, rows = (
            ByFile(generation.partitions / asset / name)
            for asset in ("source_files", "markdown_sections", "excel_rows")
        )
        for batch in batches(inputs):
            paths = paths_of(batch)
            yield from group(
                (_as_stated(one, states) for [one] in documents.records(paths, Document).values()),
                _flat(sections.records(paths, Section)),
                _flat(rows.records(paths, Row)),
                _flat(chunks.records(paths, Chunk)),
                _flat(discards.records(paths, Discard)),
            )
    # What belongs to no document that was seen must not go unseen itself.
    strangers = sorted({*chunks.paths, *discards.paths} - states.keys())
    yield from group(
        (), (), (), _flat(chunks.records(strangers, Chunk)), _flat(discards.records(strangers, Discard))
    )


def _snapshots(generation: Generation) -> list[tuple[str, list[Input]]]:
    """Every notebook's table and files, in the order of the corpus, so that it is read once through."""
    paths = (generation.partitions / "source_files").glob("*.parquet")
    found = [(path.name, snapshot_inputs(read_table(path, columns=INPUT_COLUMNS))) for path in paths]
    return sorted(found, key=lambda one: [file.source_path for file in one[1][:1]])


def _flat(records: Mapping[str, list[Any]]) -> Iterator[Any]:
    return chain.from_iterable(records.values())


def _states(generation: Generation) -> dict[str, str]:
    table = read_table(generation.table("documents"), columns=["source_path", "state"])
    return dict(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _as_stated(document: Document, states: Mapping[str, str]) -> Document:
    """A document that a later stage could not use is accounted for as a whole, by its state.

    One that broke a stage of ours is not: every character of it must be in a discard or a chunk.
    """
    state = states.get(document.source_path, "")
    return (
        document
        if state in ("read", INTERNAL_ERROR)
        else replace(document, state=state, text=None, content=None)
    )


def settings_of(generation: Generation) -> Settings:
    """The settings that made a generation. Raises ``UserError`` where they are not there."""
    path = generation.path / SETTINGS_FILE
    try:
        return Settings.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(str(path), "cannot be read", "build again with --fresh") from error
