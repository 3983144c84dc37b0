"""Names of columns: how they are compared, how a template spells them, how a sentence reads them.

Belongs here: the forms of one name, and numeric-looking or generic texts.
Stays out: what is matched or rendered.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from pathlib import PurePosixPath

from openpyxl.utils import get_column_letter

_JINJA_WORDS = frozenset({"true", "false", "none", "loop", "self", "super", "varargs", "kwargs", "caller"})
_GENERIC_SHEET = re.compile(
    r"sheet|(sheet|feuil|feuille|tabelle|table|tabla|hoja|foglio|planilha|blad|ark|list|arkusz|лист|munka|sayfa"
    r"|工作表|シート|시트)[\s_-]*\(?\d+\)?",
    re.IGNORECASE,
)
_NUMERIC = re.compile(r"[^\w]*\d[\W\d_]*")
_EXPONENT = re.compile(r"[+-]?\d+([.,]\d+)?e[+-]?\d+", re.IGNORECASE)
_MOMENT = re.compile(
    r"(1\d|20)\d\d([/–-]\d\d(\d\d)?)?|((\d{1,2}\.? )?[^\W\d_]{3,},? )(1\d|20)\d\d|\d{4}-\d\d-\d\d"
)
_ANSWERS = frozenset(("true", "false", "yes", "no", "y", "n", "x", "wahr", "falsch", "ja", "nein"))
_MACHINE = re.compile(r"(https?://|www\.)\S*|\S+@\S+|[a-z0-9]*(_[a-z0-9]+)+|\d{1,2} [A-Z][a-z]+ \d{4}")
_SNAKE = re.compile(r"(?<=[^\W_])_+(?=[^\W_])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


@lru_cache(maxsize=4096)
def normal(name: str) -> str:
    """The form in which names are compared: NFKC, blanks collapsed, case folded."""
    return folded(name)


@lru_cache(maxsize=4096)
def slug(name: str) -> str:
    """The form in which a template spells a name: ``Name of the Act`` is ``Name_of_the_Act``.

    >>> slug("Alt. (m)"), slug("2019"), slug("in")
    ('Alt_m', '_2019', 'in_')
    """
    text = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", name)).strip("_")
    if not text.isidentifier():
        text = "_" + text
    if keyword.iskeyword(text) or text.casefold() in _JINJA_WORDS:
        text += "_"
    return text


@lru_cache(maxsize=4096)
def label(name: str) -> str:
    """The name as a sentence reads it: ``attacker_king`` is ``attacker king``; one line, no last colon."""
    text = " ".join(name.split()).rstrip(":").rstrip()
    if " " not in text:
        text = _SNAKE.sub(" ", text)
        if text.isascii() and text.isalpha():
            text = _CAMEL.sub(" ", text)
    return text or name


def is_name(text: str) -> bool:
    """Whether a value can say what a row is about: no number, no yes or no, no address, no machine's code."""
    return not (is_numeric(text) or text.casefold() in _ANSWERS or _MACHINE.fullmatch(text))


def is_moment(text: str) -> bool:
    """A year, a span of years, a month of a year or a day: ``1995``, ``1995/96``, ``3 May 1995``."""
    return bool(_MOMENT.fullmatch(text))


def one_line(text: str) -> str:
    """The text with every run of blanks and breaks as one blank."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(text.split())


@lru_cache(maxsize=1024)
def letter_name(column: int) -> str:
    """The name of a column without a header: its letter."""
    return f"Column {get_column_letter(column)}"


def unique(names: Iterable[str]) -> list[str]:
    """Names in order, the second of the same as ``Name 2``, the third as ``Name 3``."""
    given = list(names)
    taken = {normal(name) for name in given}
    seen: set[str] = set()
    result = []
    for name in given:
        chosen, count = name, 1
        while normal(chosen) in seen or (count > 1 and normal(chosen) in taken):
            count += 1
            chosen = f"{name} {count}"
        seen.add(normal(chosen))
        result.append(chosen)
    return result


def is_numeric(text: str) -> bool:
    """Whether a shown text is a number, with currency, percent or separators, or the digits of a date."""
    if text[:1].isalpha():
        return False
    return bool(_NUMERIC.fullmatch(text) or _EXPONENT.fullmatch(text))


def folded(text: str) -> str:
    """``normal`` for texts that come once, such as sentences: nothing of them is kept."""
    return " ".join((text if text.isascii() else unicodedata.normalize("NFKC", text)).split()).casefold()


def is_generic_sheet(name: str) -> bool:
    """``Sheet1``, ``Tabelle2``: names a program gave, which tell a reader nothing."""
    return bool(_GENERIC_SHEET.fullmatch(name.strip()))


def stem(source_path: str) -> str:
    """The file's name without its suffix."""
    return PurePosixPath(source_path).stem


def nearest(name: str, others: Iterable[str]) -> str:
    """The one of ``others`` most like ``name``, or empty."""
    by_normal = {normal(other): other for other in others}
    close = get_close_matches(normal(name), by_normal, n=1, cutoff=0.6)
    return by_normal[close[0]] if close else ""
