"""Old and foreign workbooks (.xls, .xlsb, .ods), values only, read in a child process.

Belongs here: running the child, its time and memory, its answers as grids.
Stays out: the reading itself (legacy_child). Formats, links and hidden rows are not to be had there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from notes_pipeline.rows.shown.formats import NO_DATE, Value, show
from notes_pipeline.rows.workbook.grid import ERROR_VALUES, Grid, GridCell
from notes_pipeline.rows.workbook.refusal import Refused
from notes_pipeline.rows.workbook.spill import Cells, spill

TIMEOUT_SECONDS = 120
MEMORY_BYTES = 2 * 1024**3
INSTALL = "pip install 'notes-pipeline[legacy]'"
_CHILD = Path(__file__).with_name("legacy_child.py")
_STATES = {"Hidden": "hidden", "VeryHidden": "very_hidden"}


def read_legacy(content: bytes, suffix: str, limit: int) -> list[Grid]:
    """The sheets of an old workbook; raises ``Refused`` where it, or the extra, is not to be had."""
    answer = _ask_child(content, suffix, limit)
    if answer.get("refused") == "missing":
        raise Refused(
            "unreadable", f"the file is a .{suffix} workbook, which needs the extra 'legacy'", INSTALL
        )
    if "refused" in answer:
        remedy = (
            "save a copy without a password"
            if answer["refused"] == "password_protected"
            else _save_as(suffix)
        )
        raise Refused(answer["refused"], answer["what"], remedy)
    sheets = answer["sheets"]
    if all(sheet.get("error") for sheet in sheets):
        what = (
            f"no sheet can be read: {sheets[0]['error']}"
            if sheets
            else "the workbook is damaged: it has no sheets"
        )
        raise Refused("unreadable", what, _save_as(suffix))
    return [_grid(sheet, index, suffix, limit) for index, sheet in enumerate(sheets)]


def _save_as(suffix: str) -> str:
    return f"open it in a spreadsheet program and save it as .xlsx instead of .{suffix}"


def _ask_child(content: bytes, suffix: str, limit: int) -> dict[str, Any]:
    # -P: modules beside the child must not stand in for those of the library.
    command = [sys.executable, "-P", str(_CHILD), str(MEMORY_BYTES), str(limit)]
    try:
        done = subprocess.run(
            command, input=content, capture_output=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Refused(
            "too_large", f"reading took longer than {TIMEOUT_SECONDS} s", _save_as(suffix)
        ) from error
    answer = _parsed(done.stdout)
    if done.returncode != 0 or answer is None:
        what = f"its reader gave up ({done.returncode}): damaged, or larger than {MEMORY_BYTES >> 30} GiB"
        raise Refused("unreadable", what, _save_as(suffix))
    return answer


def _parsed(output: bytes) -> dict[str, Any] | None:
    try:
        answer: dict[str, Any] = json.loads(output)
    except ValueError:
        return None
    return answer


def _grid(sheet: dict[str, Any], index: int, suffix: str, limit: int) -> Grid:
    name = sheet["name"]
    if sheet.get("error"):
        return Grid(name, index, notes=(f"unreadable: {sheet['error']}",))
    if sheet["kind"] != "WorkSheet":
        return Grid(name, index, "chart", notes=(f"{sheet['kind']}: no cells to read",))
    if sheet["too_large"]:
        return Grid(name, index, "too_large", notes=(f"too_large: more than {limit:,} cells",))
    merges = tuple((a, b, c, d) for a, b, c, d in sheet["merges"])
    cells, notes = spill(_cells(sheet["cells"]), merges, limit)
    errors = tuple(
        f"row {cell.row}" for row in cells.values() for cell in row.values() if cell.kind == "error"
    )
    notes.insert(0, f"legacy: values of a .{suffix} workbook, without formats, links and hidden rows")
    return Grid(
        name, index, _STATES.get(sheet["state"], "visible"), cells, merges, errors=errors, notes=tuple(notes)
    )


def _cells(raw: Iterable[tuple[int, int, Any]]) -> Cells:
    cells: Cells = {}
    for row, column, stored in raw:
        value, kind = _value(stored)
        text = show(value)
        if text == NO_DATE:
            kind = "error"
        if text:
            cells.setdefault(row, {})[column] = GridCell(row, column, text, kind)
    return cells


def _value(stored: Any) -> tuple[Value, str]:
    if isinstance(stored, bool):
        return stored, "bool"
    if isinstance(stored, int | float):
        return stored, "number"
    if isinstance(stored, str):
        return stored, "error" if stored in ERROR_VALUES else "text"
    tag, *rest = stored
    if tag == "span":
        return timedelta(*rest), "date"
    types: dict[str, Any] = {"moment": datetime, "day": date, "time": time}
    return types[tag].fromisoformat(rest[0]), "date"
