"""``templates preview``: rows of a workbook as they will read, before anything is built.

Belongs here: which rows are shown and how. Stays out: how they are made (reading, chunking).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from notes_pipeline.plural import noun, plural
from notes_pipeline.records import DOCUMENT_STATES, Chunk, Document
from notes_pipeline.rows.chunking import chunk
from notes_pipeline.rows.coverage import TableCoverage, coverage
from notes_pipeline.rows.reading import read
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.rows.templates.shape import tables_in
from notes_pipeline.settings import Settings


@dataclass(frozen=True)
class TablePreview:
    """One table with the first rows of it as they read."""

    facts: TableCoverage
    texts: tuple[str, ...]

    @property
    def text(self) -> str:
        """A head line and one line a row."""
        facts = self.facts
        name = facts.sheet + (f" › {facts.title}" if facts.title and facts.title != facts.sheet else "")
        lost = ", ".join(f"{count} {reason}" for reason, count in facts.discarded.items())
        rows = plural(facts.rows, "row")
        head = f"{facts.source_path} › {name}: template {facts.template}, {facts.chunked} of {rows}"
        return "\n".join([head + (f" (skipped: {lost})" if lost else ""), *_notes(facts), *self.texts])


def preview(
    registry: Registry, document: Document, n: int = 3, settings: Settings | None = None
) -> list[TablePreview]:
    """The tables of a workbook, each with its first ``n`` rows as they will read.

    A file that cannot be read gives none; ``refusal`` says why.
    """
    chosen = settings or Settings()
    workbook = read(document, chosen, registry)
    made = chunk(document, workbook, chosen, registry)
    found = coverage(workbook.rows, made, registry)
    previews = []
    for facts, rows in zip(found, tables_in(workbook.rows), strict=True):
        places = {row.row_number for row in rows if row.kind == "data"}
        texts = [
            c.text for c in made if isinstance(c, Chunk) and c.sheet == facts.sheet and c.row_number in places
        ]
        if facts.chunked:
            previews.append(TablePreview(facts, tuple(texts[:n])))
    return previews


def _notes(facts: TableCoverage) -> Iterator[str]:
    for name, like in facts.unknown_fields.items():
        yield f"  ! no column {name!r}" + (f"; did you mean {like!r}?" if like else "")
    for name, count in facts.missing_fields.items():
        use = noun(count, "uses", "use")
        yield f"  ! {plural(count, 'row lacks', 'rows lack')} {name!r} and {use} the fallback"


def refusal(document: Document, settings: Settings | None = None) -> str:
    """Why a workbook cannot be read, state and reason as a build says them, or empty."""
    if document.state not in ("read", "empty"):
        return f"{document.state}: {document.error}"
    discards = read(document, settings or Settings(), Registry()).discards
    whole = (it for it in discards if it.reason in DOCUMENT_STATES)
    return next((f"{it.reason}: {it.detail}" for it in whole), "")
