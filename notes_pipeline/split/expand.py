"""Blocks of a run become units: whole where they may stay whole, else at their best inner borders.

Belongs here: which block is one unit, and how an over-long list, item, quote, table or fence is
taken apart. Stays out: where sentences end (asked for in one batch, later), packing, reading text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from notes_pipeline.lines import Lines
from notes_pipeline.records import Block
from notes_pipeline.split.cells import cell_spans
from notes_pipeline.split.hidden import stretches
from notes_pipeline.split.inline import plain_words
from notes_pipeline.split.leadin import ends_open
from notes_pipeline.split.limits import Limits
from notes_pipeline.split.linecut import cut_lines
from notes_pipeline.split.longtext import Room
from notes_pipeline.split.plain import html_text
from notes_pipeline.split.units import TITLE_WORDS, Run, Unit, is_title, is_weak, subtree_ends
from notes_pipeline.words import count_words

_LINEWISE = frozenset({"fence", "math", "html"})
_ATOMS = frozenset({"item", "quote", "footnote", "table", "row", "fence", "math", "html"})
_COUNTED = frozenset({"item", "quote", "footnote"})
_HIDDEN_SHARE = 10
"""A comment in a text is a unit of its own from this part of a chunk's characters on."""


def expand(run: Run, text: str, lines: Lines, limits: Limits) -> Expansion:
    """The units of a run, and which of them still wait for their sentence ends."""
    first, head = lead_of(run, text, limits)
    expansion = Expansion(run.blocks, head, text, lines, limits)
    expansion.walk(first)
    expansion.close_gaps()
    return expansion


