"""What became of workbooks: tables and templates counted, and what sheets say of themselves.

Belongs here: sums over ``rows.coverage`` and the notes of sheets. Stays out: the single table (``rows``).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from notes_pipeline.records import Chunk, Discard, Row, Sheet
from notes_pipeline.report.data import Count, TemplateRow, Workbooks
from notes_pipeline.report.tallies import counts
from notes_pipeline.rows.cleaning import RULES
from notes_pipeline.rows.coverage import TableCoverage, coverage, unused_templates
from notes_pipeline.rows.sentence import FALLBACK
from notes_pipeline.rows.templates.registry import Registry

_LEFT_OUT = {"hidden_columns": "in hidden columns", "struck": "crossed out"}
"""Reasons in the notes of sheets for cells that nobody is meant to read."""
_MENDED = ("mended", "broken", "unreadable", "unreadable_cells", "merges_cut", "ragged", "unclosed_quote")
"""Notes of sheets that speak of a damage."""
_CELLS = re.compile(r" (\d+)(?:, |$)")


class WorkbookTally:
    """Counts tables while the rows go by, one workbook in memory at a time."""

    def __init__(self, chunks: Iterable[Chunk], discards: Iterable[Discard], registry: Registry) -> None:
        self._registry = registry
        self._tables: list[TableCoverage] = []
        self._made: defaultdict[str, list[Chunk | Discard]] = defaultdict(list)
        self._cleaned: Counter[str] = Counter()
        for chunk in chunks:
            if chunk.row_number is not None and chunk.part in (None, 1):
                self._made[chunk.source_path].append(chunk)
                self._cleaned.update(_rule(it.note) for it in chunk.findings if it.rule == "cleaned")
        for discard in discards:
            if discard.row_number is not None:
                self._made[discard.source_path].append(discard)

    def watch(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows as they come; the tables of a workbook are counted when its first row is asked for."""
        for source_path, group in groupby(rows, key=lambda row: row.source_path):
            own = list(group)
            self._tables += coverage(own, self._made.pop(source_path, ()), self._registry)
            yield from own

    def workbooks(self, sheets: Sequence[Sheet], failing: Iterable[str] = ()) -> Workbooks:
        """All counts, once every row has gone by; ``failing`` tells of templates that fail their tests."""
        return Workbooks(
            templates=_template_rows(self._tables),
            unmatched=tuple(unused_templates(self._tables, self._registry)),
            tables=tuple(sorted(self._tables, key=_trouble, reverse=True)),
            sheets=tuple(sheets),
            states=counts(sheet.state for sheet in sheets),
            low_confidence=sum(sheet.confidence == "low" for sheet in sheets),
            left_out=_left_out(self._tables, sheets),
            formulas_without_value=sum(_noted(sheets, "formulas_without_value").values()),
            errors=sum(_noted(sheets, "errors").values()),
            failing=tuple(failing),
            mends=tuple(_mends(sheets)),
            cleaned=counts(self._cleaned.elements()),
        )


def _trouble(table: TableCoverage) -> int:
    """Rows that made no chunk, or not the one their template asks for."""
    return sum(table.discarded.values()) + table.fallback_rows


def _rule(note: str) -> str:
    """The rule in a note of the form ``column: rule: what went``."""
    found = [(note.find(f": {rule.name}: "), rule.name) for rule in RULES if f": {rule.name}: " in note]
    return min(found)[1] if found else "other"


def _template_rows(tables: Sequence[TableCoverage]) -> tuple[TemplateRow, ...]:
    by_template: defaultdict[str, list[TableCoverage]] = defaultdict(list)
    for table in tables:
        by_template[table.template].append(table)
    fallen = sum(table.fallback_rows for table in tables)
    if fallen:
        by_template.setdefault(FALLBACK, [])
    rows = (_template_row(name, own, fallen if name == FALLBACK else 0) for name, own in by_template.items())
    return tuple(sorted(rows, key=lambda row: (-row.rows, row.template)))


def _template_row(template: str, tables: Sequence[TableCoverage], more: int) -> TemplateRow:
    """``more`` rows of other templates' tables count as its own."""
    missing: Counter[str] = Counter()
    for table in tables:
        missing.update(table.missing_fields)
    chunked, fell_back = sum(it.chunked for it in tables), sum(it.fallback_rows for it in tables)
    inside = sum(table.table_index >= 0 for table in tables)
    return TemplateRow(template, inside, chunked - fell_back + more, fell_back, dict(sorted(missing.items())))


def _left_out(tables: Iterable[TableCoverage], sheets: Iterable[Sheet]) -> tuple[Count, ...]:
    """Cells left out on purpose, the most first."""
    found: Counter[str] = Counter()
    for table in tables:
        found.update({f"{table.template}: {column}": cells for column, cells in table.left_out.items()})
    for note, name in _LEFT_OUT.items():
        found[name] += sum(_noted(sheets, note).values())
    return counts(found.elements())


def _noted(sheets: Iterable[Sheet], name: str) -> Counter[str]:
    """Cells by sheet that a note of this name counts by column: ``errors: B 3, D 1``."""
    found: Counter[str] = Counter()
    for sheet in sheets:
        for note in sheet.notes:
            what, _, columns = note.partition(":")
            if what == name:
                found[f"{sheet.source_path}!{sheet.sheet}"] += sum(map(int, _CELLS.findall(columns)))
    return found


def _mends(sheets: Iterable[Sheet]) -> Iterator[tuple[str, str]]:
    for sheet in sheets:
        for note in sheet.notes:
            if note.partition(":")[0] in _MENDED:
                yield f"{sheet.source_path}, {sheet.sheet}", note
