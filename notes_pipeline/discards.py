"""Makes the record of a loss: where it stood, why it is in no chunk, and the lost text itself.

Belongs here: the one way to build a ``Discard``, so that lengths, hashes and the cut at
``DISCARD_TEXT_LIMIT`` agree everywhere. Stays out: deciding what is lost.
"""

from __future__ import annotations

from notes_pipeline.ids import text_hash
from notes_pipeline.lines import Lines, LineWalk
from notes_pipeline.records import DISCARD_TEXT_LIMIT, Discard


def discard(
    source_path: str,
    notebook: str,
    reason: str,
    detail: str = "",
    text: str = "",
    *,
    sheet: str | None = None,
    row_number: int | None = None,
) -> Discard:
    """A loss without a place in a text: a skipped row, or a file that could not be parsed."""
    return _record(source_path, notebook, (None, None, None, None), (sheet, row_number), reason, detail, text)


def discard_span(
    source_path: str,
    notebook: str,
    span: tuple[int, int],
    reason: str,
    detail: str = "",
    *,
    source: str,
    lines: Lines | LineWalk,
) -> Discard:
    """The loss of ``source[span[0]:span[1]]``, with its exact place in characters and lines."""
    start, end = span
    place = start, end, *lines.range(start, end)
    return _record(source_path, notebook, place, (None, None), reason, detail, source[start:end])


def _record(
    source_path: str,
    notebook: str,
    place: tuple[int, int, int, int] | tuple[None, None, None, None],
    row: tuple[str | None, int | None],
    reason: str,
    detail: str,
    text: str,
) -> Discard:
    """``place`` is a span in characters and in lines; ``row`` a sheet and a row of it."""
    char_start, char_end, start_line, end_line = place
    sheet, row_number = row
    return Discard(
        source_path,
        notebook,
        char_start,
        char_end,
        start_line,
        end_line,
        sheet,
        row_number,
        reason,
        detail,
        text[:DISCARD_TEXT_LIMIT],
        len(text),
        text_hash(text),
    )
