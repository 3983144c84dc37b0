"""Full stops that belong to a word: titles, references, initials, times, known and unknown short forms.

Belongs here: rules about such words. Stays out: their order (``rules.py``); the words (``abbreviations.py``).
"""

from __future__ import annotations

import re

from notes_pipeline.split.sentences import abbreviations as words
from notes_pipeline.split.sentences.candidates import Candidate, Verdict

_REFERENCE = re.compile(
    r"(?:[(\[]?(?:\d|[ivxlcIVXLC]{1,6}[)\].,;:]*$|[a-zA-Z][)\]])|§|¶|#\d|[A-Z]{1,3}-?\d|[A-Z][.,;:)]*$)"
)
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}$|(?:[A-Z][A-Za-z']{0,6}\.)+[A-Z][A-Za-z']{0,6}$")
_FRONTED = 60
"""Characters of a sentence's head looked at; ``On the second Friday at 5 p.m.`` fits."""
_NO_VOWEL = re.compile(r"[^\W\d_aeiouyAEIOUY]{2,6}$")


def _allowed(place: Candidate) -> bool:
    return place.left not in words.CAPITALISED_ONLY or place.word[:1].isupper()


def never_last(place: Candidate) -> Verdict:
    """``e.g.`` and titles want something after them."""
    if place.left in words.NEVER_LAST and (len(place.word) > 1 or place.word.islower()):
        return False
    if place.left in words.TITLES and _allowed(place):
        return False
    return None


def reference(place: Candidate) -> Verdict:
    """``Art. 21``, ``cl. (2)``, ``No. IV``: a place is named."""
    if place.right[0] in "§¶" and place.left in words.SHORT_FORMS:
        return False
    if place.right in ("A", "I") and place.left in words.ALSO_WORDS:
        return None
    if place.left in words.REFERENCES and _REFERENCE.match(place.right):
        return False
    return None


def time(place: Candidate) -> Verdict:
    """``5 p.m. Monday`` goes on, ``5 p.m. Doors open`` does not, ``At 5 p.m. Doors open`` does."""
    if not place.left.endswith(("a.m", "p.m")):
        return None
    if not place.first.isupper():
        return False if place.first.islower() or place.first.isdigit() else None
    if place.opener().rstrip(".") in words.TIME_ZONES:
        return False
    head = place.text[place.begin : min(place.mark_at, place.begin + _FRONTED)].split(maxsplit=5)
    return not (len(head) <= 4 and head[0].casefold() in words.PREPOSITIONS)


def initial(place: Candidate) -> Verdict:
    """A single letter is an initial, unless a word that opens sentences follows."""
    if len(place.word) != 1 or not place.word.isalpha():
        return None
    if not (place.word.isupper() or place.word.islower()):
        return None
    if place.first.islower() or place.first.isdigit() or _is_short_form(place.right):
        return False
    if place.opener() in words.OPENERS:
        return True
    before = place.before()
    unit = place.word.islower() and bool(before) and before[-1][-1].isdigit()
    return unit or (bool(before) and before[-1].casefold() in words.NOT_INITIALS)


def _is_short_form(right: str) -> bool:
    return len(right) >= 2 and right[1] == "." and right[0].isalpha()


def short_form(place: Candidate) -> Verdict:
    """Known short forms and dotted capitals: last only where what follows opens a sentence."""
    last = place.left in words.LAST and _allowed(place)
    known = last or (place.left in words.CONTINUED and _allowed(place))
    if not known and not _DOTTED.match(place.word):
        return None
    if place.first.islower() or (place.first.isascii() and not place.first.isupper()):
        return False if place.first.isalnum() or place.right[0] in "([&-–" else None
    if place.right.endswith("."):
        return last and place.right[:-1].casefold() not in words.CONTINUED
    return last or place.opener() in words.OPENERS


def unknown_short_form(place: Candidate) -> Verdict:
    """What looks like a short form: no vowel, or very short and followed by what starts no sentence."""
    if not place.word.isascii() or not place.word.isalpha() or len(place.word) < 2:
        return None
    if _NO_VOWEL.match(place.word) and place.word[1:].islower():
        if place.first.isupper():
            return place.opener() in words.OPENERS
        return False
    longest = 4 if place.word[0].isupper() else 3
    if len(place.word) <= longest and not place.word.isupper() and place.left not in words.SHORT_WORDS:
        return False if place.first.islower() or place.first.isdigit() else None
    return None
