"""Rules and an engine's proposals together: where the sentences of one text start.

Belongs here: the walk over the candidate places. Stays out: the rules themselves (``rules.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set

from notes_pipeline.split.sentences.abbreviations import SHORT_FORMS
from notes_pipeline.split.sentences.candidates import OPENERS, candidate, places
from notes_pipeline.split.sentences.rules import judge

_LOOK_BACK = 24
_SIGNS_BEFORE_WORD = re.compile(r"[^\w]{0,8}")
_VOWEL = re.compile("[aeiouy]")


def starts(text: str, proposed: Set[int], *, anywhere: bool) -> list[int]:
    """Where each sentence of ``text`` after the first starts, in order.

    ``proposed`` are an engine's starts. They decide at the places no rule knows; with ``anywhere``
    they also count where no mark stands, if a sentence may start there at all.
    """

    def agrees(start: int) -> bool:
        # Engines give quotation marks, brackets and dashes to the sentence before.
        return any(at in proposed for at in range(start, _first_word(text, start) + 1))

    found, places_seen = _walk(text, agrees)
    if anywhere:
        extra = [start for start in proposed if start not in places_seen and _may_start(text, start)]
        return sorted({*found, *extra})
    return found


def certain_starts(text: str) -> list[int] | None:
    """``starts`` where the rules know every place; None where an engine has to be asked."""
    doubts: list[int] = []

    def note(start: int) -> bool:
        doubts.append(start)
        return True

    found, _ = _walk(text, note)
    return None if doubts else found


def _walk(text: str, engine: Callable[[int], bool]) -> tuple[list[int], set[int]]:
    """The starts found, and every place looked at together with the first word after it."""
    found: list[int] = []
    seen: set[int] = set()
    begin = 0
    for match in places(text):
        start = match.end()
        seen.update((start, _first_word(text, start)))
        verdict = True if _is_easy(text, match) else judge(candidate(match, begin))
        if verdict or (verdict is None and engine(start)):
            found.append(start)
            begin = start
    return found, seen


def _first_word(text: str, start: int) -> int:
    signs = _SIGNS_BEFORE_WORD.match(text, start)
    return signs.end() if signs else start


def _is_easy(text: str, match: re.Match[str]) -> bool:
    """An ordinary small-letter word, one full stop, a blank, a capital: nothing to judge."""
    at, start = match.start(), match.end()
    if start - at != 2 or text[at] != "." or not text[start].isupper():
        return False
    word = text[max(0, at - _LOOK_BACK) : at].rpartition(" ")[2]
    if len(word) < 3 or not word.isalpha() or not word.islower() or word in SHORT_FORMS:
        return False
    return _VOWEL.search(word) is not None or not word.isascii()


def _may_start(text: str, start: int) -> bool:
    """Whether a start an engine proposes without a mark makes sense: a blank before, a word after."""
    if not 0 < start < len(text) or not text[start - 1].isspace():
        return False
    before = text[max(0, start - _LOOK_BACK) : start].rstrip()
    return (text[start].isalnum() or text[start] in OPENERS) and before[-1:] not in f",;–—&/{OPENERS}"
