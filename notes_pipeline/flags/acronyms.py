"""Abbreviations a note spells out itself: "Liquefied Petroleum Gas (LPG)".

Belongs here: finding them in a text. Stays out: which chunk lacks one (``anchors``).
"""

from __future__ import annotations

import re

_SHORT = re.compile(r"\(([A-Z]{2,6})s?\)")
_REACH = 120
_SMALL = frozenset(("of", "and", "the", "for", "in", "on", "to", "&"))


def spelled_out(text: str) -> dict[str, str]:
    """Abbreviation to long form, the first of each; one pass over ``text``.

    >>> spelled_out("The Code of Good Practice (CGP) and tax (VAT).")
    {'CGP': 'Code of Good Practice'}
    """
    found: dict[str, str] = {}
    for match in _SHORT.finditer(text):
        short = match.group(1)
        long = _long_form(text[max(0, match.start() - _REACH) : match.start()], short)
        if long:
            found.setdefault(short, long)
    return found


def _long_form(before: str, short: str) -> str:
    """The last words of ``before`` whose initials are ``short``, small words left out; or empty."""
    words = before.split()
    letters = list(short)
    for at in range(len(words) - 1, -1, -1):
        if letters and words[at][:1].upper() == letters[-1] and words[at][:1].isupper():
            letters.pop()
            if not letters:
                return " ".join(words[at:])
        elif words[at].lower() not in _SMALL:
            return ""
    return ""
