"""One document through all stages at once, nothing kept: for ``chunk``, and wherever no build is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from notes_pipeline.flags import Context
from notes_pipeline.records import Chunk, Discard, Document, Row, Section
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.settings import Settings
from notes_pipeline.stages import excel, flagged, markdown


def chunk_document(document: Document, settings: Settings, registry: Registry) -> list[Chunk | Discard]:
    """Judged chunks and discards of one document, as a build would make them; none of one not read."""
    made, sections, found = _cut(document, settings, registry)
    context = Context(document=document, sections=sections, rows=found, settings=settings)
    chunks = [item for item in made if isinstance(item, Chunk)]
    discards = [item for item in made if isinstance(item, Discard)]
    return [*flagged.judged_chunks(chunks, context), *discards]


def _cut(
    document: Document, settings: Settings, registry: Registry
) -> tuple[Sequence[Chunk | Discard], Sequence[Section], list[Row]]:
    if document.state != "read":
        return [], [], []
    if document.source_type in markdown.TYPES:
        sections, lost = markdown.sections_of(document, settings)
        return lost or markdown.chunks_of(document, sections, settings), sections, []
    if document.source_type in excel.TYPES:
        workbook = excel.workbook_of(document, settings, registry)
        made = excel.row_chunks_of(document, workbook, settings, registry)
        return [*made, *workbook.discards], [], list(workbook.rows)
    return [], [], []
