"""What ties a chunk to a thing and a time: names, numbers, years, spelled-out abbreviations.

Belongs here: rules about the lack of such ties. Stays out: rules about one referring word.
"""

from __future__ import annotations

import re

from notes_pipeline.flags.rule import after, words
from notes_pipeline.flags.surroundings import Surroundings
from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding

_POINTING = words("it its they them their he him his she her this that these those")
_ANCHOR = re.compile(r"[a-z,;] (?!I\b)[A-Z]|\d\d|https?:")
_CODE_OR_LINK = ("`", "[", "$")
_RELATIVE_TIME = re.compile(
    r"\b(?=[crnlat])(?:currently|recently|nowadays|lately|at\s+present|(?:last|this|next)\s+(?:year|month|week)|these\s+days)\b",
    re.IGNORECASE,
)
TIME_WORDS = {
    **after("", "currently recently nowadays lately"),
    **after("last this next", "year month week"),
    **after("at", "present"),
    **after("these", "days"),
}
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_FEWEST_WORDS = 12
_DENSITY = 0.04


def is_untitled(around: Surroundings) -> bool:
    """Whether a chunk of the document can stand under no title at all."""
    return not around.document.title.strip()


def no_anchor(view: View) -> list[Finding]:
    """Several pointing words; no name, number, code, link or title says what they point at."""
    if view.chunk.word_count < _FEWEST_WORDS or view.headings:
        return []
    if any(mark in view.text for mark in _CODE_OR_LINK) or _ANCHOR.search(view.text, view.start + 1):
        return []
    pointing = [word for word in map(bytes.decode, view.words) if word in _POINTING]
    if len(pointing) >= 2 and len(pointing) > _DENSITY * view.chunk.word_count:
        start = max(0, view.lower.find(pointing[0], view.body))
        note = f"{len(pointing)} pointing words, and no name, number or title says what they mean"
        return [Finding("no_anchor", start, start + len(pointing[0]), note)]
    return []


def relative_time(view: View) -> list[Finding]:
    """A time relative to the day of writing, and no year."""
    match = _RELATIVE_TIME.search(view.text, view.body)
    if match and not _YEAR.search(view.text) and not _YEAR.search(view.headings):
        note = f"{match.group()!r} with no year in the chunk or its headings"
        return [Finding("relative_time", match.start(), match.end(), note)]
    return []


def spells_out(around: Surroundings) -> bool:
    """Whether the document spells out an abbreviation."""
    return bool(around.expansions)


def undefined_acronym(view: View) -> list[Finding]:
    """An abbreviation this note spells out, but not in this chunk; the note carries the long form."""
    found = []
    for short, long in view.around.expansions.items():
        place = view.text.find(short, view.body)
        if place < 0 or long.lower() in view.lower or long.lower() in view.headings:
            continue
        if re.match(rf"\b{short}s?\b", view.text[place:]) and not view.text[place - 1 : place].isalnum():
            note = f"spelled out elsewhere in this note: {long}"
            found.append(Finding("undefined_acronym", place, place + len(short), note))
    return found
