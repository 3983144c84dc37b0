"""One worksheet part, read once by openpyxl's own parser: cells, and the few settings a reader sees.

Belongs here: the XML of a sheet. Stays out: parts and their relations (workbook), merges (spill).

The cells go through the parser behind ``load_workbook(data_only=True)``, one by one: so a formula
without a stored value is noticed as it goes by, a sheet too large is left in the middle, and
settings that openpyxl would refuse a file for (validations, conditional formats) are never looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, cast
from xml.etree.ElementTree import Element

from defusedxml import DefusedXmlException
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import range_boundaries
from openpyxl.worksheet._reader import (
    CELL_TAG,
    FORMULA_TAG,
    INLINE_STRING,
    ROW_TAG,
    VALUE_TAG,
    WorkSheetParser,
)

from notes_pipeline.rows.workbook.grid import Range
from notes_pipeline.rows.workbook.package import BROKEN_XML, Events
from notes_pipeline.rows.workbook.rich_text import Shown, string, unescape

_AGGREGATE = re.compile(r"\s*\+?\s*(?:_xlfn\.)?(?:SUM|SUBTOTAL|AGGREGATE)\s*\(", re.IGNORECASE)
_OF_A_CELL = frozenset((CELL_TAG, VALUE_TAG, FORMULA_TAG))
MAX_ROW, MAX_COLUMN = 1_048_576, 16_384
_MOST_NOTED = 100_000
"""Places, merges and links kept of a sheet; no honest one has more, and memory stays bounded."""


Noted = TypeVar("Noted")


class RawCell(NamedTuple):
    """A cell with a value, before it is shown."""

    row: int
    column: int
    value: Any
    """``Shown``, number, bool, or date and time where the file spells them out."""
    kind: str
    """``s`` text, ``n`` number, ``b`` bool, ``e`` error, ``d`` date."""
    style: int
    total: bool
    """A number that SUM, SUBTOTAL or AGGREGATE made."""


class Link(NamedTuple):
    """A hyperlink: the cells it lies on, the id of its relation or the place inside the workbook."""

    area: Range
    relation: str
    location: str


@dataclass(slots=True)
class SheetSettings:
    """What stands in a sheet part around its cells."""

    merges: list[Range] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    """First and last column of each hidden run."""
    autofilter: Range | None = None
    freeze_row: int = 0
    formulas_without_value: list[str] = field(default_factory=list)
    unreadable_cells: list[str] = field(default_factory=list)
    broken: str = ""
    """Why the part could not be read to its end."""


class SheetParser:
    """A worksheet part going by once: its cells as they come, its settings when it ends."""

    def __init__(self, events: Events, strings: Sequence[Shown]) -> None:
        self.settings = SheetSettings()
        self._events = events
        # Without date formats a serial number stays the number it is: show() knows both of its systems.
        self._parser = WorkSheetParser(cast(Any, None), cast(Any, strings), data_only=True)
        self._shared_totals: dict[str | None, bool] = {}

    def cells(self) -> Iterator[RawCell]:
        """Cells with a value, in the order of the file; ``settings`` is complete when they end.

        Raises ``DefusedXmlException``; XML that breaks off ends the cells and is noted.
        """
        try:
            rows = 0
            for _, element in self._events:
                if element.tag == ROW_TAG:
                    rows += 1
                    if rows > MAX_ROW:
                        raise ValueError("more rows than a sheet can have")
                    yield from self._row(element)
                    element.clear()
                elif element.tag not in _OF_A_CELL:
                    _read_setting(self.settings, element)
        except DefusedXmlException:
            raise
        except BROKEN_XML as error:
            self.settings.broken = f"after row {self._parser.row_counter}: {error}"

    def _row(self, element: Element) -> list[RawCell]:
        parser = self._parser
        stated = element.get("r")
        number = parser.row_counter + 1 if stated is None else _whole(stated)
        if not 0 < number <= MAX_ROW:
            _note(self.settings.unreadable_cells, f"row {stated}")
            return []
        parser.row_counter, parser.col_counter = number, 0
        if element.get("hidden") in ("1", "true"):
            self.settings.hidden_rows.add(number)
        blank = ""
        found = []
        for child in element:
            place = child.get("r")
            if place and not len(child):  # styled and empty, as most cells of some sheets are
                blank = place
                continue
            if blank and not place:
                parser.col_counter = _column(blank)
            blank = ""
            cell = self._cell(child)
            if cell is not None and 0 < cell.row <= MAX_ROW and 0 < cell.column <= MAX_COLUMN:
                found.append(cell)
        return found

    def _cell(self, element: Element) -> RawCell | None:
        """A cell with its value, or None; a value that makes no sense is noted by its place."""
        formula = inline = None
        if len(element) != 1 or element[0].tag != VALUE_TAG:
            formula, inline = element.find(FORMULA_TAG), element.find(INLINE_STRING)
            if inline is not None:
                element.remove(inline)  # read here, with its raised and crossed-out runs
        try:
            found = self._parser.parse_cell(element)
        except (ValueError, IndexError, TypeError, OverflowError):
            _note(self.settings.unreadable_cells, element.get("r", f"row {self._parser.row_counter}"))
            return None
        row, column, value, kind = found["row"], found["column"], found["value"], found["data_type"]
        if inline is not None and value is None:
            value, kind = string(inline), "s"
        elif isinstance(value, str) and kind == "s":  # the text a formula gave
            value = Shown(unescape(value).strip())
        if value is None:
            if formula is not None and element.get("t") != "str":
                _note(self.settings.formulas_without_value, f"{get_column_letter(column)}{row}")
            return None
        total = formula is not None and self._is_total(formula) and kind == "n"
        return RawCell(row, column, value, kind, found["style_id"], total)

    def _is_total(self, formula: Element) -> bool:
        if formula.text:
            total = bool(_AGGREGATE.match(formula.text))
            if formula.get("t") == "shared":
                self._shared_totals[formula.get("si")] = total
            return total
        return self._shared_totals.get(formula.get("si"), False)


def _note(kept: list[Noted], one: Noted) -> None:
    if len(kept) < _MOST_NOTED:
        kept.append(one)


def _read_setting(settings: SheetSettings, element: Element) -> None:
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    if name == "mergeCell":
        area = parse_range(element.get("ref", ""))
        if area:
            _note(settings.merges, area)
    elif name == "hyperlink":
        _read_link(settings, element)
    elif name == "col":
        _read_columns(settings, element)
    elif name == "autoFilter":
        settings.autofilter = parse_range(element.get("ref", "")) or settings.autofilter
    elif name == "pane" and element.get("state", "").startswith("frozen"):
        settings.freeze_row = _whole(element.get("ySplit"))


def _read_link(settings: SheetSettings, element: Element) -> None:
    area = parse_range(element.get("ref", ""))
    relation = next((value for key, value in element.attrib.items() if key.endswith("}id")), "")
    if area:
        _note(settings.links, Link(area, relation, element.get("location", "")))


def _read_columns(settings: SheetSettings, element: Element) -> None:
    width = element.get("width")
    is_closed = width is not None and width.strip("0.") == "" and element.get("customWidth") in ("1", "true")
    if element.get("hidden") in ("1", "true") or is_closed:
        first, last = _whole(element.get("min")), _whole(element.get("max"))
        if 0 < first <= last:
            _note(settings.hidden_columns, (first, last))


def _column(ref: str) -> int:
    area = parse_range(ref)
    return area[1] if area else 0


def parse_range(ref: str) -> Range | None:
    """``A1:C3``, ``A1`` or ``A:C`` as a range; None where it is none.

    >>> parse_range("$B$2:A9"), parse_range("x!")
    ((2, 1, 9, 2), None)
    """
    try:
        left, top, right, bottom = range_boundaries(ref)
    except (ValueError, TypeError):
        return None
    rows = sorted((top or 1, bottom or MAX_ROW))
    columns = sorted((left or 1, right or MAX_COLUMN))
    return rows[0], columns[0], rows[1], columns[1]


def _whole(text: str | None) -> int:
    try:
        return int(float(text or 0))
    except (ValueError, OverflowError):
        return 0
