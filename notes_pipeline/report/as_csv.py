"""CSV for spreadsheets: flagged chunks and discarded rows, where no cell can become a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from notes_pipeline.labels import guarded
from notes_pipeline.records import Chunk
from notes_pipeline.report.as_json import KEY_FIELDS
from notes_pipeline.report.data import DiscardedRow, Report

FLAGGED = (
    "chunk_id",
    "locator",
    "content_hash",
    "source_path",
    "heading_path",
    "quality",
    "decision",
    "decision_reason",
    "rules",
    "notes",
    "word_count",
    "semantic_type",
    "text",
)
DISCARDED = (
    "source_path",
    "sheet",
    "row_number",
    "reason",
    "detail",
    "empty_fields",
    "total_fields",
    "word_count",
    "key_fields",
)


def flagged_csv(report: Report) -> str:
    """One line a flagged chunk."""
    return _table(FLAGGED, map(_chunk, report.flagged))


def discarded_rows_csv(report: Report) -> str:
    """One line a discarded row."""
    return _table(DISCARDED, map(_row, report.discarded_rows))


def safe(value: object) -> str:
    """``value`` as a cell no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("plain"), safe(None)
    ("'=1+1", 'plain', '')
    """
    return guarded("" if value is None else str(value))


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    # A NUL ends the file for many readers; nothing else of a text is touched.
    writer.writerows([safe(value).replace("\0", "\ufffd") for value in row] for row in rows)
    return out.getvalue()


def _chunk(chunk: Chunk) -> Sequence[object]:
    return (
        chunk.chunk_id,
        chunk.locator,
        chunk.content_hash,
        chunk.source_path,
        " > ".join(chunk.heading_path),
        chunk.quality,
        chunk.decision,
        chunk.decision_reason,
        " ".join(dict.fromkeys(finding.rule for finding in chunk.findings)),
        "; ".join(dict.fromkeys(finding.note for finding in chunk.findings)),
        chunk.word_count,
        chunk.semantic_type,
        chunk.text,
    )


def _row(row: DiscardedRow) -> Sequence[object]:
    discard = row.discard
    return (
        discard.source_path,
        discard.sheet,
        discard.row_number,
        discard.reason,
        discard.detail,
        row.empty_fields,
        row.total_fields,
        row.word_count,
        "; ".join(f"{column}: {value}" for column, value in row.cells[:KEY_FIELDS]),
    )
