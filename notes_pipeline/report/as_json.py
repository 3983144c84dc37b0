"""JSON for programs: the metrics, the sample, flagged chunks, semantic types, discarded rows."""

from __future__ import annotations

import json
from typing import Any

from notes_pipeline.records import Chunk
from notes_pipeline.report.data import GENERAL_LIMIT, DiscardedRow, Report, SampleCard
from notes_pipeline.report.metrics import metrics

EARLIER = 10
"""Earlier builds in the metrics."""

KEY_FIELDS = 3
"""Cells that name a discarded row."""


def metrics_json(report: Report) -> str:
    """All numbers of the build, those of the last ten builds under ``history``."""
    return _dump(
        {**metrics(report), "versions": dict(report.run.versions), "history": list(report.history[-EARLIER:])}
    )


def sample_json(report: Report) -> str:
    """The sampled chunks with their neighbours."""
    return _dump({"seed": report.run.settings_hash, "chunks": [_card(card) for card in report.sample]})


def flagged_json(report: Report) -> str:
    """Every chunk with a finding or a decision other than keep."""
    return _dump({"count": len(report.flagged), "chunks": [chunk_data(chunk) for chunk in report.flagged]})


def semantic_types_json(report: Report) -> str:
    """How the types are spread, and a warning where ``general`` is too common."""
    warning = f"general is over {GENERAL_LIMIT:.0%}: the types say little about these notes"
    return _dump(
        {
            "total": report.totals.chunks,
            "general_share": round(report.general_share, 4),
            "warning": warning if report.too_general else None,
            "types": [
                {"type": it.name, "count": it.count, "share": round(it.share, 4), "delta": it.delta}
                for it in report.semantic_types
            ],
        }
    )


def discarded_rows_json(report: Report) -> str:
    """Every row that made no chunk, and why."""
    return _dump(
        {"count": len(report.discarded_rows), "rows": [row_data(row) for row in report.discarded_rows]}
    )


def chunk_data(chunk: Chunk) -> dict[str, Any]:
    """A chunk as a reviewer needs it."""
    return {
        "chunk_id": chunk.chunk_id,
        "locator": chunk.locator,
        "content_hash": chunk.content_hash,
        "source_path": chunk.source_path,
        "source_type": chunk.source_type,
        "heading_path": list(chunk.heading_path),
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "sheet": chunk.sheet,
        "row_number": chunk.row_number,
        "word_count": chunk.word_count,
        "semantic_type": chunk.semantic_type,
        "quality": chunk.quality,
        "decision": chunk.decision,
        "decision_reason": chunk.decision_reason,
        "findings": [finding._asdict() for finding in chunk.findings],
        "text": chunk.text,
    }


def row_data(row: DiscardedRow) -> dict[str, Any]:
    """A discarded row in the terms a template author thinks in."""
    return {
        "source_path": row.discard.source_path,
        "sheet": row.discard.sheet,
        "row_number": row.discard.row_number,
        "reason": row.discard.reason,
        "detail": row.discard.detail,
        "empty_fields": row.empty_fields,
        "total_fields": row.total_fields,
        "word_count": row.word_count,
        "key_fields": dict(row.cells[:KEY_FIELDS]),
        "text": row.discard.text,
    }


def _card(card: SampleCard) -> dict[str, Any]:
    return {**chunk_data(card.chunk), "flagged": card.flagged, "before": card.before, "after": card.after}


def _dump(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
