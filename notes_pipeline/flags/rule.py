"""What a rule is: a name, cheap tests of whether it can fire, and a function that finds.

Belongs here: the shape of a rule. Stays out: what any rule looks for, and what follows from a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from notes_pipeline.flags.surroundings import Surroundings
from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding

Find = Callable[[View], Sequence[Finding]]
"""Findings of one chunk: spans count in ``view.text``; a sentence says why it matters to a reader."""

NO_LIMIT = 1 << 60


class Rule(NamedTuple):
    """One row of the rule table; the tests beside ``find`` only save time, they never decide."""

    name: str
    find: Find
    openers: frozenset[str] = frozenset()
    """First words (lower case) with which the rule can fire; empty: any."""
    endings: frozenset[str] = frozenset()
    """Last characters with which the rule can fire, closing marks left out; empty: any."""
    kinds: frozenset[str] = frozenset()
    """Kinds of the first block with which the rule can fire, "" where none is known; empty: any."""
    words: Mapping[str, frozenset[str]] = MappingProxyType({})
    """Words (lower case) one of which must stand in the text, each right after one of those given for it,
    if any are; empty: none needed."""
    marks: tuple[str, ...] = ()
    """What one of must stand in the text; empty: none needed."""
    most_words: int = NO_LIMIT
    """Words of a chunk beyond which the rule cannot fire."""
    cut: bool = False
    """Fires only where the chunk starts inside a block."""
    where: Callable[[Surroundings], object] | None = None
    """Whether the rule can fire in a document at all."""
    rows: bool = False
    """Looks at chunks made of rows; all other rules look at chunks of notes."""


def words(text: str) -> frozenset[str]:
    """The blank-separated words of ``text`` as a set."""
    return frozenset(text.split())


def after(before: str, text: str) -> dict[str, frozenset[str]]:
    """The words of ``text`` for the test of a rule: each right after one of the words ``before``, or any."""
    return dict.fromkeys(text.split(), words(before))
