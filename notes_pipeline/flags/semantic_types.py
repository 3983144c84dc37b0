"""What kind of thing a chunk says: a definition, a procedure, a cause, a table.

Belongs here: the ordered table of types and the words that show each. A chunk has one type, the first
that fits; what is only code or a table is that before its words are read. Domain-free: no type hangs
on the subject of the notes. ``general`` is what nothing fits, and the report warns when it passes 30 %.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from notes_pipeline.flags.rule import words
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

_RANK = {name: rank for rank, (name, _) in enumerate(SIGNS)}
_NO_RANK = len(SIGNS)
_BY_BLOCK = {"fence": "code", "table": "table"}
_YEARS = frozenset(str(year) for year in range(1000, 2100))
_PERCENT = re.compile(r"\d\s?%")
_AUXILIARY = words("is are was were has have had can will does")


def _rarest(phrase: str) -> str:
    """The longest word of a phrase: the one that is looked up."""
    return max(phrase.split(), key=len)


def _index(signs: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, tuple[tuple[int, str], ...]]:
    """Word -> ranks it shows, each with the phrase that must hold (empty: the word is enough)."""
    index: dict[str, list[tuple[int, str]]] = {}
    for name, phrases in signs:
        for phrase in phrases:
            word = _rarest(phrase)
            index.setdefault(word, []).append((_RANK[name], "" if word == phrase else f" {phrase} "))
    return {word: tuple(sorted(entries)) for word, entries in index.items()}


_INDEX = _index(SIGNS)
_INDEXED = frozenset(_INDEX)
ASKED = _INDEXED | _YEARS | _AUXILIARY
"""Words that show a type."""


def semantic_type(view: View) -> str:
    """The first type of the table whose signs the chunk shows."""
    kinds = {block.kind for block in view.blocks}
    only = next(iter(kinds)) if len(kinds) == 1 else ""
    if only in _BY_BLOCK:
        return _BY_BLOCK[only]
    rank = _rank(view)
    if rank < _NO_RANK:
        return SIGNS[rank][0]
    if only == "list":
        return "list"
    if view.is_row:
        return FACTUAL  # a name and its labelled values state something
    return GENERAL if view.vocabulary.isdisjoint(_AUXILIARY) else FACTUAL


def _rank(view: View) -> int:
    """The place of the first type the chunk shows; what cannot come first is not looked for."""
    best = _NO_RANK
    if "%" in view.text and _PERCENT.search(view.text, view.body):
        best = _RANK["statistical"]
    if best > _RANK["timeline"] and len(view.vocabulary & _YEARS) > 1:
        best = _RANK["timeline"]
    if best > _RANK["quote_or_source"] and "quote" in (view.first_kind, view.last_kind):
        best = _RANK["quote_or_source"]
    line = ""
    for word in view.vocabulary & _INDEXED:
        for rank, phrase in _INDEX[word]:
            if rank >= best:
                break
            if phrase and not line:
                line = f" {' '.join(view.words)} "
            if phrase in line:
                best = rank
                break
    return best
