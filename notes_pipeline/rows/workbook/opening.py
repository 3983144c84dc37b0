"""Bytes or text of a row source to its grids, safely; every refusal is one clear line.

Belongs here: telling the formats apart and sending each to its reader.
Stays out: how a format is read (workbook, legacy, delimited).
"""

from __future__ import annotations

import posixpath
from dataclasses import replace

from notes_pipeline.records import Document
from notes_pipeline.rows.workbook.delimited import read_delimited
from notes_pipeline.rows.workbook.grid import Grid
from notes_pipeline.rows.workbook.legacy import read_legacy
from notes_pipeline.rows.workbook.ooxml import open_workbook
from notes_pipeline.rows.workbook.package import Package
from notes_pipeline.rows.workbook.refusal import Refused
from notes_pipeline.rows.workbook.sniff import has_workbook_stream, kind_of
from notes_pipeline.rows.workbook.worksheet import read_worksheet
from notes_pipeline.settings import Settings

__all__ = ["Refused", "open_grids"]

SHEETS_WORTH = 10
"""A workbook may hold so many times the cells of the largest sheet allowed: memory stays bounded."""

_SAVE_AS = "open it in a spreadsheet program and save it as .xlsx"


def open_grids(document: Document, settings: Settings) -> list[Grid]:
    """The sheets of ``document`` in their order; raises ``Refused`` with one clear line."""
    limit = settings.excel.max_cells
    if document.text is not None:
        tabs = document.source_path.lower().endswith((".tsv", ".tab"))
        return [read_delimited(document.text, _stem(document.source_path), limit, tabs=tabs)]
    content = document.content or b""
    kind = kind_of(content)
    if kind == "zip":
        return _open_zip(content, limit)
    if kind in ("ole", "biff"):
        if kind == "ole" and not has_workbook_stream(content):
            raise Refused(
                "unreadable", "the file is an old Office file without a workbook", "give it its true suffix"
            )
        return read_legacy(content, "xls", limit)
    raise _refusal(kind)


def _refusal(kind: str) -> Refused:
    if kind == "empty":
        return Refused("empty", "the file is empty")
    if kind == "encrypted":
        return Refused(
            "password_protected", "the workbook is protected by a password", "save a copy without a password"
        )
    found = {
        "html": "a web page",
        "xml": "XML without a package (an export of 2003)",
        "text": "plain text",
        "binary": "no workbook, nor anything else known here",
    }[kind]
    remedy = "rename it to .csv or .txt" if kind == "text" else _SAVE_AS
    return Refused("unreadable", f"the file is {found}, whatever its name says", remedy)


def _open_zip(content: bytes, limit: int) -> list[Grid]:
    package = Package(content)
    if "xl/workbook.bin" in package:
        return read_legacy(content, "xlsb", limit)
    if "mimetype" in package and b"opendocument.spreadsheet" in package.read("mimetype"):
        if "meta-inf/manifest.xml" in package and b"encryption-data" in package.read("meta-inf/manifest.xml"):
            raise _refusal("encrypted")
        return read_legacy(content, "ods", limit)
    return _read_sheets(package, limit)


def _read_sheets(package: Package, limit: int) -> list[Grid]:
    workbook = open_workbook(package)
    left = limit * SHEETS_WORTH
    grids: list[Grid] = []
    for index, entry in enumerate(workbook.sheets):
        grid = read_worksheet(workbook, entry, index, min(limit, max(left, 0)))
        left -= sum(len(row) for row in grid.cells.values())
        grids.append(grid)
    _refuse_if_all_broken(grids)
    grids[0] = _with_notes(grids[0], workbook.mends)
    return grids


def _refuse_if_all_broken(grids: list[Grid]) -> None:
    broken = [note for grid in grids for note in grid.notes if note.startswith(("broken:", "unreadable:"))]
    if broken and not any(grid.cells for grid in grids):
        raise Refused("unreadable", broken[0].partition(": ")[2], _SAVE_AS)


def _with_notes(grid: Grid, notes: list[str]) -> Grid:
    """``grid`` with more notes before its own."""
    return replace(grid, notes=(*notes, *grid.notes)) if notes else grid


def _stem(source_path: str) -> str:
    return posixpath.splitext(posixpath.basename(source_path))[0]
