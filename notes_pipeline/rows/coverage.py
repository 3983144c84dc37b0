"""What templates and headers made of a workbook's tables, counted for the report.

Belongs here: the counts and the coverage law of rows. Stays out: how a report shows them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from notes_pipeline.records import Chunk, Discard, Row
from notes_pipeline.rows.names import nearest
from notes_pipeline.rows.sentence import FALLBACK, left_out, missing_fields, values_of
from notes_pipeline.rows.skip import DATA_REASONS, STRUCTURE
from notes_pipeline.rows.templates.plan import Plan
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.rows.templates.shape import OUTSIDE, plan_for


@dataclass(frozen=True)
class TableCoverage:
    """One table: what its rows became, and how well its template knows its columns."""

    source_path: str
    sheet: str
    table_index: int
    title: str
    rows: int
    chunked: int
    discarded: dict[str, int]
    """Reason to rows."""
    structure: int
    """Title, header and section rows."""
    template: str
    """Its id, or ``fallback``."""
    runner_up: str
    fallback_rows: int
    """Rows with a template that went to the fallback, for a missing field or a text too long."""
    missing_fields: dict[str, int]
    """Required field to rows that lack it."""
    unknown_fields: dict[str, str]
    """Field of the template's text that the table has not, to the nearest column."""
    unused_columns: tuple[str, ...]
    """Columns the template's text does not name, ``rest: labelled`` ones included."""
    left_out: dict[str, int]
    """Column left out on purpose (ignored, ``rest: drop``) to its cells."""

    @property
    def lost(self) -> int:
        """Rows that are nowhere: 0, or the law is broken."""
        return self.rows - self.chunked - sum(self.discarded.values()) - self.structure


def coverage(rows: Sequence[Row], made: Iterable[Chunk | Discard], registry: Registry) -> list[TableCoverage]:
    """Counts for every table of these rows; ``made`` are all chunks and discards that came of them.

    Rows outside tables are counted together, sheet by sheet, under table index -1.
    """
    found = _by_place(made)
    # Rows set aside (hidden, crossed out) come after all tables of their sheet; they count with their own.
    tables: defaultdict[tuple[str, str, int], list[Row]] = defaultdict(list)
    for row in rows:
        tables[row.source_path, row.sheet, row.table_index].append(row)
    return [_table(group, found, registry) for group in tables.values()]


def unused_templates(found: Iterable[TableCoverage], registry: Registry) -> list[str]:
    """Templates that spoke for no table: a warning of the report."""
    used = {table.template for table in found}
    return [template.id for template in registry.templates if template.id not in used]


_Place = tuple[str, str, int, str]
"""Source path, sheet, row, and what became of the row: a reason, or ``CHUNKED``."""
CHUNKED = "chunked"


def _by_place(made: Iterable[Chunk | Discard]) -> dict[_Place, list[str]]:
    """For every place the templates of its chunks (first parts only), or one entry a discard."""
    found: dict[_Place, list[str]] = {}
    for item in made:
        if item.sheet is None or item.row_number is None:
            continue
        if isinstance(item, Discard):
            found.setdefault((item.source_path, item.sheet, item.row_number, item.reason), []).append("")
        elif item.part in (None, 1):
            place = (item.source_path, item.sheet, item.row_number, CHUNKED)
            found.setdefault(place, []).append(item.template or FALLBACK)
    return found


def _table(rows: Sequence[Row], found: dict[_Place, list[str]], registry: Registry) -> TableCoverage:
    first = rows[0]
    inside = first.table_index != OUTSIDE
    entity = next((row.entity for row in rows if row.kind == "data"), "")
    plan = plan_for(registry if inside else Registry(), rows, entity)
    became: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    fallback = 0
    for row in rows:
        if row.kind in STRUCTURE:
            continue
        outcome, made_by = _taken(row, found)
        became[outcome] += 1
        if plan.template and outcome == CHUNKED and made_by == FALLBACK:
            fallback += 1
            missing.update(missing_fields(values_of(row, plan).by_column, plan, row.section))
    chunked = became.pop(CHUNKED, 0)
    became.pop("", 0)
    return TableCoverage(
        source_path=first.source_path,
        sheet=first.sheet,
        table_index=first.table_index,
        title=first.table_title,
        rows=len(rows),
        chunked=chunked,
        discarded=dict(sorted(became.items())),
        structure=sum(row.kind in STRUCTURE for row in rows),
        template=plan.template.id if plan.template else FALLBACK,
        runner_up=plan.runner_up.id if plan.runner_up else "",
        fallback_rows=fallback,
        missing_fields=dict(sorted(missing.items())),
        unknown_fields={name: nearest(name, plan.columns) for name in plan.unknown},
        unused_columns=_unused(plan),
        left_out=_left_out(rows, plan),
    )


def _taken(row: Row, found: dict[_Place, list[str]]) -> tuple[str, str]:
    """What became of a row and what made its sentence; empty where nothing did. Each record is taken once."""
    reasons = DATA_REASONS if row.kind == "data" else (row.kind,)
    for outcome in (*reasons, CHUNKED) if row.kind in ("data", "free_form") else reasons:
        entries = found.get((row.source_path, row.sheet, row.row_number, outcome))
        if entries:
            return outcome, entries.pop(0)
    return "", ""


def _unused(plan: Plan) -> tuple[str, ...]:
    if plan.template is None or plan.template.compiled is None:
        return ()
    return tuple(column for column in plan.columns if column not in plan.used)


def _left_out(rows: Sequence[Row], plan: Plan) -> dict[str, int]:
    data = (row for row in rows if row.kind == "data")
    return dict(Counter(column for row in data for _, column in left_out(row, plan)))
