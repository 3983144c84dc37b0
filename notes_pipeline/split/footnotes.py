"""Footnotes that stand in another chunk than their mark: short ones are read with the mark.

Belongs here: finding definitions and marks. Stays out: definitions in the chunk (they are blocks of it).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from notes_pipeline.records import Block, Section

MOST_NOTE_WORDS = 60
"""A longer footnote is a text of its own."""

_MARK = re.compile(r"\[\^([^\]\s^]{1,60})\](?!:)")


class Footnotes:
    """The short footnotes of one document, by their label; false where there are none."""

    def __init__(self, text: str, sections: Sequence[Section]) -> None:
        self._text = text
        self._notes = dict(_notes(sections)) if "[^" in text else {}

    def __bool__(self) -> bool:
        return bool(self._notes)

    def missing(self, start: int, end: int, read: str) -> str:
        """``[label] words`` for each mark in ``text[start:end]`` whose note stands elsewhere, a line each.

        ``read`` is what is read of that stretch: a mark that is read is code, not a mark.
        """
        found: dict[str, str] = {}
        for match in _MARK.finditer(self._text, start, end):
            note = self._notes.get(match[1].casefold())
            if note is None or match[1] in found or start <= note[0] < end or match[0] in read:
                continue
            found[match[1]] = f"\n[{match[1]}] {note[1]}"
        return "\n" + "".join(found.values()) if found else ""


def _notes(sections: Sequence[Section]) -> list[tuple[str, tuple[int, str]]]:
    """Label, place and words of each short footnote."""
    notes = []
    for section in sections:
        blocks = section.blocks
        for index, block in enumerate(blocks):
            if block.kind == "footnote":
                inner = _inner(blocks, index)
                words = " ".join(part.plain.replace("\n", " ") for part in inner if part.plain)
                if words and sum(part.words for part in inner) <= MOST_NOTE_WORDS:
                    notes.append((block.info.casefold(), (block.start, words)))
    return notes


def _inner(blocks: Sequence[Block], index: int) -> list[Block]:
    inner = []
    for at in range(index + 1, len(blocks)):  # by place: an iterator would pass all blocks before it
        if blocks[at].depth <= blocks[index].depth:
            break
        inner.append(blocks[at])
    return inner
