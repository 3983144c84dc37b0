"""The filters a template may use: small, pure, from text to text.

Belongs here: how a value is worded. Stays out: values themselves; a filter never looks anything up.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_SILENT_H = re.compile(r"(hour|honest|honou?r|heir)", re.IGNORECASE)
_LIKE_YOU = re.compile(
    r"(uni(?!n|m|de)|use|usu|uti|ut[eo]|eu|ewe|one(?![a-z])|once|ubiq|ura|ukr|ufo)", re.IGNORECASE
)
_LETTERS_WITH_VOWEL = frozenset("AEFHILMNORSX")
_PARENS = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]")
_LIST = re.compile(r"\s*[;,\n/|]\s*|\s*、\s*")
_YEAR = re.compile(r"([+-]?\d{1,6})(\.0+)?")
_IRREGULAR = {"person": "people", "child": "children", "man": "men", "woman": "women", "foot": "feet"}


def ordinal(value: str) -> str:
    """``1`` as ``1st``, ``12`` as ``12th``; anything but a whole number as it is."""
    text = value.strip()
    digits = text.replace(",", "")
    if not digits.isdecimal():
        return value
    number = int(digits[-2:])
    ending = "th" if 11 <= number <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return text + ending


def an(value: str) -> str:
    """With its article: ``a river``, ``an hour``, ``a university``, ``an MP``."""
    text = value.strip()
    if not text:
        return value
    return f"{'an' if _sounds_like_vowel(text) else 'a'} {text}"


def _sounds_like_vowel(text: str) -> bool:
    word = re.split(r"[\s\-]", text, maxsplit=1)[0]
    if word.isdecimal():
        return word.startswith("8") or (word.startswith(("11", "18")) and len(word) % 3 == 2)
    if word.isupper() and 1 < len(word) <= 4 and not re.search("[AEIOU]", word[1:]):
        return word[0] in _LETTERS_WITH_VOWEL
    if _SILENT_H.match(word):
        return True
    return word[:1].lower() in "aeiouàáâäåæèéêëìíîïòóôöøùúûü" and not _LIKE_YOU.match(word)


def plural(value: str, noun: str, many: str = "") -> str:
    """The count with its noun: ``1 | plural("dam")`` is ``1 dam``, ``3 | plural("dam")`` is ``3 dams``."""
    if value.strip() in ("1", "one"):
        return f"{value} {noun}"
    return f"{value} {many or _plural_of(noun)}"


def _plural_of(noun: str) -> str:
    if noun.casefold() in _IRREGULAR:
        return _IRREGULAR[noun.casefold()]
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(s|x|z|ch|sh)$", noun) else "s")


def unit(value: str, name: str) -> str:
    """With its unit, unless the cell already ends in it: ``3,528`` and ``3,528 m`` both ``3,528 m``."""
    text = value.strip()
    return text if not text or text.casefold().endswith(name.casefold()) else f"{text} {name}"


def number(value: str) -> str:
    """Whole numbers of five and more digits grouped by thousands; a grouping already shown stays."""
    text = value.strip()
    match = re.fullmatch(r"([+-]?)(\d{5,300})(\.\d+)?", text)
    return f"{match[1]}{int(match[2]):,}{match[3] or ''}" if match and match[2][0] != "0" else value


def year(value: str) -> str:
    """``-322`` as ``322 BCE``, ``78`` as ``78 CE``, ``1947`` as it is."""
    match = _YEAR.fullmatch(value.strip())
    if not match:
        return value
    count = int(match[1])
    if count < 0:
        return f"{-count} BCE"
    return f"{count} CE" if 0 < count < 1000 else str(count)


def listed(value: str, separator: str = "", word: str = "and") -> str:
    """Items with commas and a last ``and``; split at ``separator``, else at commas, ``;``, ``/``, breaks."""
    parts = value.split(separator) if separator else _LIST.split(value)
    items = [part.strip() for part in parts if part.strip()]
    if len(items) < 2:
        return items[0] if items else value
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def strip_parens(value: str) -> str:
    """Without what stands in brackets; never to nothing."""
    return _PARENS.sub("", value).strip() or value


def ensure_period(value: str) -> str:
    """With a full stop, unless it ends in a mark of its own."""
    text = value.rstrip()
    return text if not text or text[-1] in ".!?…。！？" else text + "."


def capfirst(value: str) -> str:
    """First letter large, the rest as it is."""
    return value[:1].upper() + value[1:]


def title(value: str) -> str:
    """Each word's first letter large, the rest as it is: ``McMahon line`` keeps its inner capitals."""
    return re.sub(r"(?<![\w'’])\w", lambda match: match[0].upper(), value)


def default(value: str, other: str) -> str:
    """The value, or ``other`` where the cell is empty; the field is then no longer required."""
    return value or other


def lower(value: str) -> str:
    """All small."""
    return value.lower()


def upper(value: str) -> str:
    """All large."""
    return value.upper()


FILTERS: dict[str, Callable[..., str]] = {
    "ordinal": ordinal,
    "an": an,
    "plural": plural,
    "unit": unit,
    "number": number,
    "year": year,
    "list": listed,
    "strip_parens": strip_parens,
    "ensure_period": ensure_period,
    "capfirst": capfirst,
    "title": title,
    "lower": lower,
    "upper": upper,
    "default": default,
}
