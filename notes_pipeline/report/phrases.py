"""How numbers read: the verdict in a line, counts with thin groups, signed differences."""

from __future__ import annotations

from collections.abc import Mapping

from notes_pipeline.plural import plural
from notes_pipeline.report.data import Report

_KINDS = 8
"""Kinds of unread files that are named; all are counted."""


def number(value: int) -> str:
    """``12345`` as ``12 345``, with a narrow no-break space."""
    return f"{value:,}".replace(",", "\u202f")


def counted(value: int, one: str, many: str = "") -> str:
    """A number and its noun: ``1 chunk``, ``12 345 chunks``."""
    return plural(value, one, many, show=number)


def other_kinds(kinds: Mapping[str, int]) -> str:
    """``3 files of other kinds (.png 2, .txt 1)``, the most frequent first; empty where there are none."""
    if not kinds:
        return ""
    ordered = sorted(kinds.items(), key=lambda it: (-it[1], it[0]))
    shown = ", ".join(f"{suffix or 'no suffix'} {number(count)}" for suffix, count in ordered[:_KINDS])
    more = f" and {len(ordered) - _KINDS} more" if len(ordered) > _KINDS else ""
    return f"{counted(sum(kinds.values()), 'file')} of other kinds ({shown}{more})"


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
