"""Cuts a text that no sentence end can cut small enough: a giant sentence, a line without blanks.

Belongs here: the ladder of ever poorer borders (clause marks, blanks, the marks of scripts
written without blanks, then between any two grapheme clusters), in linear time. Stays out:
sentences, blocks, and what a limit is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import regex

from notes_pipeline.words import count_words

_RUN = re.compile(r"\S+")
_WORD = re.compile(r"[^\W_]+")
GRAPHEME = regex.compile(r"\X")
_CLAUSE_MARKS = frozenset(";,:–—，、；：")
_CLOSERS = "\"'”’»)]}*_`"
# Best border first, for text without blanks: sentence marks, clause marks, any mark at all.
_INNER_MARKS = (
    re.compile("[。！？．!?…।॥။።؟۔]+[」』）”’\"')]*"),
    re.compile("[，、；：,;:–—]+"),
    re.compile(r"[\W_]+"),
)


class Span(NamedTuple):
    """A piece of a text with its words; blanks at its ends belong to no piece."""

    start: int
    end: int
    words: int


class Room(NamedTuple):
    """What a piece may hold: words and characters."""

    words: int
    characters: int


def cut_text(text: str, start: int, end: int, room: Room) -> list[Span]:
    """Pieces of ``text[start:end]``, each within ``room``, cut at the best border there is.

    Words stay whole unless one alone is over the room; grapheme clusters likewise.
    """
    pieces: list[Span] = []
    current: list[Span] = []
    words = 0
    for run in runs(text, start, end, room):
        while current and (words + run.words > room.words or run.end - current[0].start > room.characters):
            kept = _best_break(text, current)
            pieces.append(_join(current[:kept]))
            current = current[kept:]
            words = sum(span.words for span in current)
        current.append(run)
        words += run.words
    if current:
        pieces.append(_join(current))
    return pieces


def _join(runs: list[Span]) -> Span:
    return Span(runs[0].start, runs[-1].end, sum(run.words for run in runs))


def _best_break(text: str, runs: list[Span]) -> int:
    """How many of ``runs`` make the next piece: up to a clause mark in the second half, or all."""
    for kept in range(len(runs), len(runs) // 2, -1):
        end = runs[kept - 1].end
        tail = text[max(runs[kept - 1].start, end - 4) : end].rstrip(_CLOSERS)
        if tail and tail[-1] in _CLAUSE_MARKS:
            return kept
    return len(runs)


def runs(text: str, start: int, end: int, room: Room) -> Iterator[Span]:
    """Runs without blanks, the ones over ``room`` already cut inside."""
    for match in _RUN.finditer(text, start, end):
        run_start, run_end = match.span()
        words = count_words(match.group()) if run_end - run_start <= room.characters else room.words + 1
        if words <= room.words:
            yield Span(run_start, run_end, words)
        else:
            yield from _inside(text, run_start, run_end, room)


def _inside(text: str, start: int, end: int, room: Room) -> Iterator[Span]:
    while start < end:
        limit, words = words_floor(text, start, min(end, start + room.characters), room.words)
        stop = limit if limit == end else _inner_border(text, start, limit)
        yield Span(start, stop, words if stop == limit else count_words(text[start:stop]))
        start = stop


def words_floor(text: str, start: int, limit: int, most: int) -> tuple[int, int]:
    """``limit`` or an earlier place, with at most ``most`` words between ``start`` and it; and how many."""
    words = count_words(text[start:limit])
    if words > most:
        limit = _word_too_many(text, start, limit, most)
        words = count_words(text[start:limit])
    while words > most:
        limit = start + max(1, (limit - start) * most // (words + 1))
        words = count_words(text[start:limit])
    return limit, words


def _word_too_many(text: str, start: int, limit: int, most: int) -> int:
    """Where the first word after ``most`` of them starts; ``limit`` where no mark parts the words."""
    found = next(islice(_WORD.finditer(text, start, limit), most, None), None)
    return found.start() if found else limit


def _inner_border(text: str, start: int, limit: int) -> int:
    middle = (start + limit + 1) // 2
    for marks in _INNER_MARKS:
        stop = 0
        for match in marks.finditer(text, middle, limit):
            stop = match.end()
        if stop:
            limit = stop
            break
    return grapheme_floor(text, start, limit)


def grapheme_floor(text: str, start: int, limit: int) -> int:
    """The last border of a grapheme cluster in ``text`` after ``start`` and not after ``limit``.

    ``limit`` itself where one cluster alone fills the whole span: a limit is a limit.
    """
    if limit >= len(text):
        return len(text)
    # A cluster is longer than this only in text made to break programs.
    near = max(start, limit - 64)
    if text[near : limit + 1].isascii():
        inside_break = text[limit - 1] == "\r" and text[limit] == "\n"
        return limit - 1 if inside_break and limit - 1 > start else limit
    stop = start
    for match in GRAPHEME.finditer(text, start, min(len(text), limit + 64)):
        if match.end() > limit:
            break
        stop = match.end()
    return stop if stop > start else limit
