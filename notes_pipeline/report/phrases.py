"""How numbers read: the verdict in a line, counts with thin groups, signed differences."""

from __future__ import annotations

from notes_pipeline.plural import plural
from notes_pipeline.report.data import Report


def number(value: int) -> str:
    """``12345`` as ``12 345``, with a narrow no-break space."""
    return f"{value:,}".replace(",", "\u202f")


def counted(value: int, one: str, many: str = "") -> str:
    """A number and its noun: ``1 chunk``, ``12 345 chunks``."""
    return plural(value, one, many, show=number)


def share(value: float) -> str:
    """``0.1234`` as ``12.3 %``."""
    return f"{100 * value:.1f} %"


def signed(value: int | None) -> str:
    """``+3``, ``−2``, ``±0``, or nothing where there is nothing to compare with."""
    if value is None:
        return ""
    if value == 0:
        return "±0"
    return ("+" if value > 0 else "−") + number(abs(value))


def verdict(report: Report) -> str:
    """The first line of every view."""
    totals = report.totals
    return (
        f"{counted(totals.keep, 'chunk')} kept · {number(totals.review)} for review"
        f" · {number(totals.omit)} omitted · {number(totals.discards)} discarded · {number(totals.lost)} lost"
    )
