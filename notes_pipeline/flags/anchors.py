"""What ties a chunk to a thing and a time: names, numbers, years, spelled-out abbreviations.

Belongs here: rules about the lack of such ties. Stays out: rules about one referring word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from notes_pipeline.flags.rule import words
from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding

POINTING = words("it its they them their he him his she her this that these those")
_ANCHOR = re.compile(r"[a-z,;] (?!I\b)[A-Z]|\d\d|https?:")
_CODE_OR_LINK = ("`", "[", "$")
_RELATIVE_TIME = re.compile(
    r"\b(?=[crnlat])(?:currently|recently|nowadays|lately|at\s+present|(?:last|this|next)\s+(?:year|month|week)|these\s+days)\b",
    re.IGNORECASE,
)
TIME_WORDS = words("currently recently nowadays lately present year month week days")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_FEWEST_WORDS = 12
_DENSITY = 0.04


def no_anchor(view: View) -> Iterator[Finding]:
    """Several pointing words; no name, number, code, link or title says what they point at."""
    if view.chunk.word_count < _FEWEST_WORDS or view.headings:
        return
    if any(mark in view.text for mark in _CODE_OR_LINK) or _ANCHOR.search(view.text, view.start + 1):
        return
    pointing = [word for word in view.words if word in POINTING]
    if len(pointing) >= 2 and len(pointing) > _DENSITY * view.chunk.word_count:
        start = max(0, view.lower.find(pointing[0], view.body))
        note = f"{len(pointing)} pointing words, and no name, number or title says what they mean"
        yield Finding("no_anchor", start, start + len(pointing[0]), note)


def relative_time(view: View) -> Iterator[Finding]:
    """A time relative to the day of writing, and no year."""
    match = _RELATIVE_TIME.search(view.text, view.body)
    if match and not _YEAR.search(view.text) and not _YEAR.search(view.headings):
        note = f"{match.group()!r} with no year in the chunk or its headings"
        yield Finding("relative_time", match.start(), match.end(), note)


def undefined_acronym(view: View) -> Iterator[Finding]:
    """An abbreviation this note spells out, but not in this chunk; the note carries the long form."""
    for short, long in view.context.expansions.items():
        place = view.text.find(short, view.body)
        if place < 0 or long.lower() in view.lower or long.lower() in view.headings:
            continue
        if re.match(rf"\b{short}s?\b", view.text[place:]) and not view.text[place - 1 : place].isalnum():
            note = f"spelled out elsewhere in this note: {long}"
            yield Finding("undefined_acronym", place, place + len(short), note)
