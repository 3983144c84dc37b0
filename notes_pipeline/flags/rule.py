"""What a rule is: a name, a cheap test of whether it can fire, and a function that finds.

Belongs here: the shape of a rule. Stays out: what any rule looks for, and what follows from a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding

Find = Callable[[View], Iterator[Finding]]
"""Findings of one chunk: spans count in ``view.text``; a sentence says why it matters to a reader."""

NO_LIMIT = 1 << 60


class Rule(NamedTuple):
    """One row of the rule table; the tests beside ``find`` only save time, they never decide."""

    name: str
    find: Find
    openers: frozenset[str] = frozenset()
    """First words (lower case) with which the rule can fire; empty: any."""
    words: frozenset[str] = frozenset()
    """Words (lower case) one of which must stand in the text; empty: none needed."""
    most_words: int = NO_LIMIT
    """Words of a chunk beyond which the rule cannot fire."""
    mark: str = ""
    """A character that must stand in the text."""
    rows: bool = False
    """Looks at chunks made of rows; all other rules look at chunks of notes."""


def words(text: str) -> frozenset[str]:
    """The blank-separated words of ``text`` as a set."""
    return frozenset(text.split())
