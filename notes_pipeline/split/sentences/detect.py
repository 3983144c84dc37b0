"""Sentence ends of many units at once: lines, markup, rules and engine in their order.

Belongs here: the flow. Stays out: each of its steps, in the file named after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from notes_pipeline.settings import Settings
from notes_pipeline.split.sentences import engine, inline
from notes_pipeline.split.sentences.blocks import is_whole, leading, pieces
from notes_pipeline.split.sentences.candidates import count_marks, has_marks
from notes_pipeline.split.sentences.propose import propose
from notes_pipeline.split.sentences.refine import certain_starts, starts
from notes_pipeline.split.sentences.view import View


def sentence_ends(units: Sequence[str], settings: Settings) -> list[list[int]]:
    """Exclusive end offsets of the sentences of each unit, ascending; ``[]`` for a blank unit.

    A unit is the Markdown source of one block. A sentence starts at the first character after the
    end before it that is not blank; the last ends with the unit's last such character. No end lies
    inside a word, link, image, code span or address. Raises ``UserError`` where the engine of
    ``settings.sentences.engine`` cannot be had.
    """
    name = settings.sentences.engine
    modelled = name != engine.RULES
    read = [[_read(unit, *span, modelled) for span in pieces(unit)] for unit in units]
    _ask([piece for parts in read for piece in parts if piece.starts is None], name)
    return [[end for piece in parts for end in _ends(piece)] for parts in read]


def upper_bound(text: str, settings: Settings | None = None) -> int:
    """At least as many as the sentences of ``text``; costs next to nothing.

    The default engine ends sentences at marks and lines only; a model may do so at any word.
    """
    bound = count_marks(text) + text.count("\n") + text.count("\r") + 1
    modelled = settings is not None and settings.sentences.engine != engine.RULES
    return bound + len(text.split()) if modelled else bound


@dataclass(slots=True)
class _Piece:
    """A stretch of a unit; ``starts`` are those of its view, None until an engine was asked."""

    end: int
    view: View
    starts: list[int] | None


def _read(unit: str, start: int, end: int, modelled: bool) -> _Piece:
    end = len(unit[start:end].rstrip()) + start
    begin = leading(unit, start, end)
    if is_whole(unit, start) or not (modelled or has_marks(unit, begin, end)):
        return _Piece(end, _NOTHING, [])
    view = inline.read(unit, begin, end)
    return _Piece(end, view, None if modelled else certain_starts(view.plain))


_NOTHING = View("", 0, 0)


def _ask(asked: Sequence[_Piece], name: str) -> None:
    """Let the engine called ``name`` settle the pieces that rules alone do not."""
    if not asked:
        return
    proposals = propose([piece.view.plain for piece in asked], engine.load(name))
    for piece, proposed in zip(asked, proposals, strict=True):
        piece.starts = starts(piece.view.plain, proposed, anywhere=name != engine.RULES)


def _ends(piece: _Piece) -> list[int]:
    view, ends = piece.view, [piece.end]
    for start in reversed(piece.starts or ()):
        end = piece.end if view.splits_atom(start) else _end_before(view, start)
        if end < ends[-1]:
            ends.append(end)
    return ends[::-1]


def _end_before(view: View, start: int) -> int:
    last = start - 1
    while last > 0 and view.plain[last].isspace():
        last -= 1
    return view.end_after(last)
