"""Writes the two workbooks of the example notes; run once, its results are committed as files.

.venv/bin/python examples/make_workbooks.py
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

NOTES = Path(__file__).resolve().parent / "notes"
BOLD = Font(bold=True)


def gauges() -> Workbook:
    """A title, a header of two levels, section rows, a total, a hidden column and an empty sheet."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Gauges"
    sheet.append(["Gauges of the lower river"])
    sheet.append(["Levels in metres above the bench mark; surveyed in spring 2024"])
    sheet.append([])
    sheet.append(["Gauge", "Bank", "Level", None, "Last levelled", "Surveyor", "Remark"])
    sheet.append([None, None, "mean", "flood", None, None, None])
    sheet.merge_cells("C4:D4")
    _bold(sheet, 1, 4, 5)
    for row in (
        ["Upper reach"],
        ["Weir", "left", 1.42, 3.20, date(2024, 4, 9), "T. Brandt", "rail replaced after the winter flood"],
        ["Mill race", "right", 0.87, 1.65, date(2024, 4, 9), "T. Brandt", None],
        ["Oak bend", "left", 1.10, 2.95, date(2023, 10, 17), "I. Duarte", "cannot be reached above 2.80 m"],
        ["Lower reach"],
        ["Ferry steps", "right", 1.75, 3.40, date(2024, 4, 10), "I. Duarte", "read from the third step"],
        [
            "Salt meadow",
            "left",
            2.05,
            3.85,
            date(2024, 4, 10),
            "I. Duarte",
            "tidal; note the hour of high water",
        ],
        ["Total", None, 5, None, None, None, None],
    ):
        sheet.append(row)
    _bold(sheet, 6, 10, 13)
    sheet.column_dimensions["F"].hidden = True
    book.create_sheet("Plans for 2025")
    return book


def suppliers() -> Workbook:
    """A plain table for which the workspace has a template, with cells left empty on purpose."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Suppliers"
    sheet.append(["Supplier", "Goods", "Price per kg", "Delivers on", "Minimum order", "Since", "Comment"])
    _bold(sheet, 1)
    for row in (
        [
            "Oakford mill",
            "wheat and rye flour",
            1.18,
            "Tuesday",
            "50 kg",
            2019,
            "stone ground, milled to order",
        ],
        ["Salt pans of Ria", "coarse sea salt", 2.40, "first Monday", None, 2021, None],
        ["Hollow farm", "eggs", None, "Friday", "10 trays", 2022, "closed in August"],
        ["Beekeeper Lund", "heather honey", 11.50, None, None, 2020, "a jar goes back as deposit"],
        ["Market", None, None, None, None, None, None],
    ):
        sheet.append(row)
    for row in range(2, 6):
        sheet.cell(row, 3).number_format = '0.00 "€"'
    return book


def _bold(sheet: Worksheet, *rows: int) -> None:
    for row in rows:
        for cell in sheet[row]:
            cell.font = BOLD


if __name__ == "__main__":
    gauges().save(NOTES / "Field station" / "Gauges.xlsx")
    suppliers().save(NOTES / "Bakery" / "Suppliers.xlsx")
