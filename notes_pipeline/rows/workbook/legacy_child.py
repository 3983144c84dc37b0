"""The child process that reads old workbooks: bytes on standard input, JSON on standard output.

Belongs here: python-calamine, under a bound on memory and cells, because its reader may abort the
interpreter. Stays out: everything of the house, so that the child starts fast and imports nothing of it.
"""

from __future__ import annotations

import datetime
import io
import json
import sys
from typing import Any

_SHEETS_WORTH = 10
"""A workbook may hold so many times the cells of its largest sheet."""


def _bound_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:  # not on Windows: the timeout is the bound there
        return
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ValueError, OSError):  # a system that keeps its own limits
        return


def _plain(value: Any) -> Any:
    """JSON for a cell: text, bool and number as they are, days and times as tagged lists."""
    if isinstance(value, datetime.timedelta):
        return ["span", value.days, value.seconds, value.microseconds]
    if isinstance(value, datetime.datetime):
        return ["moment", value.isoformat()]
    if isinstance(value, datetime.date):
        return ["day", value.isoformat()]
    if isinstance(value, datetime.time):
        return ["time", value.isoformat()]
    return value


def _sheet(workbook: Any, metadata: Any, limit: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": metadata.name,
        "state": str(metadata.visible).rpartition(".")[2],
        "kind": str(metadata.typ).rpartition(".")[2],
        "cells": [],
        "merges": [],
        "too_large": False,
        "error": "",
    }
    if found["kind"] != "WorkSheet":
        return found
    sheet = workbook.get_sheet_by_name(metadata.name)
    top, left = sheet.start or (0, 0)
    for row, values in enumerate(sheet.to_python(skip_empty_area=True), top + 1):
        for column, value in enumerate(values, left + 1):
            if value not in ("", None):
                found["cells"].append([row, column, _plain(value)])
        if len(found["cells"]) > limit:
            return {**found, "cells": [], "too_large": True}
    found["merges"] = [
        [first[0] + 1, first[1] + 1, last[0] + 1, last[1] + 1]
        for first, last in sheet.merged_cell_ranges or ()
    ]
    return found


def _read(content: bytes, limit: int) -> dict[str, Any]:
    import python_calamine

    try:
        workbook = python_calamine.load_workbook(io.BytesIO(content))
    except python_calamine.PasswordError:
        return {"refused": "password_protected", "what": "the workbook is protected by a password"}
    except Exception as error:
        return {"refused": "unreadable", "what": f"the workbook is damaged: {error}"}
    sheets: list[dict[str, Any]] = []
    left = limit * _SHEETS_WORTH
    for metadata in workbook.sheets_metadata:
        try:
            sheets.append(_sheet(workbook, metadata, min(limit, left)))
            left -= len(sheets[-1]["cells"])
        except Exception as error:
            sheets.append({"name": metadata.name, "error": str(error)})
    return {"sheets": sheets}


def main() -> int:
    """Arguments: bytes of memory, cells a sheet."""
    memory, limit = int(sys.argv[1]), int(sys.argv[2])
    try:
        import python_calamine  # noqa: F401
    except ImportError:
        json.dump({"refused": "missing"}, sys.stdout)
        return 0
    content = sys.stdin.buffer.read()
    _bound_memory(memory)
    json.dump(_read(content, limit), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
