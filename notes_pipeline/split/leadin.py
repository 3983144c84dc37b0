"""Which unit points forward: a lead-in stays with the list, code or paragraph it introduces.

Belongs here: the marks of a lead-in, and the glue between units. Stays out: packing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from notes_pipeline.records import Block
from notes_pipeline.split.units import Unit

_CLOSERS = " \t*_\"'”’»)~="
_NAMED = re.compile(r"(?:^|[\s:]):[\w+-]+:$")
"""The end of a drawer (``:END:``), or an emoji by its name: nothing follows from it."""
_PHRASE = re.compile(
    r"(?:the following\b|here (?:is|are)\b|here['’]s\b|below (?:is|are)\b|for example\b)", re.IGNORECASE
)
_PHRASE_WORDS = 30
"""A longer paragraph that opens with such a phrase says something of its own."""
_LEADING = frozenset({"paragraph", "item", "heading"})
_SHOWN = frozenset({"list", "item", "table", "fence", "quote", "math", "html"})


def ends_open(source: str) -> bool:
    """Whether a piece of text ends with a colon that points at what follows.

    >>> ends_open("Bring **two things:**"), ends_open("Done.")
    (True, False)
    """
    tail = source[-40:].rstrip().rstrip(_CLOSERS)
    return tail.endswith((":", "：")) and not _NAMED.search(tail)


def glue(units: Sequence[Unit], blocks: Sequence[Block], text: str) -> None:
    """Mark every unit that must stay with the next; weak units go with the one before them.

    What leads on (a heading, a lead-in, an opening tag, a parent item) does so through any weak
    units that follow it.
    """
    leading = True  # weak units at the start go with the first that says something
    for unit, following in pairwise(units):
        if _opens(unit, text):
            leading = True
        elif not unit.weak:
            leading = unit.glue or _leads(unit, following, blocks, text)
        unit.glue = leading or (following.weak and not _opens(following, text))


def _opens(unit: Unit, text: str) -> bool:
    """Whether a unit without words is an opening tag, which belongs to what it opens."""
    return unit.weak and unit.kind in ("html", "paragraph") and not text.startswith("</", unit.start)


def _leads(unit: Unit, following: Unit, blocks: Sequence[Block], text: str) -> bool:
    if unit.kind not in _LEADING:
        return False
    if unit.kind == "heading":
        return True
    if ends_open(text[max(unit.start, unit.end - 60) : unit.end]):
        return True
    if unit.words > _PHRASE_WORDS or unit.kind != "paragraph" or following.kind not in _SHOWN:
        return False
    return bool(_PHRASE.match(blocks[unit.block].plain))
