"""What no chunk holds: every non-blank rest of a document becomes a discard with its reason.

Belongs here: the account that closes law 1, by taking the complement of the pieces. Stays out:
deciding what a piece holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter

from notes_pipeline.discards import discard_span
from notes_pipeline.lines import LineWalk
from notes_pipeline.records import Block, Discard, Document, Section
from notes_pipeline.split.expand import trimmed_end
from notes_pipeline.split.pieces import Piece

_INK = re.compile(r"\S")
_COMMENT = re.compile(r"\s*(?:<!--|%%)")
_AS_FOLLOWS = ""
_section_start, _block_start = attrgetter("char_start"), attrgetter("start")
_REASONS = {
    "heading": "heading_only",
    "comment": "comment",
    "reference": "reference",
    "property": "property",
    "rule": "rule",
    "html": "markup",
    "paragraph": "markup",
    "list": "no_words",
    "quote": "no_words",
    "footnote": "no_words",
    "table": "no_words",
}


def gaps(
    document: Document, text: str, sections: Sequence[Section], pieces: Sequence[Piece]
) -> list[Discard]:
    """A discard for each stretch of one kind that lies in no piece, in order; front matter first."""
    body = document.front_matter_end
    stretches = [(0, body, "front_matter")] if body else []
    position = body
    for piece in pieces:
        if piece.start > position and not text[position : piece.start].isspace():
            stretches += _stretches(text, sections, position, piece.start)
        if piece.end > position:
            position = piece.end
    if position < len(text):
        stretches += _stretches(text, sections, position, len(text))
    lines = LineWalk(text)
    made = []
    for start, end, reason in stretches:
        first = _INK.search(text, start, end)
        if first:
            span = first.start(), trimmed_end(text, first.start(), end)
            made.append(
                discard_span(document.source_path, document.notebook, span, reason, source=text, lines=lines)
            )
    return made


def _stretches(text: str, sections: Sequence[Section], start: int, end: int) -> list[tuple[int, int, str]]:
    """``text[start:end]`` in stretches of one reason each; empty where it is blank."""
    if not _INK.search(text, start, end):
        return []
    marks = [(start, "uncovered")]
    headed = _section_cut_at(sections, end)
    first = bisect_right(sections, start, key=_section_start) - 1
    for at in range(max(0, first), len(sections)):
        section = sections[at]
        if section.char_start >= end:
            break
        has_body = headed[: len(section.heading_path)] == section.heading_path
        marks += _marks(text, section.blocks, start, end, has_body)
    return _merged(marks, end)


def _marks(
    text: str, blocks: Sequence[Block], start: int, end: int, has_body: bool
) -> Iterator[tuple[int, str]]:
    """Where each top-level block in ``text[start:end]`` starts, and why it is in no chunk."""
    at = max(0, bisect_right(blocks, start, key=_block_start) - 1)
    while at and blocks[at].depth:
        at -= 1
    for index in range(at, len(blocks)):  # by place: an iterator would pass all blocks before it
        block = blocks[index]
        if block.start >= end:
            return
        if not block.depth and block.end > start:
            first = max(start, block.start)
            yield first, _reason(text, first, block.kind, has_body)


def _section_cut_at(sections: Sequence[Section], end: int) -> tuple[str, ...]:
    """Path of the section in which the stretch before ``end`` ends and a piece begins."""
    at = bisect_right(sections, end - 1, key=_section_start) - 1
    return sections[at].heading_path if at >= 0 and sections[at].char_end > end else ()


def _reason(text: str, start: int, kind: str, has_body: bool) -> str:
    """Why a block is in no chunk; of a heading whose body is in one, what stands between them says it."""
    if kind == "heading" and has_body:
        return _AS_FOLLOWS
    if kind == "paragraph" and _COMMENT.match(text, start):
        return "comment"
    return _REASONS.get(kind, "uncovered")


def _merged(marks: Sequence[tuple[int, str]], end: int) -> list[tuple[int, int, str]]:
    merged: list[tuple[int, int, str]] = []
    for (start, reason), (stop, _) in zip(marks, [*marks[1:], (end, "")], strict=True):
        if stop <= start:
            continue
        if merged and merged[-1][2] == _AS_FOLLOWS:
            merged[-1] = (merged[-1][0], stop, reason)
            continue
        # A rule between two headings belongs to them.
        if merged and (merged[-1][2] == reason or reason == "rule"):
            merged[-1] = (merged[-1][0], stop, merged[-1][2])
        else:
            merged.append((start, stop, reason))
    return [(start, stop, reason or "heading_only") for start, stop, reason in merged]
