"""The judges of a candidate place, one rule each, in the order they are asked.

A rule answers True (a sentence ends here), False (it does not), or None (not mine); where every
rule says None, the engine decides. Stays out: words (``abbreviations.py``), engines, offsets.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from notes_pipeline.split.sentences import abbreviations as words
from notes_pipeline.split.sentences import markers, short_forms
from notes_pipeline.split.sentences.candidates import OPENERS, Candidate, Verdict

Rule = Callable[[Candidate], Verdict]

_SIGN_IN_PLACE = re.compile(r"[–—+*/=<-]+\s+(?:[^\W\d_A-Z]|\d)")
_TRAILING = re.compile(r"\.[. ]*\.$|…")
_DOTS = re.compile(r"(?:\.{3,8}|\. \.(?: \.){1,6}|…)\s{0,8}")
_FIRST_PERSON = re.compile(r"I(?:['’]\w+)?$")


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


def _omission(place: Candidate) -> Verdict:
    """``… is void. . . . The rest``: the sentence is whole; dots for what was left out open the next."""
    dots = _DOTS.match(place.text, place.start)
    if not dots or not place.word:
        return None
    return not place.text[dots.end() : dots.end() + 1].islower()


def _dense(place: Candidate) -> Verdict:
    """Full stops of other scripts end a sentence, unless its quotation is carried on."""
    if place.mark[-1] in "」』”’）" and place.text.startswith(words.QUOTING_WORDS, place.start):
        return place.text[place.start - 1].isspace()
    return True


def _face(place: Candidate) -> Verdict:
    """An emoji or emoticon ends a sentence only before a word that opens one."""
    return place.text[place.start].isupper() and not place.at_head() and place.opener() in words.OPENERS


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
        return place.opener() in words.OPENERS
    if place.left in words.NAMES_WITH_MARKS and place.first.islower():
        return False
    return True if place.first.isupper() else None


def _ellipsis(place: Candidate) -> Verdict:
    """Dots that trail off end a sentence only before a capital."""
    if not _TRAILING.match(place.mark):
        return None
    if place.begin == place.mark_at:
        return False
    if place.first.islower() or (place.mark in ("...", "…") and _FIRST_PERSON.match(place.right)):
        return False
    return True if place.first.isupper() else None


def _plain(place: Candidate) -> Verdict:
    """An ordinary word, a full stop, a capital."""
    if place.first.isupper():
        return True
    return None


_FULL_STOP: tuple[Rule, ...] = (
    _omission,
    _no_start,
    _quoted,
    markers.list_marker,
    short_forms.never_last,
    markers.german_ordinal,
    short_forms.reference,
    markers.next_number,
    short_forms.time,
    short_forms.initial,
    short_forms.short_form,
    short_forms.unknown_short_form,
    _plain,
)
_OTHER_MARK: tuple[Rule, ...] = (_omission, _no_start, _quoted, _strong, _ellipsis)

RULES: dict[str, tuple[Rule, ...]] = {
    ".": _FULL_STOP,
    "mark": _OTHER_MARK,
    "dense": (_dense,),
    "face": (_face,),
    "item": (markers.item,),
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
