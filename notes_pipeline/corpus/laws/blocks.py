"""Laws about blocks: fences, table rows, list items and words stay whole; headings keep their bodies.

They bind every preset but those that cut blindly by design (``glue`` off): such a preset may cut
blocks, and one that counts characters may cut words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from notes_pipeline.corpus.laws.material import Material, span
from notes_pipeline.records import Block, Chunk
from notes_pipeline.settings import Settings
from notes_pipeline.split.units import WEAK, is_title
from notes_pipeline.words import count_words

WHOLE = frozenset(("fence", "row", "item"))
"""Kinds that no border of a chunk may lie inside."""

_LEADING = WEAK | {"heading"}
"""Kinds that stay with the body after them."""

_INTRODUCED = frozenset(("list", "table", "fence", "quote", "math"))
_MAY_LEAD_IN = frozenset(("paragraph",))
_END_MARKS = "*_~= \t\r\n"


class Whole(NamedTuple):
    """A block that must stay in one piece, with everything it holds, without blanks at its end."""

    kind: str
    start: int
    end: int
    words: int
    lead: int
    """Characters before it that must stay with it: headings, quote marks, indentation."""


def blocks_whole(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 6: no border lies inside a fence, a table row or a list item that fits a chunk."""
    if not settings.preset.glue or material.text is None:
        return
    borders = _borders(material)
    at = 0
    for block in sorted(_whole_blocks(material), key=lambda it: it.start):
        while at < len(borders) and borders[at][0] <= block.start:
            at += 1
        if at < len(borders) and borders[at][0] < block.end:
            border, chunk = borders[at]
            if _fits(block, settings):
                yield material.line(border), f"{chunk.locator} cuts a {block.kind} that fits a chunk"
            elif not (chunk.is_sub_split or chunk.findings):
                yield material.line(border), f"{chunk.locator} cuts a {block.kind} and does not say so"


def _borders(material: Material) -> list[tuple[int, Chunk]]:
    """Sorted starts and ends of chunks."""
    ends = [(offset, chunk) for chunk in material.slices for offset in span(chunk)]
    return sorted(ends, key=lambda pair: pair[0])


def _whole_blocks(material: Material) -> Iterator[Whole]:
    """Blocks that must stay whole, each with the words of all it holds; linear in the blocks.

    A block is measured from the start of its line, with the headings that must stay with it.
    """
    source = material.text or ""
    for section in material.sections:
        first, top = 0, ""
        words = _words_within(section.blocks)
        for block, inner in zip(section.blocks, words, strict=True):
            if block.depth == 0:
                first, top = first if top in _LEADING else block.start, block.kind
            if block.kind in WHOLE:
                end = block.start + len(source[block.start : block.end].rstrip())
                line = material.lines.start(block.start)
                lead = block.start - (first if _in_first(section.blocks, block) else line)
                yield Whole(block.kind, block.start, end, inner, lead)


def _in_first(blocks: tuple[Block, ...], block: Block) -> bool:
    """Whether ``block`` stands in the first block of its section that is a body."""
    body = next((one for one in blocks if one.depth == 0 and one.kind not in _LEADING), block)
    return body.start <= block.start < body.end


def _words_within(blocks: tuple[Block, ...]) -> list[int]:
    """For each block of a preorder list, its own words and those of all blocks below it."""
    totals = [block.words for block in blocks]
    path: list[int] = []
    for at, block in enumerate(blocks):
        while path and blocks[path[-1]].depth >= block.depth:
            _hand_up(totals, path)
        path.append(at)
    while path:
        _hand_up(totals, path)
    return totals


def _hand_up(totals: list[int], path: list[int]) -> None:
    child = path.pop()
    if path:
        totals[path[-1]] += totals[child]


def _fits(block: Whole, settings: Settings) -> bool:
    preset = settings.preset
    characters = block.end - block.start + block.lead
    return characters <= preset.hard_characters and (
        preset.hard_words is None or block.words <= preset.hard_words
    )


def words_whole(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 6: no border lies inside a word that fits a chunk; scripts without blanks have no such words."""
    source = material.text
    if source is None or settings.preset.unit == "character":
        return
    for border, chunk in _borders(material):
        inside = 0 < border < len(source) and source[border - 1].isalnum() and source[border].isalnum()
        if inside and _one_word(source, border, settings.preset.hard_characters):
            yield material.line(border), f"{chunk.locator} cuts a word at {border}"


_WORD_BEFORE = re.compile(r"[^\W_]+\Z")
_WORD_AFTER = re.compile(r"[^\W_]+")


def _one_word(source: str, border: int, limit: int) -> bool:
    """Whether the run around ``border`` is one word of a script with blanks, short enough for a chunk."""
    if count_words(source[border - 1 : border + 1]) != 1 or _dense(source[border - 1 : border + 1]):
        return False
    before = _WORD_BEFORE.search(source, max(0, border - limit), border)
    after = _WORD_AFTER.match(source, border, border + limit)
    return len(before.group() if before else "") + len(after.group() if after else "") <= limit


def _dense(pair: str) -> bool:
    """Whether either character belongs to a script in which two characters make a word."""
    return any(count_words(character * 3) == 2 for character in pair)


def heading_alone(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 7: no chunk is made of headings only; a paragraph marked as a heading is no heading."""
    if not settings.preset.glue or material.text is None:
        return
    bodies = [
        (block.start, block.end)
        for section in material.sections
        for block in section.blocks
        if block.depth == 0 and not is_title(block)
    ]
    ends = [end for _, end in bodies]
    for chunk in material.slices:
        start, end = span(chunk)
        first = bisect_right(ends, start)
        if first == len(bodies) or bodies[first][0] >= end:
            yield material.line(start), f"{chunk.locator} is a heading without its body"


def lead_in(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 7: no chunk ends in a lead-in (":") whose list or block was given to the next."""
    if not settings.preset.glue or material.text is None:
        return
    ends = {span(chunk)[1]: chunk for chunk in material.slices}
    for section in material.sections:
        words = _words_within(section.blocks)
        top = [at for at, block in enumerate(section.blocks) if block.depth == 0]
        for at, after in pairwise(top):
            block, following = section.blocks[at], section.blocks[after]
            chunk = ends.get(block.end)
            if chunk is None or following.kind not in _INTRODUCED or not _leads_in(material.text, block):
                continue
            first = _first_whole(section.blocks, after)
            size = section.blocks[first].end - block.start
            if _leaves_room(block, words[at], settings) and _fit(words[at] + words[first], size, settings):
                detail = f"{chunk.locator} ends in a lead-in, and what it introduces is in the next"
                yield material.line(block.start), detail


def _first_whole(blocks: tuple[Block, ...], at: int) -> int:
    """The block that must follow a lead-in in one piece: of a list the first item, else all of it."""
    following = at + 1
    return following if blocks[at].kind == "list" and following < len(blocks) else at


def _fit(words: int, characters: int, settings: Settings) -> bool:
    preset = settings.preset
    return characters <= preset.hard_characters and (preset.hard_words is None or words <= preset.hard_words)


def _leads_in(source: str, block: Block) -> bool:
    return block.kind in _MAY_LEAD_IN and source[block.start : block.end].rstrip(_END_MARKS).endswith(
        (":", "：")
    )


def _leaves_room(block: Block, words: int, settings: Settings) -> bool:
    """A lead-in that fills half a chunk by itself has no room for what it introduces."""
    preset = settings.preset
    fits = preset.hard_words is None or words * 2 <= preset.hard_words
    return fits and (block.end - block.start) * 2 <= preset.hard_characters
