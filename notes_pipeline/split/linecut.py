"""Cuts what is made of lines (code, math, HTML, link definitions) between lines, at blank ones first.

Belongs here: borders between lines, and that neither an opening nor a closing fence line stands
alone. Stays out: cutting inside a line (``longtext``).
"""

from __future__ import annotations

import re

from notes_pipeline.split.longtext import Room, Span, cut_text
from notes_pipeline.words import count_words

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")


def cut_lines(text: str, start: int, end: int, room: Room, kind: str) -> list[Span]:
    """Pieces of ``text[start:end]`` within ``room``, cut after blank lines where there are any."""
    pieces: list[Span] = []
    current: list[Span] = []
    words = 0
    for line in _lines(text, start, end, room, fenced=kind == "fence"):
        while current and (words + line.words > room.words or line.end - current[0].start > room.characters):
            kept = _best_break(text, [*current, line])
            pieces.append(_join(current[:kept]))
            current = current[kept:]
            words = sum(part.words for part in current)
        if current or line.end > line.start:
            current.append(line)
            words += line.words
    if current:
        pieces.append(_join(current))
    return [piece for piece in pieces if piece.end > piece.start]


def _join(lines: list[Span]) -> Span:
    full = [line for line in lines if line.end > line.start]
    if not full:
        return Span(lines[0].start, lines[0].start, 0)
    return Span(full[0].start, full[-1].end, sum(line.words for line in full))


def _best_break(text: str, lines: list[Span]) -> int:
    """How many lines make the next piece; the last of ``lines`` is the first that did not fit.

    Rather after a blank line than not, rather before a line with little indentation, rather late.
    """
    last = len(lines) - 1
    return min(
        range(last, max(0, last // 2 - 1), -1),
        key=lambda kept: (
            lines[kept - 1].start < lines[kept - 1].end,
            _indentation(text, lines[kept]),
            -kept,
        ),
    )


def _indentation(text: str, line: Span) -> int:
    source = text[line.start : min(line.end, line.start + 80)]
    return len(source) - len(source.lstrip(" \t>"))


def _lines(text: str, start: int, end: int, room: Room, *, fenced: bool) -> list[Span]:
    """Lines as spans without their breaks; blank ones are empty; over-long ones are cut inside."""
    spans = []
    for match in _LINE.finditer(text, start, end):
        if match.end() == match.start():
            break
        stripped = match.group().rstrip()
        stop = match.start() + len(stripped)
        spans.append(
            Span(match.start(), stop, count_words(stripped) if len(stripped) <= room.characters else 0)
        )
    if fenced and len(spans) > 2:
        spans = _with_neighbour(spans)
    return [part for span in spans for part in _cut(text, span, room)]


def _with_neighbour(spans: list[Span]) -> list[Span]:
    """The first line joined to the second, the last to the one before: a fence mark says nothing alone."""
    spans[0:2] = [Span(spans[0].start, spans[1].end or spans[0].end, spans[0].words + spans[1].words)]
    if len(spans) > 1:
        spans[-2:] = [Span(spans[-2].start, spans[-1].end, spans[-2].words + spans[-1].words)]
    return spans


def _cut(text: str, span: Span, room: Room) -> list[Span]:
    if span.end - span.start <= room.characters and span.words <= room.words:
        return [span]
    return cut_text(text, span.start, span.end, room)
