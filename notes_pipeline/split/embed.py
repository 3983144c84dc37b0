"""``embed_text``: what a reader would read aloud, heading path first, nothing said twice.

Belongs here: blocks to lines of reading text, and the context a cut piece carries (lead-in,
parent items, callout title, column names). Stays out: inline markup (the parser's ``plain``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from notes_pipeline.records import Block, Document, Finding, Section
from notes_pipeline.split.cells import part_of_row
from notes_pipeline.split.footnotes import Footnotes
from notes_pipeline.split.headings import label
from notes_pipeline.split.inline import inline_text
from notes_pipeline.split.leadin import ends_open
from notes_pipeline.split.parts import part_text
from notes_pipeline.split.pieces import Piece
from notes_pipeline.split.plain import CELL
from notes_pipeline.split.titles import folded, is_stated, note_title, says_the_same
from notes_pipeline.split.units import WEAK

_CARRIED_WORDS = 25
"""Words of each carried parent or lead-in: enough to name it."""
_CARRIED_LEVELS = 12
"""Nested lists and items looked at above a part, and levels of indentation read: notes nest without end."""
_INDENTS = tuple("\n" + "  " * level for level in range(_CARRIED_LEVELS + 1))
"""What begins a line at each level."""
_CALLOUT = re.compile(r"[ \t>]*\[![^\]\n]*\][+-]?([^\r\n]*)")
_DONE = "(done) "
"""Before a ticked task: open and done ones must read apart."""
_LANGUAGE = re.compile(r"[\s,{:]")


class Reader:
    """Reads pieces of one document aloud; keeps what neighbouring pieces share."""

    def __init__(self, document: Document, text: str, sections: Sequence[Section], trail_words: int) -> None:
        self._text = text
        self._sections = sections
        self._document = document
        self._title = note_title(document, sections)
        self._notes = Footnotes(text, sections)
        self._trail_words = trail_words
        self._trails: dict[tuple[str, ...], tuple[str, int]] = {}
        self._said_by_title: dict[str, bool] = {}
        """Whether the note's title says no more than a first title of a path does: few differ in a note."""
        self._tree: _Tree | None = None
        """Of the section cut last: its windows follow each other."""

    def read(self, piece: Piece) -> tuple[str, list[Finding]]:
        """The embed text of a piece, and a finding for each comment left out of it."""
        body = _Body(self._text, piece)
        trail, unsaid = self._trails.get(piece.path) or self._trail(piece.path)
        self._carry(body, piece)
        first = piece.block
        for index in range(piece.section, piece.last + 1):
            section = self._sections[index]
            body.add(section.blocks, first, self._is_named(section.heading_path, piece.path, trail, unsaid))
            first = 0
        text = body.text()
        if self._notes:
            text += self._notes.missing(piece.start, piece.end, text)
        return (f"{trail}\n\n{text}" if trail and text else trail or text), body.comments

    def _is_named(self, own: tuple[str, ...], path: tuple[str, ...], trail: str, unsaid: int) -> bool:
        """Whether the trail says the heading of a section, as part of its path or as the note's title."""
        if path[: len(own)] == own:
            return len(own) > unsaid
        return bool(self._title) and trail.startswith(self._title) and folded(own[-1]) == folded(self._title)

    def _carry(self, body: _Body, piece: Piece) -> None:
        blocks = self._sections[piece.section].blocks
        block = blocks[piece.block]
        if block.depth or block.start < piece.start:
            if self._tree is None or self._tree.blocks is not blocks:
                self._tree = _Tree(blocks)
            body.carry(self._tree, piece.block)
        else:
            body.carry_lead_in(blocks, piece.block)

    def _trail(self, path: tuple[str, ...]) -> tuple[str, int]:
        """The trail, and how many titles of ``path`` it leaves unsaid: those are read where they stand."""
        parts = list(path)
        if self._title and not (parts and self._is_title(parts[0])):
            parts.insert(0, self._title)
        said = _titles_within(parts, self._trail_words)
        trail = " > ".join(parts) if said == len(parts) else shortened(parts, self._trail_words)
        found = trail, max(0, len(path) - said)
        self._trails[path] = found
        return found

    def _is_title(self, first: str) -> bool:
        said = self._said_by_title.get(first)
        if said is None:
            # A title somebody stated is no file's name: a number in it is one of its words.
            said = folded(self._title) == folded(first) or (
                not is_stated(self._document, self._title) and says_the_same(self._title, first)
            )
            self._said_by_title[first] = said
        return said


def shortened(parts: Sequence[str], most_words: int) -> str:
    """A heading trail within ``most_words``: titles go from the top, then words of the last title.

    >>> shortened(["One two", "Three", "Four five"], 3)
    '… > Three > Four five'
    """
    said = _titles_within(parts, most_words)
    if said == len(parts):
        return " > ".join(parts)
    kept = parts[-said:] if said else [" ".join(parts[-1].split()[:most_words]) + " …"]
    return " > ".join(["…", *kept] if len(parts) > 1 else kept)


