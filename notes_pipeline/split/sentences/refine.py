"""Rules and an engine's proposals together: where the sentences of one text start.

Belongs here: the walk over the candidate places. Stays out: the rules themselves (``rules.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from notes_pipeline.split.sentences.abbreviations import SHORT_FORMS
from notes_pipeline.split.sentences.candidates import OPENERS, candidate, places
from notes_pipeline.split.sentences.rules import judge

_EASY = re.compile(r"[a-z]{2,}$")
_LOOK_BACK = 24


Engine = Callable[[int], bool]
"""Says whether a sentence starts at an offset of the text it was shown."""


def has_doubt(text: str) -> bool:
    """Whether the rules leave any place of ``text`` to an engine."""
    doubts: list[int] = []

    def note(start: int) -> bool:
        doubts.append(start)
        return True

    starts(text, note)
    return bool(doubts)


def starts(text: str, engine: Engine, proposed: Iterable[int] = ()) -> list[int]:
    """Where each sentence of ``text`` after the first starts, in order.

    ``engine`` is asked about the places no rule knows; of ``proposed`` those count that stand at no
    mark, where rules have nothing to say, and yet may start a sentence.
    """
    found: list[int] = []
    seen: set[int] = set()
    begin = 0
    for match in places(text):
        start = match.end()
        seen.add(start)
        verdict = True if _is_easy(text, match) else judge(candidate(match, begin))
        if verdict or (verdict is None and engine(start)):
            found.append(start)
            begin = start
    extra = [start for start in proposed if start not in seen and _may_start(text, start)]
    return sorted(found + extra) if extra else found


def _is_easy(text: str, match: re.Match[str]) -> bool:
    """An ordinary small-letter word, one full stop, a blank, a capital: nothing to judge."""
    at, start = match.start(), match.end()
    if start - at != 2 or text[at] != "." or not text[start].isupper():
        return False
    word = text[max(0, at - _LOOK_BACK) : at].rpartition(" ")[2]
    return (
        len(word) > 2 and word.isalpha() and word.islower() and word not in SHORT_FORMS and _has_vowel(word)
    )


_VOWEL = re.compile("[aeiouyáéíóúäöüàèìòùâêîôûåæøœ]")


def _has_vowel(word: str) -> bool:
    return _VOWEL.search(word) is not None or not word.isascii()


def _may_start(text: str, start: int) -> bool:
    """Whether a start an engine proposes without a mark makes sense: a blank before, a word after."""
    if not 0 < start < len(text) or not text[start - 1].isspace():
        return False
    before = text[max(0, start - _LOOK_BACK) : start].rstrip()
    return (text[start].isalnum() or text[start] in OPENERS) and before[-1:] not in f",;–—&/{OPENERS}"
