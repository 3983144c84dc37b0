"""A worksheet of a workbook as a grid: cells shown, links and merges laid over them.

Belongs here: from raw cells to ``Grid``. Stays out: XML (sheet_xml), formats (formats), merges (spill).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException

from notes_pipeline.rows.workbook.cells import CellViewer
from notes_pipeline.rows.workbook.grid import Grid, NamedRange, Range
from notes_pipeline.rows.workbook.ooxml import Relation, SheetEntry, Workbook, relations
from notes_pipeline.rows.workbook.package import forbidden
from notes_pipeline.rows.workbook.refusal import Refused
from notes_pipeline.rows.workbook.sheet_xml import MAX_COLUMN, SheetParser, SheetSettings, parse_range
from notes_pipeline.rows.workbook.spill import Cells, spill


def read_worksheet(workbook: Workbook, entry: SheetEntry, index: int, limit: int) -> Grid:
    """The grid of one sheet; at most ``limit`` cells, else its state says too large."""
    if entry.kind != "worksheet":
        what = f"{entry.kind or 'missing part'}: no cells to read"
        return Grid(entry.name, index, "chart" if entry.kind else entry.state, notes=(what,))
    try:
        parser = SheetParser(workbook.package.events(entry.part), workbook.strings)
        shown = CellViewer(workbook)
        cells = shown.take(parser.cells(), limit)
    except DefusedXmlException as error:
        raise forbidden(entry.part) from error
    except (Refused, ParseError) as error:
        return Grid(entry.name, index, entry.state, notes=(f"unreadable: {error}",))
    if cells is None:
        return Grid(entry.name, index, "too_large", notes=(f"too_large: more than {limit:,} cells",))
    return _grid(workbook, entry, index, parser.settings, shown, cells, limit)


def _grid(
    workbook: Workbook,
    entry: SheetEntry,
    index: int,
    settings: SheetSettings,
    shown: CellViewer,
    cells: Cells,
    limit: int,
) -> Grid:
    related = relations(workbook.package, entry.part)
    _link(cells, settings, related, limit)
    cells, notes = spill(cells, settings.merges, limit)
    used = {column for row in cells.values() for column in row}
    return Grid(
        entry.name,
        index,
        entry.state,
        cells,
        tuple(settings.merges),
        frozenset(settings.hidden_rows & cells.keys()),
        frozenset(used & _columns_of(settings.hidden_columns)),
        _tables(workbook, related),
        settings.autofilter,
        settings.freeze_row,
        any(relation.kind == "pivotTable" for relation in related.values()),
        tuple(settings.formulas_without_value),
        tuple(shown.errors),
        (*notes, *_notes(workbook, settings, shown, related)),
    )


def _columns_of(runs: Iterable[tuple[int, int]]) -> set[int]:
    columns: set[int] = set()
    reached = 0
    for first, last in sorted(runs):  # each column once, however many runs hold it
        columns.update(range(max(first, reached + 1), min(last, MAX_COLUMN) + 1))
        reached = max(reached, last)
    return columns


def _notes(
    workbook: Workbook, settings: SheetSettings, shown: CellViewer, related: dict[str, Relation]
) -> Iterator[str]:
    if settings.broken:
        yield f"broken: the sheet could not be read {settings.broken}"
    if settings.unreadable_cells:
        yield f"unreadable_cells: {_listed(settings.unreadable_cells)}"
    if shown.hidden_by_format:
        yield f"hidden_by_format: {_listed(shown.hidden_by_format)}"
    if shown.hijri:
        yield f"hijri_dates: {_listed(shown.hijri)} read in the Gregorian calendar"
    for relation in related.values():
        if not relation.external and relation.target not in workbook.package:
            yield f"mended: missing part {relation.target}"
        elif relation.kind == "comments":
            yield f"comments: {_comments(workbook, relation.target)} left out"


def _comments(workbook: Workbook, part: str) -> int:
    try:
        return sum(element.tag.endswith("}comment") for element in workbook.package.tree(part).iter())
    except (ParseError, Refused):
        return 0


def _listed(refs: Sequence[str], most: int = 20) -> str:
    rest = f" and {len(refs) - most} more" if len(refs) > most else ""
    return ", ".join(refs[:most]) + rest


def _link(cells: Cells, settings: SheetSettings, related: dict[str, Relation], left: int) -> None:
    for link in settings.links:
        if left <= 0:  # links over links: enough work for any honest sheet was done
            return
        relation = related.get(link.relation)
        target = (relation.target if relation else "") + (f"#{link.location}" if link.location else "")
        if target:
            linked = _cells_in(cells, link.area)
            left -= len(linked) + min(len(cells), link.area[2] - link.area[0])
            for row, column in linked:
                cells[row][column] = cells[row][column]._replace(hyperlink=target)


def _cells_in(cells: Cells, area: Range) -> list[tuple[int, int]]:
    top, left, bottom, right = area
    rows = range(top, bottom + 1) if bottom - top < len(cells) else list(cells)
    return [
        (row, column)
        for row in rows
        if top <= row <= bottom and row in cells
        for column in cells[row]
        if left <= column <= right
    ]


def _tables(workbook: Workbook, related: dict[str, Relation]) -> tuple[NamedRange, ...]:
    found = []
    for relation in related.values():
        if relation.kind != "table" or relation.target not in workbook.package:
            continue
        try:
            root = workbook.package.tree(relation.target)
        except (ParseError, Refused):
            continue
        area = parse_range(root.get("ref", ""))
        if area:
            name = root.get("displayName") or root.get("name") or ""
            found.append(
                NamedRange(
                    name, *area, _count(root.get("headerRowCount"), 1), _count(root.get("totalsRowCount"), 0)
                )
            )
    return tuple(sorted(found, key=lambda table: table[1:5]))


def _count(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 4 else default
