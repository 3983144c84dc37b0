"""What kind of thing a chunk says: a definition, a procedure, a cause, a table.

Belongs here: the ordered table of types and the words that show each. A chunk has one type, the first
that fits; what is only code or a table is that before its words are read. Domain-free: no type hangs
on the subject of the notes. ``general`` is what nothing fits, and the report warns when it passes 30 %.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from notes_pipeline.flags.view import View

SIGNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "definition",
        (
            "is defined as",
            "are defined as",
            "defined as",
            "means",
            "refers to",
            "refer to",
            "is known as",
            "are known as",
            "is called",
            "are called",
            "stands for",
            "denotes",
        ),
    ),
    ("quote_or_source", ("as per", "according to", "quoted in", "quoted from")),
    ("timeline", ()),
    (
        "comparison",
        (
            "whereas",
            "unlike",
            "versus",
            "vs",
            "differs",
            "difference between",
            "compared to",
            "compared with",
            "in contrast",
            "on the other hand",
        ),
    ),
    (
        "procedural",
        (
            "step",
            "steps",
            "click",
            "install",
            "configure",
            "how to",
            "make sure",
            "you need to",
            "press",
            "run the",
            "firstly",
        ),
    ),
    (
        "biographical",
        ("was born", "born in", "born on", "died in", "his life", "her life", "graduated from", "biography"),
    ),
    (
        "legal_policy",
        (
            "act",
            "law",
            "laws",
            "court",
            "constitution",
            "policy",
            "regulation",
            "statute",
            "clause",
            "legislation",
            "ordinance",
            "article",
        ),
    ),
    (
        "historical_event",
        ("war", "battle", "revolution", "treaty", "empire", "dynasty", "century", "invasion", "independence"),
    ),
    (
        "causal",
        (
            "because",
            "therefore",
            "hence",
            "causes",
            "caused by",
            "consequently",
            "due to",
            "leads to",
            "led to",
            "results in",
            "as a result",
        ),
    ),
    ("statistical", ("percent", "percentage", "million", "billion", "lakh", "crore", "average", "median")),
    (
        "geographic",
        (
            "river",
            "rivers",
            "mountain",
            "mountains",
            "island",
            "islands",
            "ocean",
            "sea",
            "lake",
            "desert",
            "plateau",
            "latitude",
        ),
    ),
    ("example", ("for example", "for instance", "e g", "such as", "example")),
    (
        "analytical",
        (
            "however",
            "although",
            "analysis",
            "implication",
            "implications",
            "argues",
            "suggests",
            "critique",
            "significance",
            "it is important",
        ),
    ),
)
"""Types in order, with the words and phrases that show each; ``timeline`` is shown by two years."""

STRUCTURAL = ("code", "table", "list")
GENERAL, FACTUAL = "general", "factual"
TYPES = (*(name for name, _ in SIGNS), *STRUCTURAL, FACTUAL, GENERAL)
"""Every type there is."""

_NO_RANK = len(SIGNS)
_STATISTICAL, _TIMELINE, _QUOTED = map(TYPES.index, ("statistical", "timeline", "quote_or_source"))
_ALONE = {"fence": "code", "table": "table", "list": "list"}
"""Kinds of block that, alone in a chunk, make a type of their own."""
_YEARS = frozenset(str(year).encode() for year in range(1000, 2100))
_PERCENT = re.compile(r"\d\s?%")
_AUXILIARY = frozenset(b"is are was were has have had can will does".split())


def _rarest(phrase: str) -> bytes:
    """The word of a phrase that is looked up: the longest, of several the last (make *sure*, e *g*)."""
    return max(reversed(phrase.split()), key=len).encode()


def _by_rarest(signs: Sequence[tuple[int, str]]) -> dict[bytes, list[tuple[int, bytes]]]:
    """Rarest word of a phrase -> the ranks it may show, in order, each with the whole phrase."""
    found: dict[bytes, list[tuple[int, bytes]]] = {}
    for rank, phrase in signs:
        found.setdefault(_rarest(phrase), []).append((rank, f" {phrase} ".encode()))
    return found


_SIGNS = [(rank, sign) for rank, (_, signs) in enumerate(SIGNS) for sign in signs]
_WORDS = {sign.encode(): rank for rank, sign in _SIGNS if " " not in sign}
_PHRASES = _by_rarest([(rank, sign) for rank, sign in _SIGNS if " " in sign])
ASKED = _YEARS.union(_WORDS, _PHRASES)
"""Words that show a type, alone or in a phrase."""


def semantic_type(view: View) -> str:
    """The first type of the table whose signs the chunk shows."""
    blocks = view.blocks
    first = blocks[0].kind if blocks else ""
    only = first in _ALONE and (len(blocks) == 1 or all(block.kind == first for block in blocks))
    if only and first != "list":
        return _ALONE[first]
    rank = _rank(view)
    if rank < _NO_RANK:
        return SIGNS[rank][0]
    if only:
        return "list"
    if view.chunk.row_number is not None:
        return FACTUAL  # a name and its labelled values state something
    return GENERAL if _AUXILIARY.isdisjoint(view.words) else FACTUAL


def _rank(view: View) -> int:
    """The place of the first type the chunk shows; what cannot come first is not looked for."""
    best, vocabulary = _NO_RANK, view.vocabulary
    if "%" in view.text and _PERCENT.search(view.text, view.body):
        best = _STATISTICAL
    if vocabulary:
        for word in vocabulary:
            if word in _WORDS and _WORDS[word] < best:
                best = _WORDS[word]
        if best > _TIMELINE and len(vocabulary & _YEARS) > 1:
            best = _TIMELINE
    if best > _QUOTED and "quote" in (view.first_kind, view.last_kind):
        best = _QUOTED
    return _first_phrase(view, best) if vocabulary else best


def _first_phrase(view: View, best: int) -> int:
    """The lowest rank below ``best`` that a phrase shows, else ``best``."""
    line = b""
    for word in view.vocabulary:
        for rank, phrase in _PHRASES.get(word, ()):
            if rank >= best:
                break
            line = line or b" %b " % b" ".join(view.words)
            if phrase in line:
                best = rank
                break
    return best