def _titles_within(parts: Sequence[str], most_words: int) -> int:
    """How many titles, from the last one up, have ``most_words`` together."""
    if " ".join(parts).count(" ") < most_words:  # nearly always, and no word needs counting
        return len(parts)
    words = 0
    for said, part in enumerate(reversed(parts)):
        words += len(part.split())
        if words > most_words:
            return said
    return len(parts)


class _Body:
    """Collects the paragraphs of one embed text."""

    def __init__(self, text: str, piece: Piece) -> None:
        self.comments: list[Finding] = []
        self._text = text
        self._start = piece.start
        self._end = _after_blanks(text, piece.end)
        self._out: list[str] = []
        self._items: list[int] = []
        """Depths of the list items that are open, outermost first."""
        self._counters: dict[int, int] = {}
        """Next number of the ordered list at each depth."""
        self._labels: list[str] | None = None
        """Column names of the table being read."""

    def text(self) -> str:
        text = "".join(self._out).strip("\n")
        return "".join(self._without_idle_breaks()).strip("\n") if "\n\n\n" in text else text

    def _without_idle_breaks(self) -> Iterator[str]:
        """What was collected but the break before a list or table of which nothing was read."""
        for piece, following in pairwise([*self._out, ""]):
            if piece != "\n" or not (following.startswith("\n\n") or following == "\n"):
                yield piece

    def add(self, blocks: Sequence[Block], first: int, named: bool) -> None:
        """Append ``blocks[first:]`` as far as the piece reaches; ``named``: the path says the heading."""
        start, end, out = self._start, self._end, self._out
        for index in range(first, len(blocks)):
            block = blocks[index]
            kind, depth, block_start, block_end, plain, _, _ = block
            if block_start >= end:
                return
            whole = block_start >= start and block_end <= end
            # Nine blocks of ten are items and paragraphs that lie in the piece: no call more than needed.
            if whole and kind == "item":
                self._item(block, plain)
            elif whole and kind == "paragraph" and not depth:
                if plain:
                    out.append("\n\n" + plain)
            elif kind == "heading" and not depth:
                if not named or label(plain) != plain:
                    out.append("\n\n" + self._own(blocks, index))
            elif kind == "comment":
                self._comment(block)
            elif kind not in WEAK or plain:
                self._nested(blocks, index)

    def _comment(self, block: Block) -> None:
        if block.start >= self._start and block.end <= self._end:
            self.comments.append(Finding("comment", block.start, block.end, "left out of embed_text"))

    def _nested(self, blocks: Sequence[Block], index: int) -> None:
        block = blocks[index]
        if block.kind == "item":
            self._item(block, self._own(blocks, index))
            return
        while self._items and self._items[-1] >= block.depth:
            self._items.pop()
        if block.kind == "list":
            self._counters[block.depth] = int(block.info) if block.info.isdigit() else -1
            if not block.depth:
                self._out.append("\n")
            return
        if block.kind == "table":
            self._table(blocks, index)
            return
        if block.kind == "row":
            follows = index + 1 < len(blocks) and blocks[index + 1].start < self._end
            self._row(block, heads=follows and blocks[index + 1].kind == "row")
            return
        plain = self._own(blocks, index)
        if not plain:
            return
        if block.kind == "fence" and block.info and block.start >= self._start:
            plain = f"{_LANGUAGE.split(block.info, maxsplit=1)[0]}\n{plain}".lstrip("\n")
        if self._items:
            indent = _INDENTS[min(len(self._items), _CARRIED_LEVELS)]
            self._out.append(indent + plain.replace("\n", indent))
        else:
            self._out.append("\n\n" + plain)

    def _item(self, block: Block, plain: str) -> None:
        items, depth = self._items, block.depth
        while items and items[-1] >= depth:
            items.pop()
        indent = _INDENTS[min(len(items), _CARRIED_LEVELS)]
        items.append(depth)
        number = self._counters.get(depth - 1, -1)
        mark = "- "
        if number >= 0:
            self._counters[depth - 1] = number + 1
            mark = f"{number}. "
        if plain:
            if block.info == "done":
                mark += _DONE
            if "\n" in plain:
                plain = plain.replace("\n", f"{indent}  ")
            self._out.append(indent + mark + plain)

    def _table(self, blocks: Sequence[Block], index: int) -> None:
        """Opens a table; its header row is read as the labels of the others."""
        self._out.append("\n")
        self._labels = None
        at = index + 2
        while at < len(blocks) and blocks[at].kind == "row" and not blocks[at].words:
            at += 1
        alone = at >= len(blocks) or blocks[at].kind != "row"
        if alone or blocks[index + 1].info != "header":
            self._labels = []

    def _row(self, block: Block, *, heads: bool) -> None:
        """A row under its columns; a header over a row of this piece is read with each row alone."""
        labels = self._labels
        if labels is None:
            self._labels, labels = block.plain.split(CELL), []
            if heads and block.start >= self._start:
                return
        cells = list(self._values(block, labels))
        if cells:
            self._out.append("\n" + "; ".join(cells))

    def _values(self, block: Block, labels: Sequence[str]) -> Iterator[str]:
        if block.start >= self._start and block.end <= self._end:
            return _labelled(labels, block.plain.split(CELL))
        part = max(block.start, self._start), min(block.end, self._end)
        return part_of_row(self._text, (block.start, block.end), part, labels)

    def _own(self, blocks: Sequence[Block], index: int) -> str:
        """Own reading text of a block, or of the part of it that lies in the piece."""
        block = blocks[index]
        own_end = block.end
        if index + 1 < len(blocks) and blocks[index + 1].depth > block.depth:
            own_end = blocks[index + 1].start
        if block.start >= self._start and own_end <= self._end:
            return block.plain
        low, high = max(block.start, self._start), min(own_end, self._end)
        if low >= high or not block.plain:
            return ""
        return part_text(self._text, block, low, high)

    def carry(self, tree: _Tree, index: int) -> None:
        """What a piece that starts inside a block needs to be understood."""
        blocks = tree.blocks
        for ancestor in tree.ancestors(index):
            block = blocks[ancestor]
            if block.kind == "list":
                if not block.depth:
                    self.carry_lead_in(blocks, ancestor)
                    self._out.append("\n")
                if block.info.isdigit():
                    self._counters[block.depth] = int(block.info) + tree.items_before(ancestor, index)
            elif block.kind == "table":
                self._out.append("\n")
                self._open_carried(blocks[ancestor + 1])
            elif block.kind == "quote" and block.info and block.start < self._start:
                self._out.append("\n\n" + _callout_title(self._text, block))
            elif block.start < self._start and block.kind == "item":
                self._item(block, _few_words(block.plain))
            elif block.start < self._start and block.plain:
                self._out.append("\n\n" + _few_words(block.plain))

    def _open_carried(self, header: Block) -> None:
        """The table a piece starts in; where it starts with the header, that is read as it comes."""
        if header.info != "header":
            self._labels = []
        elif header.end <= self._start:
            self._labels = header.plain.split(CELL)

    def carry_lead_in(self, blocks: Sequence[Block], index: int) -> None:
        before = index - 1
        while before >= 0 and blocks[before].depth:
            before -= 1
        if before < 0 or blocks[before].end > self._start or blocks[before].kind != "paragraph":
            return
        if ends_open(blocks[before].plain):
            self._out.append("\n\n" + _few_words(blocks[before].plain, last=True))


