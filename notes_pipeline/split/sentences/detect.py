"""Sentence ends of many units at once: lines, markup, rules and engine in their order.

Belongs here: the flow. Stays out: each of its steps, in the file named after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from notes_pipeline.settings import Settings
from notes_pipeline.split.sentences import engine, inline
from notes_pipeline.split.sentences.blocks import LEADING, is_whole, pieces
from notes_pipeline.split.sentences.candidates import count_marks, has_marks
from notes_pipeline.split.sentences.propose import propose
from notes_pipeline.split.sentences.refine import has_doubt, starts
from notes_pipeline.split.sentences.view import View
from notes_pipeline.words import count_words


def sentence_ends(units: Sequence[str], settings: Settings) -> list[list[int]]:
    """Exclusive end offsets of the sentences of each unit, ascending; ``[]`` for a blank unit.

    A unit is the Markdown source of one block. A sentence starts at the first character after the
    end before it that is not blank; the last ends with the unit's last such character. No end lies
    inside a word, link, image, code span or address. Raises ``UserError`` where the engine of
    ``settings.sentences.engine`` cannot be had.
    """
    modelled = settings.sentences.engine != engine.RULES
    read = [[_read(unit, *span, modelled) for span in pieces(unit)] for unit in units]
    asked = [piece for parts in read for piece in parts if piece.view and _needs(piece.view, modelled)]
    proposals = _proposals(asked, settings.sentences.engine)
    return [[end for piece in parts for end in _ends(piece, proposals, modelled)] for parts in read]


def upper_bound(text: str, settings: Settings | None = None) -> int:
    """At least as many as the sentences of ``text``; costs next to nothing.

    The default engine ends sentences at marks and lines only; a model may do so at any word.
    """
    if settings is not None and settings.sentences.engine != engine.RULES:
        return count_words(text) + len(text.split())
    return count_marks(text) + text.count("\n") + text.count("\r") + 1


class _Piece(NamedTuple):
    unit: str
    end: int
    view: View | None
    """None where it is one sentence whatever stands in it."""


def _read(unit: str, start: int, end: int, modelled: bool) -> _Piece:
    end = len(unit[start:end].rstrip()) + start
    marker = LEADING.match(unit, start, end)
    begin = marker.end() if marker else start
    if is_whole(unit, start) or not (modelled or has_marks(unit, begin, end)):
        return _Piece(unit, end, None)
    return _Piece(unit, end, inline.read(unit, begin, end))


def _needs(view: View, modelled: bool) -> bool:
    return modelled or has_doubt(view.plain)


def _proposals(asked: Sequence[_Piece], name: str) -> dict[int, set[int]]:
    if not asked:
        return {}
    texts = [piece.view.plain for piece in asked if piece.view]
    return dict(zip(map(id, asked), propose(texts, engine.load(name)), strict=True))


def _ends(piece: _Piece, proposals: dict[int, set[int]], modelled: bool) -> list[int]:
    view = piece.view
    if view is None:
        return [piece.end]
    proposed = proposals.get(id(piece), set())
    found = starts(view.plain, proposed.__contains__, proposed if modelled else ())
    ends = [_end_before(view, start) for start in found if not view.splits_atom(start)]
    return [end for end in sorted(set(ends)) if end < piece.end] + [piece.end]


def _end_before(view: View, start: int) -> int:
    last = start - 1
    while last > 0 and view.plain[last].isspace():
        last -= 1
    return view.end_after(last)
