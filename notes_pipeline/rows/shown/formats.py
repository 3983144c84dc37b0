"""What a cell shows: a value and its number format, as the reader of the workbook sees them.

Belongs here: which section of a format a value meets, texts, booleans, General.
Stays out: how a section shows a number or a date (numbers, dates).

Known departures from the screen, for text that must make sense outside its column: alignment
padding is dropped; a date in the format of the reader's own system is shown as ``10 August 1977``;
a two-digit year beside a day gets its century; General keeps whole numbers of up to 15 digits.
"""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import NamedTuple

from notes_pipeline.rows.shown import dates, numbers
from notes_pipeline.rows.shown.dates import is_shown, serial, show_date
from notes_pipeline.rows.shown.numbers import general, number
from notes_pipeline.rows.shown.sections import Section, sections

Value = str | bool | int | float | Decimal | date | time | timedelta | None
"""What a cell may hold (``datetime`` is a ``date``)."""

NO_DATE = "#####"
"""What a spreadsheet shows where a number below zero is formatted as a date or time of day."""
LONG_DATE = "d mmmm yyyy"
"""How a date is shown where its format says: as the reader's system does."""
SYSTEM_FORMATS = {"mm-dd-yy": LONG_DATE, "m/d/yy h:mm": f"{LONG_DATE} h:mm"}
"""Built-in formats 14 and 22 as libraries spell them: spreadsheets show them by the reader's own system."""
_DIGITS = Context(prec=15, rounding=ROUND_HALF_UP)
"""A cell keeps 15 significant digits; what lies behind them is noise of binary floats."""
_WHOLE = 10**15
"""Whole numbers below it are shown by General digit by digit."""
_LARGEST_POWER = 308
_LARGEST = 10**_LARGEST_POWER


def show(value: Value, number_format: str = "General", *, date1904: bool = False) -> str:
    """The text a cell shows, without blanks at its ends; empty where its format hides it. Never raises."""
    if isinstance(value, str):
        return _show_text(value, number_format).strip()
    if isinstance(value, bool):
        return _show_text("TRUE" if value else "FALSE", number_format).strip()
    if type(value) is int and number_format == "General" and -_WHOLE < value < _WHOLE:
        return str(value)
    if isinstance(value, float | int | Decimal):
        exact = _decimal(value)
        return "#NUM!" if exact is None else _show_number(exact, number_format, date1904).strip()
    if value is None:
        return ""
    plain = number_format.lower() in ("", "general", "@")
    code = _plain_format(value) if plain else number_format
    return _show_number(serial(value, date1904), code, date1904, is_date=isinstance(value, date)).strip()


def is_date_format(number_format: str) -> bool:
    """Whether a number in this format is shown as a date, a time or a duration."""
    return any(part.section.kind == "date" for part in _format(number_format).numeric)


def _decimal(value: int | float | Decimal) -> Decimal | None:
    if isinstance(value, float):
        return Decimal(f"{value:.15g}") if math.isfinite(value) else None
    if isinstance(value, int):
        return _DIGITS.create_decimal(value) if -_LARGEST < value < _LARGEST else None
    return _DIGITS.plus(value) if value.is_finite() and abs(value.adjusted()) < _LARGEST_POWER else None


def _plain_format(value: date | time | timedelta) -> str:
    if isinstance(value, timedelta):
        return "[h]:mm:ss"
    clock = value if isinstance(value, time) else value.time() if isinstance(value, datetime) else time()
    hours = "h:mm:ss" if clock.second else "h:mm"
    if isinstance(value, time):
        return hours
    return f"{LONG_DATE} {hours}" if clock != time() else LONG_DATE


class _Part(NamedTuple):
    """A section with its measures."""

    section: Section
    digits: numbers.Layout | None
    date: dates.Layout | None


class _Format(NamedTuple):
    """A format code ready to show values: the sections for numbers, and the one for texts."""

    numeric: tuple[_Part, ...]
    text: Section | None


@lru_cache(maxsize=4096)
def _format(code: str) -> _Format:
    parts = sections(SYSTEM_FORMATS.get(code, code) or "General")
    if len(parts) >= 4:
        numeric, text = parts[:3], parts[3]
    elif parts[-1].kind == "text":
        numeric, text = parts[:-1] or parts, parts[-1]
    else:
        return _Format(tuple(map(_part, parts)), None)
    return _Format(tuple(map(_part, numeric)), text)


def _part(section: Section) -> _Part:
    if section.kind == "number":
        return _Part(section, numbers.layout(section.tokens), None)
    if section.kind == "date":
        if section.system_date:
            return _Part(section, None, dates.layout(sections(LONG_DATE)[0].tokens))
        return _Part(section, None, dates.layout(section.tokens, section.locale))
    return _Part(section, None, None)


def _show_text(text: str, code: str) -> str:
    section = _format(code).text
    if section is None:
        return text
    return "".join(text if token.kind == "text" else token.text for token in section.tokens)


def _show_number(value: Decimal, code: str, date1904: bool, *, is_date: bool = False) -> str:
    """A number; ``is_date`` says it stands for a date of the calendar, which may lie before day 0."""
    part, signless = _choose(value, _format(code).numeric)
    if part.date is not None:
        if value < 0 and not is_date and not part.date.elapsed:
            return NO_DATE
        if is_shown(value, part.date, date1904):
            return show_date(part.date, value, date1904)
        part, signless = _GENERAL, False
    shown = (
        number(part.digits, abs(value)) if part.digits is not None else _show_words(part.section, abs(value))
    )
    return "-" + shown if value < 0 and not signless and part.section.kind != "literal" else shown


def _show_words(section: Section, value: Decimal) -> str:
    meant = "text" if section.kind == "text" else "general"
    return "".join(general(value) if token.kind == meant else token.text for token in section.tokens)


_GENERAL = _part(sections("General")[0])


def _choose(value: Decimal, parts: tuple[_Part, ...]) -> tuple[_Part, bool]:
    """The section for ``value``, and whether it shows no sign because all it shows is negative."""
    first = parts[0].section.condition
    if len(parts) == 1:
        if first is not None and not first.holds(value):
            return _GENERAL, False
        return parts[0], first is not None and first.only_negative
    if first is None and parts[1].section.condition is None:
        if value < 0:
            return parts[1], True
        return (parts[2] if value == 0 and len(parts) > 2 else parts[0]), False
    return _choose_conditional(value, parts)


def _choose_conditional(value: Decimal, parts: tuple[_Part, ...]) -> tuple[_Part, bool]:
    first, second = parts[0].section.condition, parts[1].section.condition
    if first.holds(value) if first else value > 0:
        return parts[0], first is not None and first.only_negative
    if second is None and len(parts) == 3 and value >= 0:
        return parts[2], False  # the second section stays the one for numbers below zero
    if second is None or second.holds(value):
        rest = (first is not None and first.leaves_negative) or (second is not None and second.only_negative)
        return parts[1], rest or (second is None and len(parts) == 3)
    return parts[-1], first is not None and first.leaves_negative
