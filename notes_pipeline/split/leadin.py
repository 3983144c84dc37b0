"""Which unit points forward: a lead-in stays with the list, code or paragraph it introduces.

Belongs here: the marks of a lead-in, and the glue between units. Stays out: packing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from notes_pipeline.records import Block
from notes_pipeline.split.units import Unit

_CLOSERS = " \t*_\"'”’»)~="
_SHORTCODE = re.compile(r":[\w+-]+:$")
_PHRASE = re.compile(
    r"(?:the following\b|here (?:is|are)\b|here['’]s\b|below (?:is|are)\b|for example\b)", re.IGNORECASE
)
_PHRASE_WORDS = 30
"""A longer paragraph that opens with such a phrase says something of its own."""
_LEADING = frozenset({"paragraph", "item", "heading"})
_SHOWN = frozenset({"list", "item", "table", "fence", "quote", "math", "html"})


def ends_open(source: str) -> bool:
    """Whether a piece of text ends with a colon that points at what follows.

    >>> ends_open("Bring **two things:**"), ends_open("a smile :wave:"), ends_open("Done.")
    (True, False, False)
    """
    tail = source[-40:].rstrip().rstrip(_CLOSERS)
    return tail.endswith((":", "：")) and not _SHORTCODE.search(tail)


def glue(units: Sequence[Unit], blocks: Sequence[Block], text: str) -> None:
    """Mark every unit that must stay with the next; weak units go with the one before them."""
    for index in range(len(units) - 1):
        unit, following = units[index], units[index + 1]
        if unit.glue:
            continue
        if unit.weak:
            unit.glue = index == 0 or (units[index - 1].glue and not _has_body(units, index - 1))
            # Between a lead-in and its list a comment or a rule keeps them together.
            unit.glue = unit.glue or _leads(units[index - 1], following, blocks, text)
        else:
            unit.glue = following.weak or _leads(unit, following, blocks, text)


def _has_body(units: Sequence[Unit], index: int) -> bool:
    return not units[index].weak and units[index].kind != "heading"


def _leads(unit: Unit, following: Unit, blocks: Sequence[Block], text: str) -> bool:
    if unit.kind not in _LEADING:
        return False
    if ends_open(text[max(unit.start, unit.end - 60) : unit.end]):
        return True
    if unit.words > _PHRASE_WORDS or unit.kind != "paragraph" or following.kind not in _SHOWN:
        return False
    return bool(_PHRASE.match(blocks[unit.block].plain))
