"""The judges of a candidate place, one rule each, in the order they are asked.

A rule answers True (a sentence ends here), False (it does not), or None (not mine); where every
rule says None, the engine decides. Stays out: words (``abbreviations.py``), engines, offsets.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from notes_pipeline.split.sentences import abbreviations as words
from notes_pipeline.split.sentences.candidates import OPENERS, Candidate

_ITEM = re.compile(r"(\d{1,2}|[a-z])([.)]{1,2})\s+[^\W\d_]")
_RUNS_ON = re.compile(r"(?:[,;]|\b(?:and|or|und|oder|et|y|to))\s+$")
_ITEM_LENGTH = 600
"""Characters an item of such a list may have."""

Verdict = bool | None
Rule = Callable[[Candidate], Verdict]

_ROMAN = re.compile(r"[ivxlc]{1,6}$", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){0,3}|[a-zA-Z])$")
_INLINE_NUMBER = re.compile(r"\d{1,2}[.)]$")
_REFERENCE = re.compile(
    r"(?:[(\[]?(?:\d|[ivxlcIVXLC]{1,6}[)\].,;:]*$|[a-zA-Z][)\]])|§|¶|#\d|[A-Z]\d*[.,;:)]*$)"
)
_SIGN_IN_PLACE = re.compile(r"[–—+*/=<-]+\s+(?:[^\W\d_A-Z]|\d)")
_TRAILING = re.compile(r"\.[. ]*\.$|…")
_FIRST_PERSON = re.compile(r"I(?:['’]\w+)?$")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}$|(?:[A-Z][A-Za-z']{0,6}\.)+[A-Z][A-Za-z']{0,6}$")
_NO_VOWEL = re.compile(r"[^\W\d_aeiouyAEIOUY]{2,6}$")


def _no_start(place: Candidate) -> Verdict:
    """Punctuation that carries on or closes starts no sentence."""
    if place.right[0] in ",;:.!?…)]}»”&/|^" or (place.right[0] == "%" and len(place.right) == 1):
        return False
    if (
        not any(map(str.isalnum, place.right))
        and len(place.right) <= 2
        and place.text[place.start] not in OPENERS
    ):
        return False if _SIGN_IN_PLACE.match(place.text, place.start) else None
    return False if place.right in ("v.", "vs.", "v", "vs") else None


def _dense(place: Candidate) -> Verdict:
    """Full stops of other scripts end a sentence, unless its quotation is carried on."""
    if place.mark[-1] in "」』”’）" and place.text.startswith(words.QUOTING_WORDS, place.start):
        return place.text[place.start - 1].isspace()
    return True


def _face(place: Candidate) -> Verdict:
    """An emoji or emoticon ends a sentence only before a word that opens one."""
    return place.text[place.start].isupper() and not place.at_head() and place.opener() in words.OPENERS


def _item(place: Candidate) -> Verdict:
    """``1) open it 2) close it``: the next item of a list inside the line, without a mark before it."""
    marker = _ITEM.match(place.text, place.start)
    if not marker or place.opener() in words.GERMAN_MONTHS:
        return False
    if _RUNS_ON.search(place.text[max(0, place.start - 8) : place.start]):
        return False
    name, style = marker[1], marker[2]
    before = str(int(name) - 1) if name.isdigit() else chr(ord(name) - 1)
    head = place.text[max(place.begin, place.start - _ITEM_LENGTH) : place.start]
    return re.search(rf"(?:^|[\s:;]){re.escape(before + style)}\s", head) is not None


def _tight(place: Candidate) -> Verdict:
    """``… favourite.The owner``: a blank was forgotten, where the next word opens a sentence."""
    return place.opener() in words.OPENERS and place.left not in words.SHORT_FORMS


def _quoted(place: Candidate) -> Verdict:
    """``"Stop!" he said``: a small letter after a closing mark carries on."""
    if place.close and place.first.islower():
        return False
    return None


def _strong(place: Candidate) -> Verdict:
    """``?`` and ``!`` end a sentence where a capital follows; not alone in brackets."""
    if _TRAILING.match(place.mark):
        return None
    if not place.word and place.close[:1] == ")":
        return False
    if place.left in words.NAMES_WITH_MARKS and place.first.islower():
        return False
    return True if place.first.isupper() else None


def _ellipsis(place: Candidate) -> Verdict:
    """Dots that trail off end a sentence only before a capital."""
    if not _TRAILING.match(place.mark):
        return None
    if place.first.islower() or (place.mark in ("...", "…") and _FIRST_PERSON.match(place.right)):
        return False
    return True if place.first.isupper() else None


def _list_marker(place: Candidate) -> Verdict:
    """A number, letter or ``Q`` alone at the head of a sentence, or after a colon, is its marker."""
    marker = _LIST_NUMBER.match(place.word) or _ROMAN.match(place.word) or place.left in words.ANSWER_MARKS
    if marker and place.at_head():
        return False
    if place.word.isdigit() and len(place.word) <= 2:
        before = place.before()
        if place.first.islower() or (before and before[-1].endswith(":")):
            return False
    return None


def _next_number(place: Candidate) -> Verdict:
    """``… in 1935. 2. It …``: a numbered item opens inside the line."""
    if _INLINE_NUMBER.match(place.right) and place.left not in words.SHORT_FORMS:
        return True
    return None


def _never_last(place: Candidate) -> Verdict:
    """``e.g.`` and titles want something after them."""
    if place.left in words.NEVER_LAST and (len(place.word) > 1 or place.word.islower()):
        return False
    if place.left in words.TITLES and _allowed(place):
        return False
    return None


def _reference(place: Candidate) -> Verdict:
    """``Art. 21``, ``cl. (2)``, ``No. IV``: a place is named."""
    if place.right[0] in "§¶" and place.left in words.SHORT_FORMS:
        return False
    if place.left in words.REFERENCES and _REFERENCE.match(place.right):
        return False
    return None


def _allowed(place: Candidate) -> bool:
    return place.left not in words.CAPITALISED_ONLY or place.word[:1].isupper()


def _german_ordinal(place: Candidate) -> Verdict:
    """``am 3. Oktober``, ``der 2. Weltkrieg``."""
    if not (place.word.isdigit() and len(place.word) <= 2):
        return None
    if place.opener() in words.GERMAN_MONTHS:
        return False
    before = place.before()
    return False if before and before[-1].casefold() in words.GERMAN_ORDINAL_BEFORE else None


def _initial(place: Candidate) -> Verdict:
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


def _time(place: Candidate) -> Verdict:
    """``5 p.m. Monday`` goes on, ``5 p.m. Doors open`` does not, ``At 5 p.m. Doors open`` does."""
    if place.left not in ("a.m", "p.m"):
        return None
    if not place.first.isupper():
        return False if place.first.islower() or place.first.isdigit() else None
    if place.opener() in words.TIME_ZONES:
        return False
    head = place.text[place.begin : place.mark_at].split(maxsplit=5)
    return not (len(head) <= 4 and head[0].casefold() in words.PREPOSITIONS)


def _short_form(place: Candidate) -> Verdict:
    """Known short forms and dotted capitals: last only where what follows opens a sentence."""
    last = place.left in words.LAST and _allowed(place)
    known = last or (place.left in words.CONTINUED and _allowed(place))
    if not known and not _DOTTED.match(place.word):
        return None
    if not (place.first.isupper() or not place.first.isascii()):
        return False if place.first.isalnum() or place.right[0] in "([&-–" else None
    if place.opener() in words.OPENERS and not place.right.endswith("."):
        return True
    return last


def _unknown_short_form(place: Candidate) -> Verdict:
    """What looks like a short form: no vowel, or very short and followed by what starts no sentence."""
    if not place.word.isascii() or not place.word.isalpha() or len(place.word) < 2:
        return None
    if _NO_VOWEL.match(place.word) and not place.word.isupper():
        if place.first.isupper():
            return place.opener() in words.OPENERS
        return False
    longest = 4 if place.word[0].isupper() else 3
    if len(place.word) <= longest and not place.word.isupper() and place.left not in words.SHORT_WORDS:
        return False if place.first.islower() or place.first.isdigit() else None
    return None


def _plain(place: Candidate) -> Verdict:
    """An ordinary word, a full stop, a capital."""
    if place.first.isupper():
        return True
    return None


_FULL_STOP: tuple[Rule, ...] = (
    _no_start,
    _quoted,
    _list_marker,
    _never_last,
    _german_ordinal,
    _reference,
    _next_number,
    _time,
    _initial,
    _short_form,
    _unknown_short_form,
    _plain,
)
_OTHER_MARK: tuple[Rule, ...] = (_no_start, _quoted, _strong, _ellipsis)

RULES: dict[str, tuple[Rule, ...]] = {
    ".": _FULL_STOP,
    "mark": _OTHER_MARK,
    "dense": (_no_start, _dense),
    "face": (_face,),
    "item": (_item,),
    "tight": (_tight,),
}
"""By the kind of place; the first rule that answers decides."""


def judge(place: Candidate) -> Verdict:
    """The first answer of the rules for this kind of place; None where all leave it to the engine."""
    for rule in RULES["." if place.mark == "." and place.kind == "mark" else place.kind]:
        verdict = rule(place)
        if verdict is not None:
            return verdict
    return None
