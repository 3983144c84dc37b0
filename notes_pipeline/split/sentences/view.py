"""A reader's view of a source span, and the way back from every offset of it.

Belongs here: how edits become text, and text offsets become source offsets. Stays out: which
markup is edited (``inline.py``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Source ``start:end`` shown as ``text``; where that is blank, ``closes`` says it ends what is before."""

    start: int
    end: int
    text: str
    closes: bool


class Span(NamedTuple):
    """Half-open source offsets."""

    start: int
    end: int


_BLANKS = str.maketrans(dict.fromkeys("\r\n\t\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029", " "))


class View:
    """``plain`` is ``source[start:end]`` with ``edits`` made and each line break a blank.

    ``atoms`` are the spans no end may split. Edits must not overlap; whatever stands for something
    else than blanks must be an atom. Built in linear time, asked in logarithmic time.
    """

    def __init__(
        self, source: str, start: int, end: int, edits: Sequence[Edit] = (), atoms: Iterable[Span] = ()
    ) -> None:
        self.atoms = _merged(atoms)
        self._hidden: list[Edit] = []
        self._plain_starts: list[int] = []
        self._source_starts: list[int] = []
        self._literal: list[bool] = []
        if not edits:
            self._note(0, start, True)
            self.plain = source[start:end].translate(_BLANKS)
            return
        parts: list[str] = []
        length, position = 0, start
        for edit in sorted(edits):
            for text, begin, literal in (
                (source[position : edit.start], position, True),
                (edit.text, edit.start, False),
            ):
                if text:
                    self._note(length, begin, literal)
                    parts.append(text)
                    length += len(text)
            position = edit.end
            if not edit.text.strip():
                self._hidden.append(edit)
        self._note(length, position, True)
        parts.append(source[position:end])
        self.plain = "".join(parts).translate(_BLANKS)

    def _note(self, plain: int, source: int, literal: bool) -> None:
        self._plain_starts.append(plain)
        self._source_starts.append(source)
        self._literal.append(literal)

    def to_source(self, offset: int) -> int:
        """Source offset of the plain character at ``offset`` (of an edit: where it begins)."""
        at = bisect_right(self._plain_starts, offset) - 1
        shift = offset - self._plain_starts[at] if self._literal[at] else 0
        return self._source_starts[at] + shift

    def splits_atom(self, offset: int) -> bool:
        """Whether a sentence that starts at plain ``offset`` starts inside an atom."""
        return bool(self.atoms) and self._around(self.to_source(offset)) is not None

    def end_after(self, last: int) -> int:
        """Exclusive source end of a sentence whose last plain character is at ``last``.

        Closing markup goes with it; at a blank, or at markup that opens, it stops.
        """
        position = self.to_source(last) + 1
        if not self._hidden and not self.atoms:
            return position
        around = self._around(position)
        position = around.end if around else position
        at = bisect_right(self._hidden, (position,))
        while at < len(self._hidden) and self._hidden[at].start == position and self._hidden[at].closes:
            position = self._hidden[at].end
            at += 1
        return position

    def _around(self, offset: int) -> Span | None:
        at = bisect_right(self.atoms, (offset, -1)) - 1
        if at >= 0 and self.atoms[at].start < offset < self.atoms[at].end:
            return self.atoms[at]
        return None


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged
