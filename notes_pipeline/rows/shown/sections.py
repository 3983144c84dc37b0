"""A number format taken apart: its sections, and the tokens of each.

Belongs here: the grammar of number formats. Stays out: what a section shows
(numbers, dates) and which section a value meets (formats).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple


class Token(NamedTuple):
    """A piece of a section.

    ``kind`` is ``literal``, ``digit`` (0 # ?), ``point``, ``comma``, ``percent``, ``exponent``, ``slash``,
    ``text`` (@), ``general``, ``date`` (a run of a letter), ``elapsed`` ([h]), ``meridiem`` or ``subsecond``.
    """

    kind: str
    text: str


class Condition(NamedTuple):
    """``[>=55]``: which values a section is for."""

    operator: str
    limit: Decimal

    def holds(self, value: Decimal) -> bool:
        """Whether ``value`` belongs to the section."""
        difference = value.compare(self.limit)
        return bool({
            "<": difference < 0,
            "<=": difference <= 0,
            ">": difference > 0,
            ">=": difference >= 0,
            "=": difference == 0,
            "<>": difference != 0,
        }[self.operator])  # fmt: skip

    @property
    def only_negative(self) -> bool:
        """Whether every value it lets through is below zero: the section then shows no sign of its own."""
        return (self.operator == "<" and self.limit <= 0) or (self.operator == "<=" and self.limit < 0)

    @property
    def leaves_negative(self) -> bool:
        """Whether every value it does not let through is below zero."""
        return (self.operator == ">" and self.limit < 0) or (self.operator == ">=" and self.limit <= 0)


@dataclass(frozen=True, slots=True)
class Section:
    """One of the parts between semicolons."""

    kind: str
    """``number``, ``date``, ``text``, ``general`` or ``literal``."""
    tokens: tuple[Token, ...]
    condition: Condition | None
    locale: int
    """Windows' number of the locale that ``[$-40C]`` names, 0 for none."""

    @property
    def system_date(self) -> bool:
        """``[$-F800]``: the long date of the reader's own system."""
        return self.locale & 0xFFFF == _SYSTEM_LONG_DATE


_TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | _(?P<pad>.)                # as wide as that character
    | \*(?P<fill>.)              # that character as often as it fits
    | \[(?P<bracket>[^\]]*)\]
    | (?P<separator>;)
    | (?P<calendar>B[12](?=[^0#?]*[a-z]))  # which calendar a date is shown in
    | (?P<general>General)
    | (?P<meridiem>AM/PM|A/P|上午/下午)
    | (?P<exponent>E[+-])
    | (?P<date>y+|m+|d+|h+|s+|b+|e+|g+|a{3,4})
    | (?P<digit>[0#?])
    | (?P<point>\.)
    | (?P<comma>,)
    | (?P<percent>%)
    | (?P<slash>/)
    | (?P<text>@)
    | (?P<other>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d{1,3})?)", re.IGNORECASE)
_CURRENCY = re.compile(r"\$([^-]*)(?:-([0-9A-F]*))?", re.IGNORECASE)
HIJRI = re.compile(r"B2(?=[^0#?]*[dmy])", re.IGNORECASE)
"""What a format starts with whose dates a spreadsheet shows in the Hijri calendar."""
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_SYSTEM_LONG_DATE = 0xF800

_Piece = tuple[str, str]


@lru_cache(maxsize=4096)
def sections(code: str) -> tuple[Section, ...]:
    """The sections of a format code, at least one; never raises, whatever ``code`` holds."""
    parts: list[list[_Piece]] = [[]]
    for match in _TOKEN.finditer(code):
        kind = match.lastgroup or "other"
        if kind == "separator":
            parts.append([])
        else:
            parts[-1].append((kind, match[kind]))
    return tuple(_section(part) for part in parts)


def _section(pieces: list[_Piece]) -> Section:
    condition: Condition | None = None
    locale = 0
    tokens: list[Token] = []
    for kind, text in pieces:
        if kind == "bracket":
            condition = condition or _condition(text)
            locale = locale or _locale(text)
        token = _token(kind, text)
        if token is not None:
            tokens.append(token)
    kind = _kind(tokens, locale)
    settled = _settle(tokens, kind)
    return Section(kind, tuple(settled), condition, locale)


def _token(kind: str, text: str) -> Token | None:
    if kind in ("quoted", "escaped", "other"):
        return Token("literal", text)
    if kind == "pad":  # alignment only, but a space's width stands between words
        return Token("literal", " ") if text == " " else None
    if kind in ("fill", "calendar"):
        return None
    if kind == "bracket":
        return _bracket(text)
    return Token(kind, text.lower() if kind == "date" else text)


def _bracket(text: str) -> Token | None:
    if _ELAPSED.fullmatch(text):
        return Token("elapsed", text.lower())
    currency = _CURRENCY.fullmatch(text)
    if currency and currency[1]:
        return Token("literal", currency[1])
    return None  # a colour, a condition, a locale, a way to write digits


def _condition(text: str) -> Condition | None:
    match = _CONDITION.fullmatch(text.strip())
    return Condition(match[1], Decimal(match[2])) if match else None


def _locale(text: str) -> int:
    match = _CURRENCY.fullmatch(text)
    return int(match[2], 16) if match and match[2] and not match[1] else 0


def _kind(tokens: list[Token], locale: int) -> str:
    kinds = {token.kind for token in tokens}
    if locale & 0xFFFF == _SYSTEM_LONG_DATE or _is_date(tokens):
        return "date"
    if "text" in kinds:
        return "text"
    if "general" in kinds:
        return "general"
    return "number" if "digit" in kinds or "percent" in kinds else "literal"


def _is_date(tokens: list[Token]) -> bool:
    """Date letters, and no digit place but those after ``ss.``: ``0 km`` written unquoted is a number."""
    if not any(token.kind in ("date", "elapsed", "meridiem") for token in tokens):
        return False
    return all(
        token.kind != "digit" or _behind_point(tokens, place) for place, token in enumerate(tokens)
    ) and not any(token.kind == "general" for token in tokens)


def _behind_point(tokens: list[Token], place: int) -> bool:
    while place and tokens[place].kind == "digit":
        place -= 1
    return tokens[place].kind == "point" and place > 0


def _settle(tokens: list[Token], kind: str) -> list[Token]:
    """Tokens that mean nothing in a section of this kind become literals; ``.000`` of seconds one token."""
    if kind == "date":
        return _settle_date(tokens)
    own = {"number": ("digit", "point", "comma", "percent", "exponent", "slash"), "text": ("text",)}
    meant = own.get(kind, ("general", "percent") if kind == "general" else ())
    return [token if token.kind in meant else Token("literal", token.text) for token in tokens]


def _settle_date(tokens: list[Token]) -> list[Token]:
    settled: list[Token] = []
    for token in tokens:
        if token.kind == "digit" and settled and settled[-1].kind == "subsecond":
            settled[-1] = Token("subsecond", settled[-1].text + "0")
        elif token.kind == "digit" and settled and settled[-1] == ("literal", "."):
            settled[-1] = Token("subsecond", ".0")
        elif token.kind in ("date", "elapsed", "meridiem"):
            settled.append(token)
        else:
            settled.append(Token("literal", token.text))
    return settled
