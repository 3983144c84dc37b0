"""``summary.md``: the report on one screen, for a terminal, a commit or a chat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from notes_pipeline.plural import noun
from notes_pipeline.report.data import GENERAL_LIMIT, Count, FileRow, Report, Workbooks
from notes_pipeline.report.phrases import counted, number, other_kinds, share, signed, verdict

_FILES = 10
_MARK = re.compile(r"[\\|`*\[\]<>&~$]|(?<!\w)_|_(?!\w)")
"""What Markdown may take for more than itself; a ``_`` inside a word is none."""


def summary(report: Report) -> str:
    """Verdict, decisions, qualities, rules, discards and the files to look at, as Markdown."""
    return "\n".join(
        (
            "# Build report",
            "",
            f"**{verdict(report)}**",
            "",
            *_facts(report),
            "",
            *_counts("Quality", report.qualities),
            *_counts("Decisions and the rule that made them", report.reasons),
            *_rules(report),
            *_discards(report),
            *_files(report),
            *_warnings(report),
            *_workbooks(report.workbooks),
            *_counts("Semantic types", report.semantic_types),
            *_warning(report),
        )
    )


def _facts(report: Report) -> list[str]:
    totals, run = report.totals, report.run
    others = other_kinds({it.name: it.count for it in report.other_kinds})
    return [
        f"- {counted(totals.files, 'file')} in {counted(totals.notebooks, 'notebook')},"
        f" {number(totals.read)} read",
        *([f"- not read: {_cell(others)}"] if others else []),
        f"- {counted(totals.words, 'word')}; {totals.average_words:.0f} in an average kept chunk",
        f"- {counted(totals.duplicates, 'exact duplicate')}, {counted(totals.flagged, 'chunk')} with a flag",
        f"- mean retrieval score {report.mean_score:.2f} (a proxy, for comparing builds only)",
        f"- preset `{run.preset}`, settings `{run.settings_hash}`, build `{run.build_hash}`",
        f"- took {run.seconds:.1f} s",
    ]


def _counts(title: str, counts: Iterable[Count]) -> list[str]:
    rows = [
        (it.name, number(it.count), share(it.share), signed(it.delta))
        for it in counts
        if it.count or it.delta
    ]
    return _section(title, ("", "count", "share", "Δ"), rows)


def _rules(report: Report) -> list[str]:
    rows = [
        (it.rule, it.action, number(it.chunks), share(it.share), signed(it.delta), it.about)
        for it in report.rules
    ]
    return _section("Flags", ("rule", "leads to", "chunks", "share", "Δ", "looks for"), rows)


def _discards(report: Report) -> list[str]:
    rows = [(it.reason, number(it.count), number(it.characters)) for it in report.discards]
    return _section("Discarded", ("reason", "count", "characters"), rows)


def _files(report: Report) -> list[str]:
    rows = [
        (it.document.source_path, _state(it), number(it.chunks), number(it.review), number(it.omit))
        for it in report.files[:_FILES]
        if any(it.trouble)
    ]
    return _section("Files to look at first", ("file", "state", "chunks", "review", "omit"), rows)


def _state(row: FileRow) -> str:
    document = row.document
    return f"{document.state}: {document.error}" if document.error else document.state


def _warnings(report: Report) -> list[str]:
    rows = [(it.document.source_path, warning) for it in report.files for warning in it.document.warnings]
    more = f"- and {counted(len(rows) - _FILES, 'warning')} more in `data/documents.parquet`"
    section = _section("Warnings", ("file", "what is odd"), rows[:_FILES])
    return [*section, more, ""] if len(rows) > _FILES else section


def _workbooks(found: Workbooks) -> list[str]:
    """Rows by template, and what of the workbooks asks for a look."""
    rows = [
        (it.template, number(it.tables), number(it.rows), number(it.fell_back), _by_name(it.missing_fields))
        for it in found.templates
    ]
    head = ("template", "tables", "rows", "to the fallback", "fields missing")
    formulas = found.formulas_without_value
    remarks = {
        f"{noun(len(found.unmatched), 'template that speaks', 'templates that speak')} for no table:"
        f" {_cell(', '.join(found.unmatched))}": len(found.unmatched),
        f"{counted(found.low_confidence, 'sheet')} whose header was a close call": found.low_confidence,
        f"{counted(formulas, 'formula')} without a value": formulas,
        counted(found.errors, "cell that shows an error", "cells that show an error"): found.errors,
        f"{counted(len(found.mends), 'damage')} mended or left out": len(found.mends),
    }
    lines = [f"- fails its own test: {_cell(line)}" for line in found.failing]
    lines += [f"- {remark}" for remark, count in remarks.items() if count]
    sheets = [(it.name.replace("_", " "), number(it.count)) for it in found.states]
    return [
        *_section("Workbooks", head, rows),
        *([*lines, ""] if lines else []),
        *_section("Sheets", ("what was made of them", "count"), sheets),
        *_counts("Cells left out on purpose", found.left_out[:_FILES]),
        *_counts("Cleaned out of cells", found.cleaned),
    ]


def _by_name(named: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number(count)}" for name, count in named.items())


def _warning(report: Report) -> list[str]:
    if not report.too_general:
        return []
    return [
        f"> Over {GENERAL_LIMIT:.0%} of the chunks are `general`: the types say little about these notes.",
        "",
    ]


def _section(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A titled table; nothing at all where it has no rows."""
    if not rows:
        return []
    lines = [f"## {title}", "", _line(head), _line(["---"] * len(head))]
    return [*lines, *map(_line, rows), ""]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    """Text as it is, on one line: no name of a file and no word of a note is Markdown or HTML."""
    return _MARK.sub(r"\\\g<0>", " ".join(text.split()))
