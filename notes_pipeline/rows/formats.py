"""What a cell shows: a value and its number format, as the reader of the workbook sees them.

Belongs here: which section of a format a value meets, texts, booleans, General.
Stays out: how a section shows a number or a date (format_numbers, format_dates).

Known departures from the screen, for text that must make sense outside its column: alignment
padding is dropped; a date in the format of the reader's own system is shown as ``10 August 1977``;
a two-digit year beside a day gets its century; General keeps whole numbers of up to 15 digits.
"""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

from notes_pipeline.rows.format_dates import is_shown, serial, show_date
from notes_pipeline.rows.format_numbers import general, number
from notes_pipeline.rows.format_sections import Section, Token, sections

Value = str | bool | int | float | Decimal | date | time | timedelta | None
"""What a cell may hold (``datetime`` is a ``date``)."""

LONG_DATE = "d mmmm yyyy"
"""How a date is shown where its format says: as the reader's system does."""
SYSTEM_FORMATS = {"mm-dd-yy": LONG_DATE, "m/d/yy h:mm": f"{LONG_DATE} h:mm"}
"""Built-in formats 14 and 22 as libraries spell them: spreadsheets show them by the reader's own system."""
_DIGITS = Context(prec=15, rounding=ROUND_HALF_UP)
"""A cell keeps 15 significant digits; what lies behind them is noise of binary floats."""
_LARGEST = 10**308


def show(value: Value, number_format: str = "General", *, date1904: bool = False) -> str:
    """The text a cell shows, without blanks at its ends; empty where its format hides it. Never raises."""
    if value is None:
        return ""
    code = SYSTEM_FORMATS.get(number_format, number_format) or "General"
    if isinstance(value, bool):
        return _show_text("TRUE" if value else "FALSE", code)
    if isinstance(value, str):
        return _show_text(value, code).strip()
    if isinstance(value, date | time | timedelta):
        plain = code.lower() in ("general", "@")
        return _show_days(serial(value, date1904), _plain_format(value) if plain else code, date1904)
    if not _is_number(value):
        return "#NUM!"
    return _show_number(_decimal(value), code, date1904).strip()


def is_date_format(number_format: str) -> bool:
    """Whether a number in this format is shown as a date, a time or a duration."""
    code = SYSTEM_FORMATS.get(number_format, number_format)
    return any(section.kind == "date" for section in sections(code))


def _is_number(value: int | float | Decimal) -> bool:
    if isinstance(value, int):
        return abs(value) < _LARGEST
    return math.isfinite(value) and (isinstance(value, float) or abs(value.adjusted()) < 308)


def _decimal(value: int | float | Decimal) -> Decimal:
    if isinstance(value, float):
        return Decimal(f"{value:.15g}")
    return _DIGITS.plus(Decimal(value))


def _plain_format(value: date | time | timedelta) -> str:
    if isinstance(value, timedelta):
        return "[h]:mm:ss"
    clock = value if isinstance(value, time) else value.time() if isinstance(value, datetime) else time()
    hours = "h:mm:ss" if clock.second else "h:mm"
    if isinstance(value, time):
        return hours
    return f"{LONG_DATE} {hours}" if clock != time() else LONG_DATE


def _show_days(days: Decimal, code: str, date1904: bool) -> str:
    return _show_number(days, code, date1904).strip()


def _show_text(text: str, code: str) -> str:
    parts = sections(code)
    if len(parts) >= 4:
        section = parts[3]
    elif parts[-1].kind == "text":
        section = parts[-1]
    else:
        return text
    return "".join(text if token.kind == "text" else token.text for token in section.tokens)


def _show_number(value: Decimal, code: str, date1904: bool) -> str:
    section, signless = _choose(value, sections(code))
    if section.kind == "date":
        tokens = sections(LONG_DATE)[0].tokens if section.system_date else section.tokens
        if is_shown(value, tokens, date1904):
            return show_date(tokens, value, date1904)
        section, signless = _GENERAL, False
    sign = "-" if value < 0 and not signless and section.kind != "literal" else ""
    return sign + _show_section(section, abs(value))


def _show_section(section: Section, value: Decimal) -> str:
    if section.kind == "number":
        return number(section.tokens, value)
    if section.kind == "text":
        return "".join(general(value) if token.kind == "text" else token.text for token in section.tokens)
    return "".join(general(value) if token.kind == "general" else token.text for token in section.tokens)


_GENERAL = Section("general", (Token("general", "General"),), None, False)


def _choose(value: Decimal, parts: tuple[Section, ...]) -> tuple[Section, bool]:
    """The section for ``value``, and whether it shows no sign because all it shows is negative."""
    numeric = parts[:-1] if len(parts) < 4 and parts[-1].kind == "text" and len(parts) > 1 else parts[:3]
    if len(numeric) == 1:
        first = numeric[0]
        if first.condition and not first.condition.holds(value):
            return _GENERAL, False
        return first, bool(first.condition and first.condition.only_negative)
    if numeric[0].condition is None and numeric[1].condition is None:
        if value < 0:
            return numeric[1], True
        return (numeric[2] if value == 0 and len(numeric) > 2 else numeric[0]), False
    return _choose_conditional(value, numeric)


def _choose_conditional(value: Decimal, parts: tuple[Section, ...]) -> tuple[Section, bool]:
    first, second = parts[0].condition, parts[1].condition
    if first.holds(value) if first else value > 0:
        return parts[0], bool(first and first.only_negative)
    if second is None and len(parts) == 3 and value >= 0:
        return parts[2], False  # the second section stays the one for numbers below zero
    if second is None or second.holds(value):
        rest = bool(first and first.leaves_negative) or bool(second and second.only_negative)
        return parts[1], rest or (second is None and len(parts) == 3)
    return parts[-1], bool(first and first.leaves_negative)
