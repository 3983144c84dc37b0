"""Lines of tables as ``Row`` records: cells under their columns' names, values filled down.

Belongs here: the record of every line and the counts its template leaves out.
Stays out: what kind a line is (structure) and which tables there are (table).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from notes_pipeline.records import Cell, Document, Row
from notes_pipeline.rows.names import letter_name, normal
from notes_pipeline.rows.sentence import left_out
from notes_pipeline.rows.tables.entity import entity_column, moment_column
from notes_pipeline.rows.tables.region import Line
from notes_pipeline.rows.tables.sight import Cells, Sight, by_column
from notes_pipeline.rows.tables.structure import judge
from notes_pipeline.rows.tables.table import Table, is_title
from notes_pipeline.rows.templates.plan import Plan
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.rows.templates.shape import OUTSIDE, plan_for
from notes_pipeline.rows.workbook.grid import GridCell

_LETTERS = len("Column ")


class RowMaker:
    """Makes the rows of one sheet and counts the cells that its templates leave out on purpose."""

    def __init__(self, document: Document, sheet: str) -> None:
        self._document = document
        self._sheet = sheet
        self._left_out: dict[str, Counter[str]] = {}

    def table(self, index: int, table: Table, sight: Sight, registry: Registry) -> list[Row]:
        """Every line of a table: above, header, body."""
        rows = [*self._above(index, table)]
        judged = list(judge(table))
        values = [self._values(item.line, table) for item in judged if item.kind == "data"]
        columns = list(table.columns.values())
        entity = entity_column(columns, values) or (moment_column(columns, values) if table.title else "")
        for item in judged:
            why = item.reason or "; ".join(sight.missing.get(item.line.number, ()))
            rows.append(self._row(item.line, item.kind, why, table, index, item.section, entity))
        plan = plan_for(registry, rows, entity)
        if plan.template:
            rows = _read_by(plan, rows)
            self._count(plan, rows)
        return rows

    def _above(self, index: int, table: Table) -> Iterator[Row]:
        for line in table.above:
            kind = "title" if is_title(line) else "note"
            yield self._row(line, kind, "above the table", table, index)
        for place, line in enumerate(table.header):
            last = place == len(table.header) - 1
            why = f"{table.explanation} ({table.confidence} confidence)" if last else "outer header"
            yield self._row(line, "header", why, table, index)

    def loose(self, lines: Iterable[Line], kind: str, why: str) -> list[Row]:
        """Rows outside every table, their columns named by letters."""
        return [self._row(line, kind, why, None, OUTSIDE) for line in lines]

    def aside(self, cells: Cells, kind: str, why: str, tables: Sequence[Table]) -> Iterator[Row]:
        """Rows set aside before the tables were sought, under the names of the table they stand in."""
        spans = [_span(table) for table in tables] if cells else []
        for number, row in cells.items():
            if all(cell.spilled for cell in row.values()):
                continue
            place = next((i for i, (top, end) in enumerate(spans) if top <= number <= end), OUTSIDE)
            table = tables[place] if place != OUTSIDE else None
            yield self._row(Line(number, row), kind, why, table, place)

    def notes(self) -> list[str]:
        """Counts of cells left out by a template, by column: ``ignored: Remarks 12``."""
        return [f"{reason}: {by_column(counts)}" for reason, counts in sorted(self._left_out.items())]

    def _count(self, plan: Plan, rows: Sequence[Row]) -> None:
        for row in (row for row in rows if row.kind == "data"):
            for reason, column in left_out(row, plan):
                self._left_out.setdefault(reason, Counter())[column] += 1

    def _values(self, line: Line, table: Table) -> dict[str, str]:
        return {
            table.columns[column]: cell.text for column, cell in line.cells.items() if cell.kind != "error"
        }

    def _cells(self, line: Line, table: Table | None, kind: str) -> tuple[Cell, ...]:
        names: Mapping[int, str] = table.columns if table else {}
        # What is not read by columns holds each merged text once, errors included.
        cells = line.cells if kind in ("data", "header") else {cell.column: cell for cell in line.apart}
        return tuple(
            Cell(names.get(column) or letter_name(column), cell.text, _ref(cell), cell.hyperlink)
            for column, cell in cells.items()
            if kind != "data" or cell.kind != "error"
        )

    def _row(
        self,
        line: Line,
        kind: str,
        why: str,
        table: Table | None,
        index: int,
        section: str = "",
        entity: str = "",
    ) -> Row:
        return Row(
            source_path=self._document.source_path,
            notebook=self._document.notebook,
            sheet=self._sheet,
            table_index=index,
            table_title=table.title if table else "",
            section=section,
            row_number=line.number,
            kind=kind,
            cells=self._cells(line, table, kind),
            field_count=len(table.columns) if table else len(line.cells),
            entity=entity,
            explanation=why,
        )


def _read_by(plan: Plan, rows: Sequence[Row]) -> list[Row]:
    """The rows under a template's entity, with what it fills down taken from the row above."""
    assert plan.template is not None
    wanted = {normal(name) for name in plan.template.spec.table.fill_down}
    filled = {
        column for column, name in plan.names.items() if normal(column) in wanted or normal(name) in wanted
    }
    last: dict[str, Cell] = {}
    return [
        replace(row, entity=plan.entity, cells=_filled(row.cells, filled, last, plan.columns))
        if row.kind == "data"
        else row
        for row in rows
    ]


def _filled(
    cells: tuple[Cell, ...], filled: set[str], last: dict[str, Cell], columns: Sequence[str]
) -> tuple[Cell, ...]:
    if not filled:
        return cells
    here = {cell.column: cell for cell in cells}
    for column in filled:
        if column in here:
            last[column] = here[column]
        elif column in last:
            here[column] = last[column]
    return tuple(here[column] for column in columns if column in here)


def _span(table: Table) -> tuple[int, int]:
    lines = (*table.above, *table.header, *table.body)
    return lines[0].number, lines[-1].number


def _ref(cell: GridCell) -> str:
    return f"{letter_name(cell.column)[_LETTERS:]}{cell.row}"
