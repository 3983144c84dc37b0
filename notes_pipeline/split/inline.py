"""Inline Markdown without its block: titles found by patterns, text inside HTML.

Belongs here: running the parser over one small piece. Stays out: documents.
"""

from __future__ import annotations

import re

import pyromark

from notes_pipeline.split.dollars import DOLLAR, hidden_dollars, shown_dollars
from notes_pipeline.split.plain import KEPT, reading_text
from notes_pipeline.words import count_words

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_MATH
)
"""The one flavour the house reads; metadata blocks are never enabled: the parser takes them anywhere."""

_AS_WRITTEN = (("Code", ""), ("InlineMath", "$"), ("DisplayMath", "$$"))
"""What is not looked into, and the marks that stay around it."""
_MARKUP = re.compile(r"[\\`*_\[\]{}<>&~=^%$!(]")


def inline_text(source: str) -> str:
    """The reading text of a piece of inline Markdown."""
    if not _MARKUP.search(source):
        return source.strip()
    source = source.replace(DOLLAR, " ")
    pieces: list[str] = []
    kept: list[str] = []
    # A word in front keeps "1." or "#" at the start from being read as a list or a heading.
    for event in pyromark.events("x " + hidden_dollars(source.strip()), options=OPTIONS):
        if isinstance(event, str):
            pieces.append(" ")
            continue
        if "Text" in event:
            pieces.append(event["Text"])
        for key, mark in _AS_WRITTEN:
            if key in event:
                pieces.append(KEPT)
                kept.append(f"{mark}{event[key]}{mark}")
    return shown_dollars(reading_text("".join(pieces)[2:], kept))


def plain_words(source: str) -> int:
    """Words of a piece of a block's source as they are read: markup and link targets do not count."""
    return min(count_words(inline_text(source)), count_words(source))
