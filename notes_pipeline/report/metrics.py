"""The numbers of a report as plain data: ``metrics.json``, and one line of ``qa/history.jsonl``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from notes_pipeline.report.data import Count, Histogram, Report, Workbooks


def metrics(report: Report) -> dict[str, Any]:
    """Numbers only, no note text and no paths."""
    totals = report.totals
    return {
        **{name: value for name, value in asdict(totals).items() if name != "average_words"},
        "average_words": round(totals.average_words, 1),
        "build_hash": report.run.build_hash,
        "settings_hash": report.run.settings_hash,
        "preset": report.run.preset,
        "started_at": report.run.started_at,
        "seconds": round(report.run.seconds, 3),
        "states": _named(report.states),
        "other_kinds": _named(report.other_kinds),
        "warnings": _warnings(report),
        "quality": _named(report.qualities),
        "decision_reasons": _named(report.reasons),
        "semantic_types": _named(report.semantic_types),
        "rules": {row.rule: row.chunks for row in sorted(report.rules, key=lambda row: row.rule)},
        "precision": {row.rule: round(row.precision, 3) for row in report.rules if row.precision is not None},
        "discard_reasons": {group.reason: group.count for group in report.discards},
        "retrieval_score": {"mean": round(report.mean_score, 3), "histogram": _bins(report.scores)},
        "workbooks": _workbooks(report.workbooks),
        "words_per_chunk": {it.title: _bins(it) for it in report.words},
    }


def _warnings(report: Report) -> dict[str, int]:
    """Warnings on files by their code."""
    codes = Counter(it.partition(":")[0] for row in report.files for it in row.document.warnings)
    return dict(sorted(codes.items()))


def _workbooks(found: Workbooks) -> dict[str, Any]:
    return {
        "sheets": _named(found.states),
        "low_confidence": found.low_confidence,
        "tables": sum(table.table_index >= 0 for table in found.tables),
        "rows_by_template": {row.template: row.rows for row in found.templates},
        "fell_back": sum(row.fell_back for row in found.templates),
        "missing_fields": {row.template: sum(row.missing_fields.values()) for row in found.templates},
        "unused_columns": sum(len(table.unused_columns) for table in found.tables),
        "unmatched_templates": len(found.unmatched),
        "failing_templates": len(found.failing),
        "cells_left_out": sum(it.count for it in found.left_out),
        "formulas_without_value": found.formulas_without_value,
        "error_cells": found.errors,
        "mends": len(found.mends),
        "cleaned": _named(found.cleaned),
    }


def _named(counts: Iterable[Count]) -> dict[str, int]:
    return {it.name: it.count for it in counts}


def _bins(histogram: Histogram) -> list[dict[str, float | None]]:
    return [{"from": it.start, "to": it.end, "count": it.count} for it in histogram.bins]