def _labelled(labels: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    """``label: value`` for each cell that holds something; the value alone where its column has no name."""
    for number, cell in enumerate(cells):
        label = labels[number].strip().rstrip(":") if number < len(labels) else ""
        if cell.strip():
            yield f"{label}: {cell.strip()}" if label else cell.strip()


def _after_blanks(text: str, offset: int) -> int:
    """Past the blanks a chunk leaves at its end but a block may keep."""
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


class _Tree:
    """The blocks of a section with the way back from each to those that hold it."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self._parents: list[int] = []
        self._places: list[int] = []
        """For an item, how many items of its list stand before it."""
        counts: dict[int, int] = {}
        open_blocks: list[int] = []
        for index, block in enumerate(blocks):
            while open_blocks and blocks[open_blocks[-1]].depth >= block.depth:
                open_blocks.pop()
            parent = open_blocks[-1] if open_blocks else -1
            self._parents.append(parent)
            self._places.append(counts.get(parent, 0))
            if block.kind == "item":
                counts[parent] = counts.get(parent, 0) + 1
            open_blocks.append(index)

    def ancestors(self, index: int) -> Iterator[int]:
        """Indices of the nearest blocks that hold ``blocks[index]``, outermost first."""
        chain: list[int] = []
        while len(chain) < _CARRIED_LEVELS and (index := self._parents[index]) >= 0:
            chain.append(index)
        return reversed(chain)

    def items_before(self, start: int, index: int) -> int:
        """Items of the list at ``start`` before the one that is, or holds, ``blocks[index]``."""
        while self._parents[index] != start:
            index = self._parents[index]
        return self._places[index]


def _callout_title(text: str, block: Block) -> str:
    """The title of a callout, or its kind where it has none."""
    match = _CALLOUT.match(text, block.start, min(block.end, block.start + 400))
    title = inline_text(match[1]) if match else ""
    return _few_words(title) if title else block.info


def _few_words(plain: str, *, last: bool = False) -> str:
    words = plain.split()
    if len(words) <= _CARRIED_WORDS:
        return " ".join(words)
    return "… " + " ".join(words[-_CARRIED_WORDS:]) if last else " ".join(words[:_CARRIED_WORDS]) + " …"
