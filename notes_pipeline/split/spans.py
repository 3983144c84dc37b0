"""Bytes to characters: exact spans of blocks in the decoded text.

Belongs here: offsets. Stays out: what the blocks are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from notes_pipeline.split.blocks import Node

FEW_WIDE_BYTES = 100_000
"""Bytes beyond the first of their characters up to which their places are listed (memory: 36 bytes each)."""

_BREAKS = "\r\n"
_BLANKS = frozenset(" \t\r\n")
_BREAK = re.compile(r"[\r\n]")


def to_characters(body: str, offsets: Iterable[int]) -> dict[int, int]:
    """Each byte offset of ``body`` in UTF-8 with the code points before it; linear in ``body``.

    Offsets stand between characters, as the parser's do.
    """
    places = sorted({0, *offsets})
    data = body.encode()
    characters = {0: 0}
    count = 0
    for start, end in pairwise(places):
        count += len(data[start:end].decode())
        characters[end] = count
    return characters


def place(nodes: list[Node], body: str) -> list[Node]:
    """``nodes`` with spans in characters of ``body``, without the blanks around them.

    Blocks of depth 0 are widened to whole lines; the others start and end at a non-blank character.
    Blocks of nothing but blanks (a lone line separator is text for the parser) are dropped.
    """
    if not body.isascii():
        _to_characters(nodes, body)
    blank = False
    trimmed: dict[int, int] = {}
    for node in nodes:
        start, end = node.start, node.end
        if end - start > 1 and body[end - 1] == "\n":
            end -= 1  # nearly always a block's own, with its last character in front of it
        if end <= start or body[end - 1].isspace():
            end = trimmed.get(node.end, -1)
            if end < 0:
                end = trimmed[node.end] = _last_nonblank(body, node.end)
            if end <= start:
                blank = True
                node.end = -1
                continue
        if node.depth == 0:
            node.start = start if start == 0 or body[start - 1] == "\n" else line_start(body, start)
            node.end = line_end(body, end)
        else:
            node.start = _first_nonblank(body, start, end) if body[start] in _BLANKS else start
            node.end = end
        if node.info and node.kind == "row":
            node.end = _delimiter_end(body, node.end)
    return [node for node in nodes if node.end >= 0] if blank else nodes


def _to_characters(nodes: Sequence[Node], body: str) -> None:
    data = body.encode()
    if len(data) - len(body) <= FEW_WIDE_BYTES:
        # A few accents and quotes: each offset less the continuation bytes before it.
        behind = np.flatnonzero((np.frombuffer(data, dtype=np.uint8) & 0xC0) == 0x80).tolist()
        for node in nodes:
            node.start -= bisect_left(behind, node.start)
            node.end -= bisect_left(behind, node.end)
        return
    characters = to_characters(body, (offset for node in nodes for offset in (node.start, node.end)))
    for node in nodes:
        node.start = characters[node.start]
        node.end = characters[node.end]


def line_start(text: str, offset: int) -> int:
    """Where the line of ``offset`` starts."""
    if offset == 0 or text[offset - 1] in _BREAKS:
        return offset
    newline = text.rfind("\n", 0, offset)
    return max(newline, text.rfind("\r", newline + 1, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """Where the line of ``offset`` ends, its break excluded."""
    if offset >= len(text) or text[offset] in _BREAKS:
        return offset
    found = _BREAK.search(text, offset)
    return found.start() if found else len(text)


def _delimiter_end(text: str, end: int) -> int:
    """End of the line below a table's header, which is its delimiter row."""
    line = line_end(text, end)
    following = line + (2 if text.startswith("\r\n", line) else 1)
    return _last_nonblank(text, line_end(text, following))


def _last_nonblank(text: str, end: int) -> int:
    while end > 0 and text[end - 1].isspace():
        end -= 1
    return end


def _first_nonblank(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
