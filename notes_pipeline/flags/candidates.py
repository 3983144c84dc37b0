"""Which rules can fire on a chunk at all: the tests of the rule table, turned round.

Belongs here: looking up, by a chunk's first word, its last character and the like, the rules that allow
it. Stays out: the rules. A set of rules is an int with a bit for each rule: most chunks allow none, and
one ``&`` a test says so, where asking each rule of each chunk cost more than all that rules find.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from notes_pipeline.flags.rule import NO_LIMIT, Rule
from notes_pipeline.flags.surroundings import Surroundings
from notes_pipeline.flags.view import View


class Candidates:
    """The rules of a table by what they ask of a chunk."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._openers, self._any_opener = _turned_round([rule.openers for rule in rules])
        self._endings, self._any_ending = _turned_round([rule.endings for rule in rules])
        self._kinds, self._any_kind = _turned_round([rule.kinds for rule in rules])
        self._words = _by_word(rules)
        self._wordless = self._those(lambda rule: not rule.words)
        self._for_rows = self._those(lambda rule: rule.rows)
        self._for_notes = self._those(lambda rule: not rule.rows)
        self._for_whole_blocks = self._those(lambda rule: not rule.cut)
        self._for_many_words = self._those(lambda rule: rule.most_words == NO_LIMIT)
        self._few_words = max((rule.most_words for rule in rules if rule.most_words < NO_LIMIT), default=0)
        self._anywhere = self._those(lambda rule: not (rule.where or rule.marks))
        self._somewhere = [(1 << place, it) for place, it in enumerate(rules) if it.where or it.marks]
        self._marks = self._those(lambda rule: rule.marks)
        self._marked = [(1 << place, it.marks) for place, it in enumerate(rules) if it.marks]
        self._of = lru_cache(maxsize=4096)(self._in)

    @property
    def words(self) -> frozenset[bytes]:
        """Words any rule asks for."""
        return frozenset(self._words)

    def in_document(self, around: Surroundings) -> int:
        """The rules that can fire somewhere in a document."""
        allowed = self._anywhere
        for bit, rule in self._somewhere:
            if (rule.where is None or rule.where(around)) and _stands(rule.marks, around.text):
                allowed |= bit
        return allowed

    def of_chunk(self, view: View, allowed: int) -> Sequence[Rule]:
        """Those of the ``allowed`` rules that can fire on one chunk, in the order of their table."""
        chunk = view.chunk
        allowed &= (
            self._openers.get(view.first, self._any_opener)
            & self._endings.get(view.ending, self._any_ending)
            & self._kinds.get(view.first_kind, self._any_kind)
            & (self._for_notes if chunk.row_number is None else self._for_rows)
            & (self._saying(view) if view.vocabulary else self._wordless)
        )
        if chunk.word_count > self._few_words:
            allowed &= self._for_many_words
        if not view.cut:
            allowed &= self._for_whole_blocks
        if allowed & self._marks:
            allowed &= self._showing(view.text)
        return self._of(allowed) if allowed else ()

    def _saying(self, view: View) -> int:
        """The rules that find the words they ask for, each after what must stand before it."""
        allowed = self._wordless
        for word in view.vocabulary:
            if word in self._words:
                for bit, before in self._words[word]:
                    if not before or _stands_after(before, word, view.words):
                        allowed |= bit
        return allowed

    def _showing(self, text: str) -> int:
        """The rules that find the marks they ask for."""
        allowed = ~self._marks
        for bit, marks in self._marked:
            if _stands(marks, text):
                allowed |= bit
        return allowed

    def _those(self, allow: Callable[[Rule], object]) -> int:
        return sum(1 << place for place, rule in enumerate(self._rules) if allow(rule))

    def _in(self, allowed: int) -> tuple[Rule, ...]:
        return tuple(rule for place, rule in enumerate(self._rules) if allowed >> place & 1)


def _turned_round(asked: Sequence[Collection[str]]) -> tuple[dict[str, int], int]:
    """For each thing a rule asks for, the rules that allow it; and those that ask for nothing."""
    nothing = sum(1 << place for place, things in enumerate(asked) if not things)
    allowed: dict[str, int] = {}
    for place, things in enumerate(asked):
        for thing in things:
            allowed[thing] = allowed.get(thing, nothing) | 1 << place
    return allowed, nothing


def _by_word(rules: Sequence[Rule]) -> dict[bytes, list[tuple[int, frozenset[bytes]]]]:
    """For each word, the rules that ask for it, each with the words it must stand after."""
    found: dict[bytes, list[tuple[int, frozenset[bytes]]]] = {}
    for place, rule in enumerate(rules):
        for word, before in rule.words.items():
            found.setdefault(word.encode(), []).append((1 << place, frozenset(map(str.encode, before))))
    return found


def _stands(marks: Sequence[str], text: str) -> bool:
    """Whether one of ``marks`` stands in ``text``, or none is asked for."""
    for mark in marks:
        if mark[0] in text and mark in text:  # one character is found many times as fast as three
            return True
    return not marks


def _stands_after(before: frozenset[bytes], word: bytes, words: Sequence[bytes]) -> bool:
    """Whether ``word``, which is one of ``words``, stands right after one of ``before`` there."""
    place = -1
    for _ in range(words.count(word)):
        place = words.index(word, place + 1)
        if place and words[place - 1] in before:
            return True
    return False
