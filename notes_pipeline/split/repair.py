"""Mends the edges of pieces: a trailing heading finds a body, a comment at an edge leaves.

Belongs here: what is glued or trimmed after merging. Stays out: gluing inside a section.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from notes_pipeline.records import Block, Section
from notes_pipeline.split.expand import trimmed_end
from notes_pipeline.split.limits import Limits
from notes_pipeline.split.pieces import Piece


def append_trailing(pieces: Sequence[Piece], sections: Sequence[Section], text: str, limits: Limits) -> None:
    """Headings after the last body join the last piece, as far as they fit."""
    if not pieces:
        return
    piece = pieces[-1]
    for index in range(piece.last + 1, len(sections)):
        blocks = sections[index].blocks
        end = trimmed_end(text, piece.start, blocks[-1].end) if blocks else piece.end
        if end - piece.start > limits.characters:
            return
        piece.end, piece.last = end, index


def trim_comments(pieces: Sequence[Piece], sections: Sequence[Section], text: str) -> None:
    """Comments at the edges of a piece stand outside it: they are discards, not text."""
    if "<!--" not in text and "%%" not in text:
        return
    for piece in pieces:
        _trim_start(piece, sections)
        _trim_end(piece, sections, text)


def _trim_start(piece: Piece, sections: Sequence[Section]) -> None:
    while _is_comment(block := sections[piece.section].blocks[piece.block]) and block.start >= piece.start:
        piece.block += 1
        while piece.block >= len(sections[piece.section].blocks):
            piece.section, piece.block = piece.section + 1, 0
        piece.start = sections[piece.section].blocks[piece.block].start


def _trim_end(piece: Piece, sections: Sequence[Section], text: str) -> None:
    while piece.last >= piece.section:
        blocks = sections[piece.last].blocks
        at = bisect_left(blocks, piece.end, key=lambda block: block.start) - 1
        if at < 0:
            piece.last -= 1
            continue
        if not _is_comment(blocks[at]) or blocks[at].end < piece.end:
            return
        piece.end = trimmed_end(text, piece.start, blocks[at].start)


def _is_comment(block: Block) -> bool:
    return block.kind == "comment" and not block.depth
