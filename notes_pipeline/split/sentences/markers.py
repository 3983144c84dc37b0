"""Full stops and brackets that belong to a number or letter: list markers, ordinals, items inside a line.

Belongs here: rules about markers. Stays out: their order (``rules.py``).
"""

from __future__ import annotations

import re

from notes_pipeline.split.sentences import abbreviations as words
from notes_pipeline.split.sentences.candidates import Candidate, Verdict

_ROMAN = re.compile(r"[ivxlc]{1,6}$", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){0,3}|[a-zA-Z])$")
_INLINE_NUMBER = re.compile(r"\d{1,2}[.)]$")
_ITEM = re.compile(r"(\d{1,2}|[a-z])([.)]{1,2})\s+([^\W\d_]+)")
_RUNS_ON = re.compile(r"(?:[,;]|\b(?:and|or|und|oder|et|y|to))\s+$")
_ITEM_LENGTH = 600
"""Characters an item of a list inside a line may have."""


def list_marker(place: Candidate) -> Verdict:
    """A number, letter or ``Q`` alone at the head of a sentence, or after a colon, is its marker."""
    marker = _LIST_NUMBER.match(place.word) or _ROMAN.match(place.word) or place.left in words.ANSWER_MARKS
    if marker and place.at_head():
        return False
    if place.word.isdigit() and len(place.word) <= 2:
        before = place.before()
        if place.first.islower() or (before and before[-1].endswith(":")):
            return False
    return None


def next_number(place: Candidate) -> Verdict:
    """``… in 1935. 2. It …``: a numbered item opens inside the line."""
    if _INLINE_NUMBER.match(place.right) and place.left not in words.SHORT_FORMS:
        return True
    return None


def german_ordinal(place: Candidate) -> Verdict:
    """``am 3. Oktober``, ``der 2. Weltkrieg``."""
    if not (place.word.isdigit() and len(place.word) <= 2):
        return None
    if place.opener() in words.GERMAN_MONTHS:
        return False
    before = place.before()
    return False if before and before[-1].casefold() in words.GERMAN_ORDINAL_BEFORE else None


def item(place: Candidate) -> Verdict:
    """``1) open it 2) close it``: the next item of a list inside the line, without a mark before it."""
    marker = _ITEM.match(place.text, place.start)
    if not marker or marker[3].casefold() in words.GERMAN_MONTHS:
        return False
    if _RUNS_ON.search(place.text[max(0, place.start - 8) : place.start]):
        return False
    name, style = marker[1], marker[2]
    if name in ("0", "1", "a"):
        return False
    before = str(int(name) - 1) if name.isdigit() else chr(ord(name) - 1)
    head = place.text[max(place.begin, place.start - _ITEM_LENGTH) : place.start]
    return re.search(rf"(?:^|[\s:;]){re.escape(before + style)}\s", head) is not None
