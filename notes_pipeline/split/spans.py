"""Bytes to characters: exact spans of blocks in the decoded text.

Belongs here: offsets. Stays out: what the blocks are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from notes_pipeline.split.blocks import Node

_LINE_END = re.compile(r"[\r\n]")


def to_characters(body: str, offsets: Sequence[int]) -> list[int]:
    """Byte offsets of ``body`` in UTF-8 as code points, in linear time and a byte of memory a byte."""
    if body.isascii() or not offsets:
        return list(offsets)
    data = np.frombuffer(body.encode(), dtype=np.uint8)
    places, inverse = np.unique(np.asarray(offsets, dtype=np.int64), return_inverse=True)
    first_bytes = ((data & 0xC0) != 0x80).view(np.uint8)
    counts = np.add.reduceat(np.append(first_bytes, np.uint8(0)), np.append(0, places), dtype=np.int64)
    # The last segment runs to the end; each other one to the next place. Equal places give a wrong
    # count in reduceat, hence the unique ones; a place 0 doubles the start and counts for nothing.
    counts[:-1][np.diff(np.append(0, places)) == 0] = 0
    return [int(count) for count in np.cumsum(counts[:-1])[inverse]]


def place(nodes: Sequence[Node], body: str) -> None:
    """Makes the spans of ``nodes`` characters of ``body``, without the blanks around them.

    Blocks of depth 0 are widened to whole lines; the others start and end at a non-blank character.
    """
    ends = to_characters(body, [offset for node in nodes for offset in (node.start, node.end)])
    trimmed: dict[int, int] = {}
    for index, node in enumerate(nodes):
        start, end = ends[2 * index], ends[2 * index + 1]
        if end not in trimmed:
            trimmed[end] = _last_nonblank(body, end)
        end = trimmed[end]
        if node.depth == 0:
            node.start = line_start(body, start)
            node.end = max(line_end(body, end), node.start)
        else:
            node.start = _first_nonblank(body, start, end)
            node.end = max(end, node.start)
        if node.kind == "row" and nodes[index - 1].kind == "table":
            node.end = _delimiter_end(body, node.end)


def _delimiter_end(text: str, end: int) -> int:
    """End of the line below a table's header, which is its delimiter row."""
    line = line_end(text, end)
    following = line + (2 if text.startswith("\r\n", line) else 1)
    return _last_nonblank(text, line_end(text, following))


def line_start(text: str, offset: int) -> int:
    """Where the line of ``offset`` starts."""
    newline = text.rfind("\n", 0, offset)
    carriage = text.rfind("\r", newline + 1, offset)
    return max(newline, carriage) + 1


def line_end(text: str, offset: int) -> int:
    """Where the line of ``offset`` ends, its break excluded."""
    found = _LINE_END.search(text, offset)
    return found.start() if found else len(text)


def _last_nonblank(text: str, end: int) -> int:
    while end > 0 and text[end - 1].isspace():
        end -= 1
    return end


def _first_nonblank(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
