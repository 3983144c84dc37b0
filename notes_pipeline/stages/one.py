"""One document through all stages at once, nothing kept: for ``chunk``, and wherever no build is wanted."""

from __future__ import annotations

from notes_pipeline import rows
from notes_pipeline.decide import decide
from notes_pipeline.flags import Context, flag
from notes_pipeline.records import Chunk, Discard, Document, Row, Section
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.settings import Settings
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.parse import parse
from notes_pipeline.stages import excel, markdown
from notes_pipeline.stages.guard import failure


def chunk_document(document: Document, settings: Settings, registry: Registry) -> list[Chunk | Discard]:
    """Judged chunks and discards of one document, as a build would make them; none of one not read."""
    try:
        made, sections, found = _cut(document, settings, registry)
    except Exception as error:
        return [failure(document, error)]
    context = Context(document=document, sections=sections, rows=found, settings=settings)
    chunks = flag([item for item in made if isinstance(item, Chunk)], context)
    discards = [item for item in made if isinstance(item, Discard)]
    return [*(decide(item, settings) for item in chunks), *discards]


def _cut(
    document: Document, settings: Settings, registry: Registry
) -> tuple[list[Chunk | Discard], list[Section], list[Row]]:
    if document.state != "read":
        return [], [], []
    if document.source_type in markdown.TYPES:
        sections = list(parse(document, settings))
        return chunk(document, sections, settings), sections, []
    if document.source_type in excel.TYPES:
        workbook = rows.read(document, settings, registry)
        made = rows.chunk(document, workbook, settings, registry)
        return [*made, *workbook.discards], [], list(workbook.rows)
    return [], [], []
