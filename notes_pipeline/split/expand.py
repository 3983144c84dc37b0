"""Blocks of a run become units: whole where they may stay whole, else at their best inner borders.

Belongs here: which block is one unit, and how an over-long list, item, quote, table or fence is
taken apart. Stays out: where sentences end (asked for in one batch, later), packing, reading text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from notes_pipeline.lines import Lines
from notes_pipeline.records import Block
from notes_pipeline.split.leadin import ends_open
from notes_pipeline.split.limits import Limits
from notes_pipeline.split.linecut import cut_lines
from notes_pipeline.split.longtext import Room
from notes_pipeline.split.units import TITLE_WORDS, Run, Unit, is_title, is_weak, subtree_ends

_LINEWISE = frozenset({"fence", "math", "html", "comment", "reference", "property"})
_ATOMS = frozenset({"item", "quote", "footnote", "table", "row", "fence", "math", "html"})
_COUNTED = frozenset({"item", "quote", "footnote"})


def expand(run: Run, text: str, lines: Lines, limits: Limits) -> Expansion:
    """The units of a run, and which of them still wait for their sentence ends."""
    expansion = Expansion(run.blocks, run.sections[-1].blocks[0].start, text, lines, limits)
    expansion.walk()
    expansion.close_gaps()
    return expansion


class Expansion:
    """One walk over the blocks of a run, in preorder, without recursion: notes nest without end."""

    def __init__(self, blocks: Sequence[Block], head: int, text: str, lines: Lines, limits: Limits) -> None:
        self.units: list[Unit] = []
        self.waiting: list[int] = []
        """Units to be cut at sentence ends."""
        self.counting: list[int] = []
        """Units that stay whole but weigh as many sentences as they hold."""
        self._blocks = blocks
        self._text = text
        self._lines = lines
        self._limits = limits
        self._ends = subtree_ends(blocks)
        self._words = [0, *accumulate(0 if is_title(block) else block.words for block in blocks)]
        self._head = head
        """Where the heading starts that must stay with the first block that is body."""
        self._in_head = True
        self._cut = ""
        self._cut_end = 0
        self._pending: int | None = None
        """Start of a container without words of its own: its first child begins there."""

    def walk(self) -> None:
        """Fill ``units``."""
        index = 0
        while index < len(self._blocks):
            index = self._step(index)
        if self._pending is not None:
            self._add(self._pending, self._blocks[-1].end, 0, "item", len(self._blocks) - 1)

    def close_gaps(self) -> None:
        """What stands between two units (quote marks, closing marks) belongs to the first of them."""
        for unit, following in pairwise(self.units):
            gap = self._text[unit.end : following.start]
            if unit.end > following.start or (gap and not gap.isspace()):
                unit.end = self._trimmed(unit.start, following.start)

    def _step(self, index: int) -> int:
        block, stop = self._blocks[index], self._ends[index]
        if index >= self._cut_end:
            self._cut = ""
        start = self._start(block)
        words = self._words[stop] - self._words[index]
        if is_title(block):
            unit = self._add(start, block.end, 0, "heading", index)
            unit.glue, unit.weight = True, 0
            return stop
        size = block.end - (self._head if self._in_head and not is_weak(block, self._text) else start)
        fits = words <= self._limits.hard and size <= self._limits.characters
        if block.kind == "list":
            whole = fits and words <= self._limits.soft and self._keeps_lead_in(words, block.end)
            return self._whole(start, block, words, index) if whole else self._descend(start, index)
        if fits:
            return self._whole(start, block, words, index)
        if stop > index + 1:
            return self._descend(start, index)
        return self._leaf(start, block, words, index)

    def _keeps_lead_in(self, words: int, end: int) -> bool:
        """Whether a whole list leaves room for the lead-in before it; with sentences, no list is whole."""
        if self._limits.sentences:
            return False
        before = self.units[-1] if self.units else None
        if before is None or before.weak or not ends_open(self._text[before.start : before.end]):
            return True
        fits = words + before.words <= self._limits.hard
        return fits and end - min(before.start, self._head) <= self._limits.characters

    def _start(self, block: Block) -> int:
        if self._pending is not None:
            start, self._pending = self._pending, None
            return start
        return block.start if block.depth == 0 else line_start(self._text, self._lines, block.start)

    def _whole(self, start: int, block: Block, words: int, index: int) -> int:
        unit = self._add(start, block.end, words, block.kind, index)
        if block.kind in ("paragraph", "heading"):
            if self._limits.sentences or words > self._limits.soft:
                self.waiting.append(len(self.units) - 1)
        elif self._limits.sentences:
            self._weigh(unit, block, index)
        return self._ends[index]

    def _weigh(self, unit: Unit, block: Block, index: int) -> None:
        if block.kind in _COUNTED:
            self.counting.append(len(self.units) - 1)
        elif block.kind == "table":
            unit.weight = self._ends[index] - index - 1
        elif block.kind == "fence":
            unit.weight = max(1, block.plain.count("\n") + 1)
        elif unit.weak:
            unit.weight = 0

    def _descend(self, start: int, index: int) -> int:
        """Own text of a container as a unit of its own; then its children, one by one."""
        block = self._blocks[index]
        if block.kind in _ATOMS and not self._cut:
            self._cut, self._cut_end = block.kind, self._ends[index]
        if not block.plain.strip():
            self._pending = start
            return index + 1
        child = line_start(self._text, self._lines, self._blocks[index + 1].start)
        unit = self._add(start, max(child, start + 1), block.words, block.kind, index)
        unit.glue = block.words <= TITLE_WORDS  # a short parent leads its children
        self._open_if_long()
        return index + 1

    def _leaf(self, start: int, block: Block, words: int, index: int) -> int:
        cut = self._cut
        if block.kind in _ATOMS:
            self._cut = cut or block.kind
        if block.kind in _LINEWISE:
            for span in cut_lines(
                self._text, start, block.end, self._line_room(start, block, words), block.kind
            ):
                self._add(span.start, span.end, span.words, block.kind, index)
        else:
            self._add(start, block.end, words, block.kind, index)
            self.waiting.append(len(self.units) - 1)
        self._cut = cut
        return self._ends[index]

    def _line_room(self, start: int, block: Block, words: int) -> Room:
        """Room that cuts a block made of lines into as few parts as the limits allow, of like size."""
        limits = self._limits
        taken = start - self._head if self._in_head else 0
        characters = max(1, limits.characters - taken)
        parts = max(-(-words // limits.hard), -(-(block.end - start) // characters))
        # A little more than an even share leaves the choice of a good line.
        return Room(min(limits.hard, -(-words * 5 // (4 * parts)) or limits.hard), characters)

    def _open_if_long(self) -> None:
        unit = self.units[-1]
        size = unit.end - unit.start
        if unit.words > self._limits.soft or size > self._limits.characters // 2 or self._limits.sentences:
            self.waiting.append(len(self.units) - 1)

    def _add(self, start: int, end: int, words: int, kind: str, index: int) -> Unit:
        block = self._blocks[index]
        unit = Unit(
            start,
            self._trimmed(start, end),
            words,
            kind,
            index,
            block.depth,
            weak=is_weak(block, self._text),
            cut=self._cut,
        )
        self.units.append(unit)
        if kind != "heading" and not unit.weak:
            self._in_head = False
        return unit

    def _trimmed(self, start: int, end: int) -> int:
        return trimmed_end(self._text, start, end)


def trimmed_end(text: str, start: int, end: int) -> int:
    """``end`` without the blanks before it; at least one character stays."""
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    return end


def line_start(text: str, lines: Lines, offset: int) -> int:
    """Start of the line of ``offset`` where only blanks and quote marks stand before it, else ``offset``."""
    start = lines.start(offset)
    return start if not text[start:offset].strip(" \t>") else offset
