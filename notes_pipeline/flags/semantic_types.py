"""What kind of thing a chunk says: a definition, a procedure, a cause, a table.

Belongs here: the ordered table of types and the words that show each. A chunk has one type, the first
that fits; what is only code, a table or a list is that before its words are read. Domain-free: no
type hangs on the subject of the notes. ``general`` is what nothing fits, and the report warns when it
passes 30 %.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from notes_pipeline.flags.rule import words
from notes_pipeline.flags.view import View

GENERAL = "general"


class Sign(NamedTuple):
    """Words, phrases or a pattern that show a type; any one is enough."""

    words: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    times: int = 1
    """How often the pattern must match."""


_BY_BLOCK = {"fence": "code", "table": "table", "list": "list"}
_DATE = re.compile(
    r"\b(?:1[0-9]|20)\d\d\b|\b\d{1,2}\s+(?:January|February|March|April|May|June|July|August|September|October|"
    r"November|December)\b|\b\d{1,4} (?:BCE?|AD|CE)\b"
)
SIGNS: tuple[tuple[str, Sign], ...] = (
    (
        "definition",
        Sign(
            phrases=(
                " means ",
                " refers to ",
                " is defined as ",
                " are defined as ",
                " is known as ",
                " are known as ",
                " is called ",
                " are called ",
                " stands for ",
                " denotes ",
            )
        ),
    ),
    ("quote_or_source", Sign(phrases=("as per ", "according to ", "\n> ", "quoted in"))),
    (
        "procedural",
        Sign(
            words("step steps click install run configure select enter download press open"),
            ("how to ", "first, ", "in order to ", "make sure ", "you can ", "you need to "),
        ),
    ),
    (
        "biographical",
        Sign(
            words("born biography educated"),
            (" was born", " died in ", "his life", "her life", "graduated from"),
        ),
    ),
    (
        "legal_policy",
        Sign(
            words(
                "act law laws court constitution policy regulation"
                " statute clause amendment ministry legislation"
            ),
            ("article ",),
        ),
    ),
    (
        "historical_event",
        Sign(words("war battle revolution treaty empire dynasty century centuries independence invasion")),
    ),
    ("timeline", Sign(pattern=_DATE, times=2)),
    (
        "comparison",
        Sign(
            words("whereas unlike versus vs compared contrast differs"),
            ("difference between", "compared to", "in contrast", "rather than", "on the other hand"),
        ),
    ),
    (
        "causal",
        Sign(
            words("because therefore hence causes caused cause consequently"),
            ("due to ", "leads to ", "led to ", "results in", "as a result", "so that "),
        ),
    ),
    (
        "statistical",
        Sign(
            words("percent percentage million billion lakh crore average median ratio"),
            pattern=re.compile(r"\d\s?%"),
        ),
    ),
    (
        "geographic",
        Sign(
            words(
                "river rivers mountain mountains island islands ocean sea lake desert"
                " plateau border latitude region"
            )
        ),
    ),
    (
        "example",
        Sign(phrases=("for example", "for instance", "e.g.", "such as ", "an example")),
    ),
    (
        "analytical",
        Sign(
            words(
                "however although analysis significance implication argues suggests"
                " evaluate challenges critique"
            ),
            ("it is important", "this shows", "this means"),
        ),
    ),
)
_AUXILIARY = words("is are was were has have had can will does")


def semantic_type(view: View) -> str:
    """The first type of the table whose signs the chunk shows."""
    kinds = {block.kind for block in view.blocks}
    only = next(iter(kinds)) if len(kinds) == 1 else ""
    if only in ("fence", "table"):
        return _BY_BLOCK[only]
    body = view.lower
    for name, sign in SIGNS:
        if _shown(sign, view, body):
            return name
    if only == "list":
        return _BY_BLOCK[only]
    return GENERAL if view.vocabulary.isdisjoint(_AUXILIARY) else "factual"


def _shown(sign: Sign, view: View, body: str) -> bool:
    if sign.words and not sign.words.isdisjoint(view.vocabulary):
        return True
    for phrase in sign.phrases:
        if phrase in body:
            return True
    if sign.pattern is None:
        return False
    found = sign.pattern.finditer(view.text, view.body)
    return sum(1 for _ in zip(range(sign.times), found, strict=False)) == sign.times
