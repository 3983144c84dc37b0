"""The pieces windows are made of, and the runs of sections they are made from.

Belongs here: ``Run`` (a section with the headings that lead into it) and ``Unit``, and the walk
that turns the blocks of a run into units. Stays out: cutting inside a text, packing, merging.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from notes_pipeline.records import Block, Section

WEAK = frozenset({"rule", "comment", "reference", "property"})
"""Kinds that mean nothing alone: they go with a neighbour, never by themselves."""

_CONTAINERS = frozenset({"list", "item", "quote", "footnote", "table", "row"})
"""Kinds that say nothing where neither they nor anything in them has a word: an empty bullet."""

_TAGS = re.compile(r"\s*(?:<[^<>]*>\s*)+")
_WORD = re.compile(r"[^\W_]")

TITLE_WORDS = 20
"""A heading with more words than this is a paragraph somebody marked as a heading: it is body too."""


@dataclass(slots=True)
class Run:
    """Sections cut together: ones without a body, then the first with a body (or the file's end)."""

    first: int
    """Index of its first section."""
    sections: Sequence[Section]
    has_body: bool

    @property
    def blocks(self) -> Sequence[Block]:
        if len(self.sections) == 1:
            return self.sections[0].blocks
        return [block for section in self.sections for block in section.blocks]

    def locate(self, index: int) -> tuple[int, int]:
        """Section and block in it for the block at ``index`` of ``blocks``."""
        for offset, section in enumerate(self.sections):
            if index < len(section.blocks):
                return self.first + offset, index
            index -= len(section.blocks)
        return self.first + len(self.sections) - 1, 0


@dataclass(slots=True)
class Unit:
    """What is never cut by packing: a block, a list item, or a sentence of a block that must be cut."""

    start: int
    end: int
    words: int
    kind: str
    block: int
    """Index in the run's blocks at which it starts."""
    depth: int = 0
    """How deep it stands: a window rather closes before a shallow unit than before a deep one."""
    weight: int = 1
    """Sentences it counts for."""
    glue: bool = False
    """Stays with the next: a heading, a lead-in."""
    weak: bool = False
    cut: str = ""
    """Kind of the block over the hard limit it was cut out of."""


def is_title(block: Block) -> bool:
    """Whether a block is a heading that names its section rather than a paragraph in disguise."""
    return block.kind == "heading" and block.depth == 0 and block.words <= TITLE_WORDS


def is_weak(block: Block, text: str) -> bool:
    """Whether a block means nothing alone; tags without words do not either."""
    if block.kind in WEAK:
        return True
    if block.words or block.depth or block.kind not in ("html", "paragraph"):
        return False
    return block.kind == "html" or bool(_TAGS.fullmatch(text, block.start, block.end))


def has_body(section: Section, following: Section | None, text: str) -> bool:
    """Whether a section holds anything that means something without the next one.

    A paragraph marked as a heading does, unless the next section stands under it.
    """
    for block in section.blocks:
        kind = block.kind
        if kind == "heading" and not block.depth:
            parent = following is not None and following.level > section.level
            if not parent and block.words > TITLE_WORDS:
                return True
        elif block.words and (kind not in WEAK or following is None):
            return True  # a page of nothing but properties says what they say
        elif kind in _CONTAINERS:
            if _WORD.search(text, block.start, block.end):
                return True
        elif not is_weak(block, text):
            return True
    return False


def runs_of(sections: Sequence[Section], text: str, most_head: int) -> list[Run]:
    """Sections in runs; those without a body run into the next that has one.

    At most ``most_head`` characters lead into a body; what stands before them is in no run.
    """
    runs: list[Run] = []
    first = 0
    for index, section in enumerate(sections):
        following = sections[index + 1] if index + 1 < len(sections) else None
        if has_body(section, following, text):
            while first < index and section.char_start - sections[first].char_start > most_head:
                first += 1
            runs.append(Run(first, sections[first : index + 1], True))
            first = index + 1
    if first < len(sections):
        runs.append(Run(first, sections[first:], False))
    return runs


def subtree_ends(blocks: Sequence[Block]) -> list[int]:
    """For each block of a preorder list, the index after its last descendant."""
    ends = [len(blocks)] * len(blocks)
    open_blocks: list[int] = []
    for index, block in enumerate(blocks):
        while open_blocks and blocks[open_blocks[-1]].depth >= block.depth:
            ends[open_blocks.pop()] = index
        open_blocks.append(index)
    return ends
