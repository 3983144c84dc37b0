"""Seconds per 100,000 cells of a workbook, beside the bare openpyxl read in the same mode.

Run by hand: ``python bench/workbooks.py [rows]``. Each reading is the best of three, in CPU seconds;
the memory is the peak of Python's own allocations, measured in a run of its own.
"""

from __future__ import annotations

import io
import sys
import time
import tracemalloc
from collections.abc import Callable
from datetime import datetime, timedelta

import openpyxl
from openpyxl.styles import Font

from notes_pipeline.records import Document
from notes_pipeline.rows import Registry, chunk, read
from notes_pipeline.rows.workbook.opening import open_grids
from notes_pipeline.settings import Excel, Settings

COLUMNS = 10
FORMATS = (
    *("General", "General", "#,##0", "0.00", "0%", '"₹"#,##0.00'),
    *("d mmmm yyyy", "yyyy-mm-dd hh:mm", "[h]:mm", "@"),
)


def workbook(rows: int) -> bytes:
    """Texts, numbers, dates and durations in ten formats, the first row bold."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for column in range(1, COLUMNS + 1):
        sheet.cell(1, column, f"Column {column}").font = Font(bold=True)
    for row in range(2, rows + 1):
        for column, number_format in enumerate(FORMATS, 1):
            cell = sheet.cell(row, column, _value(row, column))
            cell.number_format = number_format
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _value(row: int, column: int) -> str | int | float | datetime | timedelta:
    if column in (1, 10):
        return f"Name {row % 5_000} of column {column}"
    if column == 2:
        return row
    if column in (7, 8):
        return datetime(1900, 3, 1) + timedelta(hours=row)
    return timedelta(minutes=row) if column == 9 else row * 1.25


def best(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def peak(work: Callable[[], object]) -> float:
    """MiB that one run allocates at most."""
    tracemalloc.start()
    work()
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return top / 2**20


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    content = workbook(rows)
    document = Document(
        *("bench.xlsx", "excel", ".", "", len(content), "read", "", "", 0, "", (), (), "", 0, ()),
        *(0, None, content),
    )
    settings = Settings(excel=Excel(max_cells=10**7))
    registry = Registry()
    readings: dict[str, Callable[[], object]] = {
        "openpyxl, full, values, rich text": lambda: openpyxl.load_workbook(
            io.BytesIO(content), data_only=True, rich_text=True
        ),
        "grids": lambda: open_grids(document, settings),
        "grids and rows": lambda: read(document, settings, registry),
        "grids, rows and chunks": lambda: chunk(
            document, read(document, settings, registry), settings, registry
        ),
    }
    cells = rows * COLUMNS
    bare = 0.0
    print(f"{cells:,} cells, {len(content):,} bytes")
    for name, work in readings.items():
        seconds = best(work) * 100_000 / cells
        bare = bare or seconds
        print(f"{name:36} {seconds:6.2f} s / 100,000 cells  {seconds / bare:5.2f}x  {peak(work):7.1f} MiB")


if __name__ == "__main__":
    main()
