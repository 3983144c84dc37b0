"""Makes the record of a loss: where it stood, why it is in no chunk, and the lost text itself.

Belongs here: the one way to build a ``Discard``, so that lengths, hashes and the cut at
``DISCARD_TEXT_LIMIT`` agree everywhere. Stays out: deciding what is lost.
"""

from __future__ import annotations

from dataclasses import replace

from notes_pipeline.ids import text_hash
from notes_pipeline.lines import Lines
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
    return Discard(
        source_path=source_path,
        notebook=notebook,
        char_start=None,
        char_end=None,
        start_line=None,
        end_line=None,
        sheet=sheet,
        row_number=row_number,
        reason=reason,
        detail=detail,
        text=text[:DISCARD_TEXT_LIMIT],
        text_length=len(text),
        text_hash=text_hash(text),
    )


def discard_span(
    source_path: str,
    notebook: str,
    span: tuple[int, int],
    reason: str,
    detail: str = "",
    *,
    source: str,
    lines: Lines,
) -> Discard:
    """The loss of ``source[span[0]:span[1]]``, with its exact place in characters and lines."""
    start, end = span
    first, last = lines.range(start, end)
    placeless = discard(source_path, notebook, reason, detail, source[start:end])
    return replace(placeless, char_start=start, char_end=end, start_line=first, end_line=last)
