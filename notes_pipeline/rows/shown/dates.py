"""What a date section shows: dates, times and durations, with the habits of spreadsheets.

Belongs here: serial numbers of days and their two systems (1900 with its 29 February, 1904), date letters.
Stays out: names (date_names), numbers, the choice of a section (formats).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

from notes_pipeline.rows.shown.date_names import Names, names_of
from notes_pipeline.rows.shown.sections import Token

LAST_DAY = 2_958_465
"""31 December 9999; a serial number beyond it is no date."""
_LEAP_DAY_1900 = 60
"""The 29 February 1900 that never was: serial numbers below it count from a day later."""
_DAYS_TO_1904 = 1_462
_EPOCH = date(1899, 12, 30)
_DAY = 86_400
_CLOCK = frozenset({"h", "hour12", "minute", "s", "subsecond", "meridiem", "elapsed"})
_NO_CLOCK_PLACES = 3
"""Where no time is shown, half a second before midnight is still the same day; noise of 15 digits is not."""
_WIDE = Context(prec=60, rounding=ROUND_HALF_UP)


def serial(value: date | time | timedelta, date1904: bool = False) -> Decimal:
    """``value`` as days since the start of its system."""
    if isinstance(value, timedelta):
        return _days(value)
    if isinstance(value, time):
        clock = timedelta(0, value.second, value.microsecond, 0, value.minute, value.hour)
        return _days(clock)
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    days = _days(moment.replace(tzinfo=None) - datetime(1899, 12, 30))
    if date1904:
        return days - _DAYS_TO_1904
    return days if days > _LEAP_DAY_1900 else days - 1


def _days(span: timedelta) -> Decimal:
    micro = span.seconds * 1_000_000 + span.microseconds
    return span.days + _WIDE.divide(Decimal(micro), Decimal(_DAY * 1_000_000))


@dataclass(frozen=True, slots=True)
class _Moment:
    year: int
    month: int
    day: int
    weekday: int
    seconds: int
    """Since midnight."""
    total: int
    """Whole seconds since the start of the system: what elapsed hours count."""
    fraction: Decimal
    """Of a second, as rounded for the section."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A date section measured once."""

    parts: tuple[tuple[str, Token], ...]
    """What each token stands for, and the token."""
    places: int
    """Decimal places of its seconds."""
    elapsed: bool
    names: Names


def layout(tokens: Sequence[Token], locale: int = 0) -> Layout:
    """The measures of a date section."""
    places = max((len(token.text) - 1 for token in tokens if token.kind == "subsecond"), default=0)
    parts = tuple(zip(_roles(tokens), tokens, strict=True))
    if not any(role in _CLOCK for role, _ in parts):
        places = _NO_CLOCK_PLACES
    return Layout(parts, min(places, 9), any(token.kind == "elapsed" for token in tokens), names_of(locale))


def is_shown(days: Decimal, section: Layout, date1904: bool) -> bool:
    """Whether there is a date (or, for elapsed hours, a span) to show: none lies beyond the last day."""
    if section.elapsed:
        return abs(days) <= LAST_DAY
    return days + (_DAYS_TO_1904 if date1904 else 0) < LAST_DAY + 1


def show_date(section: Layout, days: Decimal, date1904: bool = False) -> str:
    """``days`` as a date section shows it; call only where ``is_shown`` says so."""
    moment = _moment(abs(days) if section.elapsed else days, section.places, date1904)
    shown = [
        token.text if role == "literal" else _write(role, token, moment, section.names)
        for role, token in section.parts
    ]
    return "-" + "".join(shown) if section.elapsed and days < 0 else "".join(shown)


def _moment(days: Decimal, places: int, date1904: bool) -> _Moment:
    # 15 digits are all a cell keeps of a serial number, so a second is exact only after rounding.
    exact = _WIDE.quantize(_WIDE.multiply(days, Decimal(_DAY)), Decimal(1).scaleb(-places))
    total = math.floor(exact)
    day_number, seconds = divmod(total, _DAY)
    day_number = min(day_number + (_DAYS_TO_1904 if date1904 else 0), LAST_DAY)
    year, month, day = _calendar(day_number)
    return _Moment(year, month, day, (day_number + 6) % 7, seconds, total, exact - total)


def _calendar(day_number: int) -> tuple[int, int, int]:
    if day_number == 0:
        return 1900, 1, 0
    if day_number == _LEAP_DAY_1900:
        return 1900, 2, 29
    shift = 0 if day_number > _LEAP_DAY_1900 else 1
    found = _EPOCH + timedelta(days=day_number + shift)
    return found.year, found.month, found.day


def _roles(tokens: Sequence[Token]) -> list[str]:
    """What each token stands for: ``m`` is a minute behind hours and before seconds, a month elsewhere."""
    letters = [
        (place, token.text[0]) for place, token in enumerate(tokens) if token.kind in ("date", "elapsed")
    ]
    dates = {token.text[0] for token in tokens if token.kind == "date"}
    roles = [token.kind for token in tokens]
    for order, (place, letter) in enumerate(letters):
        if roles[place] == "elapsed":
            continue
        before = letters[order - 1][1] if order else ""
        after = letters[order + 1][1] if order + 1 < len(letters) else ""
        if letter == "m" and len(tokens[place].text) <= 2 and (before == "h" or after == "s"):
            roles[place] = "minute"
        elif letter == "h" and "meridiem" in roles:
            roles[place] = "hour12"
        elif letter == "y" and len(tokens[place].text) <= 2 and "d" in dates:
            roles[place] = "full_year"  # 10-08-77 says too little outside its column
        else:
            roles[place] = letter
    return roles


def _write(role: str, token: Token, moment: _Moment, names: Names) -> str:
    width = len(token.text)
    hours, minutes, seconds = moment.seconds // 3600, moment.seconds // 60 % 60, moment.seconds % 60
    if role in ("y", "full_year", "b", "e", "m", "d", "a", "g"):
        return _write_date(role, width, moment, names)
    if role == "elapsed":
        return f"{moment.total // {'h': 3600, 'm': 60, 's': 1}[token.text[0]]:0{width}d}"
    if role == "subsecond":
        return f"{moment.fraction:.{width - 1}f}"[1:]
    if role == "meridiem":
        morning, _, evening = token.text.upper().partition("/")
        return morning if hours < 12 else evening
    values = {"h": hours, "hour12": hours % 12 or 12, "minute": minutes, "s": seconds}
    return f"{values[role]:0{min(width, 2)}d}" if role in values else token.text


def _write_date(role: str, width: int, moment: _Moment, names: Names) -> str:
    if role == "y":
        return f"{moment.year:04d}" if width > 2 else f"{moment.year % 100:02d}"
    if role in ("full_year", "e"):
        return f"{moment.year:04d}"
    if role == "b":  # the Buddhist era
        return f"{moment.year + 543:04d}" if width > 2 else f"{(moment.year + 543) % 100:02d}"
    if width <= 2 and role in ("m", "d"):
        return f"{moment.month if role == 'm' else moment.day:0{width}d}"
    if role == "m":
        name = names.months[moment.month - 1]
        return names.short_months[moment.month - 1] if width == 3 else name[0] if width == 5 else name
    if role in ("d", "a"):
        return (names.short_days if width == 3 else names.days)[moment.weekday]
    return ""
