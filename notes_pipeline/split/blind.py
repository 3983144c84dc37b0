"""The presets that cut without looking at blocks: windows of words under ``#`` headings, or of characters.

Belongs here: what is there to be measured against. Stays out: everything that keeps blocks whole.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from notes_pipeline.records import Section
from notes_pipeline.settings import Preset
from notes_pipeline.split.limits import Limits
from notes_pipeline.split.longtext import GRAPHEME, Room, Span, grapheme_floor, runs, words_floor
from notes_pipeline.split.pieces import NO_HEADING, Piece
from notes_pipeline.split.units import is_title
from notes_pipeline.words import count_words


def blind_pieces(text: str, sections: Sequence[Section], limits: Limits, preset: Preset) -> list[Piece]:
    """The pieces of a document under a preset whose unit is the word or the character."""
    if not sections:
        return []
    if preset.unit == "character":
        whole = _Stretch(0, len(sections), ())
        spans = _character_windows(text, sections[0].char_start, sections[-1].char_end, limits)
        return [_piece(sections, whole, span, path=None) for span in spans]
    return [
        _piece(sections, stretch, span, path=stretch.path)
        for stretch in _stretches(sections, preset)
        for span in _word_windows(text, sections, stretch, limits)
    ]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Sections ``first:last`` under one heading path."""

    first: int
    last: int
    path: tuple[str, ...]


def _stretches(sections: Sequence[Section], preset: Preset) -> Iterator[_Stretch]:
    """Sections between two headings that count, each stretch with the stack of those headings."""
    stack: list[tuple[int, str]] = []
    first = 0
    for index, section in enumerate(sections):
        if not section.level or (preset.headings == "atx" and section.kind != "atx"):
            continue
        if index > first:
            yield _Stretch(first, index, tuple(title for _, title in stack))
        while stack and stack[-1][0] >= section.level:
            stack.pop()
        if section.heading_path:
            stack.append((section.level, section.heading_path[-1]))
        first = index
    yield _Stretch(first, len(sections), tuple(title for _, title in stack))


def _word_windows(
    text: str, sections: Sequence[Section], stretch: _Stretch, limits: Limits
) -> Iterator[Span]:
    room = Room(min(limits.window, limits.hard), limits.characters)
    current: deque[Span] = deque()
    words = 0
    start, end = sections[stretch.first].char_start, sections[stretch.last - 1].char_end
    for run in runs(text, start, end, room):
        if current and (words + run.words > room.words or run.end - current[0].start > room.characters):
            yield Span(current[0].start, current[-1].end, words)
            shared = words * limits.overlap // limits.window
            while current and (
                not limits.overlap  # a sign alone is no word, and would be shared for nothing
                or words > shared
                or words + run.words > room.words
                or run.end - current[0].start > room.characters
            ):
                words -= current.popleft().words
        current.append(run)
        words += run.words
    if current:
        yield Span(current[0].start, current[-1].end, words)


def _character_windows(text: str, start: int, end: int, limits: Limits) -> list[Span]:
    spans: list[Span] = []
    position = start
    size = min(limits.window, limits.characters)
    step = size - size * limits.overlap // limits.window
    while position < end:
        stop, _ = words_floor(text, position, min(end, position + size), limits.hard)
        stop = _character_stop(text, position, stop, limits.characters)
        piece = text[position:stop]
        low = position + len(piece) - len(piece.lstrip())
        high = low + len(piece.strip())
        if high > low and (not spans or high > spans[-1].end):
            if spans and low <= spans[-1].start:
                spans.pop()
            spans.append(Span(low, high, count_words(text[low:high])))
        if stop >= end:
            break
        position = _character_stop(text, position, min(stop, position + step), stop - position)
    return spans


def _character_stop(text: str, start: int, stop: int, most: int) -> int:
    """``stop``, or where the cluster it would cut starts; one too long for a window stands in it alone."""
    floor = grapheme_floor(text, start, stop)
    cluster = GRAPHEME.match(text, start)
    whole = cluster.end() if cluster else stop
    return whole if floor < whole <= start + most else floor


def _piece(sections: Sequence[Section], stretch: _Stretch, span: Span, path: tuple[str, ...] | None) -> Piece:
    section = _section_at(sections, stretch, span.start)
    last = _section_at(sections, stretch, span.end - 1)
    block = bisect_right(sections[section].blocks, span.start, key=lambda b: b.start) - 1
    inside = [s for s in sections[section : last + 1] if s.level and span.start <= s.char_start < span.end]
    headings = sum(b.words for s in inside for b in s.blocks[:1] if is_title(b))
    own = sections[section].heading_path if path is None else path
    return Piece(
        start=span.start,
        end=span.end,
        words=max(0, span.words - headings),
        section=section,
        block=max(0, block),
        last=last,
        path=own,
        level=min((s.level for s in inside), default=NO_HEADING),
        parent=own[:-1] if own else None,
        is_sub_split=span.start > sections[stretch.first].char_start
        or span.end < sections[stretch.last - 1].char_end,
    )


def _section_at(sections: Sequence[Section], stretch: _Stretch, offset: int) -> int:
    return bisect_right(sections, offset, stretch.first, stretch.last, key=lambda s: s.char_start) - 1
