"""Units that wait for sentence ends get them, all of a document in one batch, and only where needed.

Belongs here: asking the sentence room, and turning its ends into units with words. Stays out: how
a sentence end is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from notes_pipeline.settings import Settings
from notes_pipeline.split.expand import Expansion
from notes_pipeline.split.inline import plain_words
from notes_pipeline.split.limits import Limits
from notes_pipeline.split.longtext import Room, cut_text
from notes_pipeline.split.units import Unit


def resolve(
    expansions: Sequence[Expansion], text: str, limits: Limits, settings: Settings
) -> list[list[Unit]]:
    """The final units of each expansion; asks for sentences once, and not at all where none are needed."""
    asked = [
        expansion.units[index]
        for expansion in expansions
        for index in (*expansion.waiting, *expansion.counting)
    ]
    answers = iter(_sentence_ends([text[unit.start : unit.end] for unit in asked], settings))
    resolved = []
    for expansion in expansions:
        waiting = {index: next(answers) for index in expansion.waiting}
        for index in expansion.counting:
            expansion.units[index].weight = len(next(answers))
        resolved.append(_cut_waiting(expansion.units, waiting, text, limits))
    return resolved


def _sentence_ends(slices: list[str], settings: Settings) -> list[list[int]]:
    if not slices:
        return []
    # Imported where it is needed: most builds of short notes never cut a sentence.
    from notes_pipeline.split.sentences import sentence_ends

    return sentence_ends(slices, settings)


def _cut_waiting(
    units: Sequence[Unit], waiting: dict[int, list[int]], text: str, limits: Limits
) -> list[Unit]:
    resolved: list[Unit] = []
    for index, unit in enumerate(units):
        if index in waiting:
            taken = _heading_before(units, index, limits.characters // 2)
            resolved.extend(_sentences(unit, waiting[index], text, limits, taken))
        else:
            resolved.append(unit)
    return resolved


def _heading_before(units: Sequence[Unit], index: int, most: int) -> int:
    """Characters, up to ``most``, of the headings that stand before a unit and must stay with it.

    What stands farther away is shed when the units are packed: a body has half a chunk at least.
    """
    start = units[index].start
    taken = 0
    for at in range(index - 1, -1, -1):
        unit = units[at]
        if not (unit.kind == "heading" or unit.weak) or start - unit.start > most:
            break
        taken = start - unit.start
    return taken


def _sentences(unit: Unit, ends: Iterable[int], text: str, limits: Limits, taken: int) -> list[Unit]:
    made: list[Unit] = []
    position = unit.start
    for end in ends:
        stop = unit.start + end
        start = _after_blanks(text, position, stop)
        if start < stop:
            made.extend(_within_limits(unit, start, stop, text, limits, taken if not made else 0))
        position = stop
    if not made:
        return [unit]
    made[-1].end = unit.end if made[-1].end < unit.end else made[-1].end
    return made


def _within_limits(unit: Unit, start: int, end: int, text: str, limits: Limits, taken: int) -> list[Unit]:
    words = plain_words(text[start:end]) if end - start <= limits.characters else limits.hard + 1
    if words <= limits.hard and end - start + taken <= limits.characters:
        return [_part(unit, start, end, words, unit.cut)]
    room = Room(limits.soft, max(1, limits.characters - taken))
    cut = unit.cut or "sentence"
    return [_part(unit, s, e, plain_words(text[s:e]), cut) for s, e, _ in cut_text(text, start, end, room)]


def _part(unit: Unit, start: int, end: int, words: int, cut: str) -> Unit:
    depth = unit.depth + (start > unit.start)
    return Unit(start, end, words, unit.kind, unit.block, depth, cut=cut, weak=unit.weak)


def _after_blanks(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
