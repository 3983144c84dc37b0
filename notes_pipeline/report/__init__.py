"""What was made, what was thrown away and why: one ``Report``, and the files a person or a program reads.

Belongs here: numbers (``data``, ``build``) kept apart from views (``as_*``). Stays out: anything that
changes a chunk. ``ARTIFACTS`` is the whole list of files in ``qa/latest``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from notes_pipeline.corpus.parquet import write_text
from notes_pipeline.report import as_csv, as_html, as_json, as_markdown
from notes_pipeline.report.build import build_report
from notes_pipeline.report.data import Report, RunFacts
from notes_pipeline.report.metrics import metrics

__all__ = ["ARTIFACTS", "Report", "RunFacts", "build_report", "metrics", "write_report"]

ARTIFACTS: dict[str, Callable[[Report], str]] = {
    "metrics.json": as_json.metrics_json,
    "summary.md": as_markdown.summary,
    "report.html": as_html.page,
    "sample.json": as_json.sample_json,
    "flagged.json": as_json.flagged_json,
    "flagged.csv": as_csv.flagged_csv,
    "semantic_types.json": as_json.semantic_types_json,
    "discarded_rows.json": as_json.discarded_rows_json,
    "discarded_rows.csv": as_csv.discarded_rows_csv,
}
"""File name to the view that writes it; ``retrieval.json`` comes with the evaluation."""


def write_report(report: Report, folder: Path) -> list[Path]:
    """Every artifact of ``report`` in ``folder``, each written whole or not at all."""
    paths = []
    for name, view in ARTIFACTS.items():
        write_text(folder / name, view(report))
        paths.append(folder / name)
    return paths
