"""Joins small neighbours by the rule of their preset, without losing more of the path than needed.

Belongs here: which neighbours may join, and what the joined piece is called. Stays out: windows
inside one section.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from notes_pipeline.settings import Preset
from notes_pipeline.split.limits import UNLIMITED, Limits
from notes_pipeline.split.pieces import Piece


@dataclass(frozen=True, slots=True)
class Merger:
    """One pass over the pieces of a document."""

    preset: Preset
    limits: Limits
    top_level: int
    """The file's highest heading level: no join crosses a heading of it, but blind ones."""

    def run(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces with the small ones joined to a neighbour."""
        if self.preset.merge == "none" and not self.preset.bullets_below:
            return list(pieces)
        waiting = list(reversed(pieces))
        done: list[Piece] = []
        while waiting:
            piece = waiting.pop()
            before = done[-1] if done else None
            after = waiting[-1] if waiting else None
            way = self._way(before, piece, after)
            if way < 0 and before is not None:
                done[-1] = join(before, piece)
            elif way > 0 and after is not None:
                waiting[-1] = join(piece, after)
            else:
                done.append(piece)
        return done

    def _way(self, before: Piece | None, piece: Piece, after: Piece | None) -> int:
        """-1 to join the piece before, 1 the piece after, 0 to stay."""
        preset = self.preset
        if piece.bullet and piece.words < preset.bullets_below:
            most = min(preset.bullets_result or UNLIMITED, self.limits.hard)
            if after is not None and self._allowed(piece, after, most):
                return 1
        if piece.words >= preset.merge_below or preset.merge == "none":
            return 0
        if preset.merge == "siblings":
            return self._nearest(before, piece, after)
        # Blind joins: up (or on) where the limits allow it, the other way where there is none.
        ways = ((-1, before), (1, after)) if preset.merge == "previous" else ((1, after), (-1, before))
        first_way, first = ways[0]
        if first is None:
            first_way, first = ways[1]
        return first_way if first is not None and self._fits(piece, first, self.limits.hard) else 0

    def _nearest(self, before: Piece | None, piece: Piece, after: Piece | None) -> int:
        """The allowed neighbour whose path loses least; of equals the one that stays smaller."""
        costs = []
        if before is not None and self._allowed(before, piece, self.limits.soft):
            costs.append((loss(before, piece), before.words, -1))
        if after is not None and self._allowed(piece, after, self.limits.soft):
            costs.append((loss(piece, after), after.words, 1))
        return min(costs)[2] if costs else 0

    def _allowed(self, first: Piece, second: Piece, most: int) -> bool:
        if second.level <= self.top_level or not self._fits(first, second, most):
            return False
        if self.preset.merge != "siblings" or first.path == second.path:
            return True
        if first.parent is None or second.parent is None:
            return False
        return first.parent == second.parent or (not first.joined and first.path == second.parent)

    def _fits(self, one: Piece, other: Piece, most: int) -> bool:
        if one.words + other.words > most:
            return False
        return max(one.end, other.end) - min(one.start, other.start) <= self.limits.characters


def common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The common ancestor of two heading paths."""
    length = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        length += 1
    return one[:length]


def loss(first: Piece, second: Piece) -> int:
    """Words whose heading path a join would shorten, times the titles they would lose."""
    kept = len(common(first.path, second.path))
    return first.words * (len(first.path) - kept) + second.words * (len(second.path) - kept)


def join(first: Piece, second: Piece) -> Piece:
    """Two neighbours as one, under their common ancestor."""
    path = common(first.path, second.path)
    same = first.path == second.path and first.last == second.section
    parts = (first.joined or (first.path,)) + (second.joined or (second.path,))
    counted = first.sentences is not None and second.sentences is not None
    return Piece(
        start=first.start,
        end=max(first.end, second.end),
        words=first.words + second.words,
        section=first.section,
        block=first.block,
        last=second.last,
        path=path,
        level=min(first.level, second.level),
        parent=first.parent if same and not first.joined else path,
        bullet=first.bullet,
        sentences=(first.sentences or 0) + (second.sentences or 0) if counted else None,
        is_sub_split=first.is_sub_split or second.is_sub_split,
        joined=first.joined if same else parts,
        findings=first.findings + second.findings,
    )