def lead_of(run: Run, text: str, limits: Limits) -> tuple[int, int]:
    """The first block of a run that becomes a unit, and the offset from which on a lead stays with its body.

    A lead (heading, comments, link definitions) takes half a chunk, or what the body leaves of one.
    Of a longer one the farther blocks, and the sections above, become no units: they are discards.
    """
    own = run.sections[-1].blocks
    body = next((block for block in own if not (is_title(block) or is_weak(block, text))), own[0])
    most = max(limits.characters // 2, limits.characters - (body.end - body.start))
    near = next(at for at, block in enumerate(own) if body.start - block.start <= most)
    return near and len(run.blocks) - len(own) + near, own[near].start


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

    def walk(self, index: int) -> None:
        """Fill ``units``, from the block at ``index`` on."""
        while index < len(self._blocks):
            following = self._step(index)
            if self._is_header(index):
                self.units[-1].glue = True
            index = following
        if self._pending is not None:
            self._add(self._pending, self._blocks[-1].end, 0, "item", len(self._blocks) - 1)

    def close_gaps(self) -> None:
        """What stands between two units (quote marks, closing marks) belongs to the first of them."""
        for unit, following in pairwise(self.units):
            gap = self._text[unit.end : following.start]
            if unit.end > following.start or (gap and not gap.isspace()):
                unit.end = trimmed_end(self._text, unit.start, following.start)

    def _step(self, index: int) -> int:
        block, stop = self._blocks[index], self._ends[index]
        if index >= self._cut_end:
            self._cut = ""
        words = self._words[stop] - self._words[index]
        start = self._start(block, index)
        if is_title(block):
            unit = self._add(start, block.end, 0, "heading", index)
            unit.glue, unit.weight = True, 0
            return stop
        if is_weak(block, self._text):
            return self._weak(start, block, index)
        size = block.end - (self._head if self._in_head else start)
        fits = words <= self._limits.hard and size <= self._limits.characters
        if block.kind == "list":
            # Where sentences count, no list is whole: each of its items counts for some.
            whole = fits and words <= self._limits.soft and not self._limits.sentences
            whole = whole and self._keeps_lead_in(words, block.end)
            return self._whole(start, block, words, index) if whole else self._descend(start, index)
        if fits and (block.kind != "table" or self._keeps_lead_in(words, block.end)):
            return self._whole(start, block, words, index)
        if stop > index + 1:
            return self._descend(start, index)
        return self._leaf(start, block, words, index)

    def _keeps_lead_in(self, words: int, end: int) -> bool:
        """Whether a whole list or table leaves room for the lead-in before it."""
        before = self.units[-1] if self.units else None
        if before is None or before.weak or not ends_open(self._text[before.start : before.end]):
            return True
        fits = words + before.words <= self._limits.hard
        return fits and end - min(before.start, self._head) <= self._limits.characters

    def _start(self, block: Block, index: int) -> int:
        if self._pending is not None:
            start, self._pending = self._pending, None
            line = self._lines.start(block.start)
            if line <= start or block.end - start <= self._limits.characters:
                return start
            # The marks of what holds it, on a line of their own, leave it no room.
            self._hide(start, line, index)
        return block.start if block.depth == 0 else line_start(self._text, self._lines, block.start)

    def _whole(self, start: int, block: Block, words: int, index: int) -> int:
        unit = self._add(start, block.end, words, block.kind, index)
        if block.kind in ("paragraph", "heading"):
            if self._limits.sentences or words > self._limits.soft:
                self.waiting.append(len(self.units) - 1)
        elif self._limits.sentences:
            self._weigh(unit, block, index)
        return self._ends[index]

    def _weak(self, start: int, block: Block, index: int) -> int:
        """Never cut: one over the limits fits no chunk, so nothing of it is in one."""
        unit = self._add(start, block.end, block.words, block.kind, index)
        if self._limits.sentences:
            unit.weight = 0
        return index + 1

    def _weigh(self, unit: Unit, block: Block, index: int) -> None:
        if block.kind in _COUNTED:
            self.counting.append(len(self.units) - 1)
        elif block.kind == "table":
            unit.weight = self._ends[index] - index - 1
        elif block.kind == "fence":
            unit.weight = max(1, block.plain.count("\n") + 1)

    def _descend(self, start: int, index: int) -> int:
        """Own text of a container as a unit of its own; then its children, one by one."""
        block = self._blocks[index]
        if block.kind in _ATOMS and not self._cut:
            self._cut, self._cut_end = block.kind, self._ends[index]
        if not block.plain.strip():
            self._pending = start
            return index + 1
        child = line_start(self._text, self._lines, self._blocks[index + 1].start)
        for first, last, hidden in self._stretches(block, start, max(child, start + 1)):
            if hidden:
                self._hide(first, last, index)
            else:
                self._add(first, last, block.words, block.kind, index)
                self._open_if_long()
        self.units[-1].glue = block.words <= TITLE_WORDS  # a short parent leads its children
        return index + 1

    def _leaf(self, start: int, block: Block, words: int, index: int) -> int:
        cut = self._cut
        if block.kind in _ATOMS:
            self._cut = cut or block.kind
        for first, last, hidden in self._stretches(block, start, block.end):
            if hidden:
                self._hide(first, last, index)
            elif block.kind in _LINEWISE:
                self._by_lines(first, last, block, words, index)
            else:
                self._by_text(first, last, block, words, index)
        self._cut = cut
        return self._ends[index]

    def _stretches(self, block: Block, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """What is read of a long text, and the long comments in it, apart."""
        if end - start <= self._limits.characters // 2:
            return iter([(start, end, False)])
        least = self._limits.characters // _HIDDEN_SHARE
        return stretches(self._text, start, end, (block.start, block.end, block.kind), least)

    def _hide(self, start: int, end: int, index: int) -> None:
        unit = self._add(start, end, 0, "comment", index)
        unit.weak, unit.weight = True, 0

    def _by_lines(self, start: int, end: int, block: Block, words: int, index: int) -> None:
        room = self._line_room(start, block, words)
        for span in cut_lines(self._text, start, end, room, block.kind):
            read = span.words
            if block.kind == "html":
                read = count_words(html_text(self._text[span.start : span.end]))
            self._add(span.start, span.end, read, block.kind, index)

    def _by_text(self, start: int, end: int, block: Block, words: int, index: int) -> None:
        """Cut at sentence ends; a row at the borders of its cells first."""
        cells = cell_spans(self._text, block.start, end) if block.kind == "row" else ()
        for first, last in cells:
            first = min(first, start) if first == block.start else first
            unit = self._add(first, last, plain_words(self._text[first:last]), block.kind, index)
            if unit.words > self._limits.hard or last - first > self._limits.characters:
                self.waiting.append(len(self.units) - 1)
        if not cells:
            self._add(start, end, words, block.kind, index)
            self.waiting.append(len(self.units) - 1)

    def _line_room(self, start: int, block: Block, words: int) -> Room:
        """Room that cuts a block made of lines into as few parts as the limits allow, of like size."""
        limits = self._limits
        taken = start - self._head if self._in_head else 0
        characters = max(1, limits.characters - taken)
        parts = max(-(-words // limits.hard), -(-(block.end - start) // characters))
        # A little more than an even share leaves the choice of a good line.
        return Room(min(limits.hard, -(-words * 5 // (4 * parts)) or limits.hard), characters)

    def _is_header(self, index: int) -> bool:
        """Whether a row names the columns of the row after it."""
        header, row = self._blocks[index], self._blocks[index + 1 : index + 2]
        return header.kind == "row" and header.info == "header" and bool(row) and row[0].kind == "row"

    def _open_if_long(self) -> None:
        unit = self.units[-1]
        size = unit.end - unit.start
        if unit.words > self._limits.soft or size > self._limits.characters // 2 or self._limits.sentences:
            self.waiting.append(len(self.units) - 1)

    def _add(self, start: int, end: int, words: int, kind: str, index: int) -> Unit:
        block, text = self._blocks[index], self._text
        if text[end - 1].isspace():
            end = trimmed_end(text, start, end)
        weak = is_weak(block, text)
        # By position: most of the fields, at half the cost of naming them.
        unit = Unit(start, end, words, kind, index, block.depth, 1, False, weak, self._cut)
        self.units.append(unit)
        if self._in_head and not (weak or is_title(block)):
            self._in_head = False
        return unit


def trimmed_end(text: str, start: int, end: int) -> int:
    """``end`` without the blanks before it; at least one character stays."""
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    return end


def line_start(text: str, lines: Lines, offset: int) -> int:
    """Start of the line of ``offset`` where only blanks and quote marks stand before it, else ``offset``."""
    start = lines.start(offset)
    return start if not text[start:offset].strip(" \t>") else offset
