"""What no chunk holds: every non-blank rest of a document becomes a discard with its reason.

Belongs here: the account that closes law 1, by taking the complement of the pieces. Stays out:
deciding what a piece holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from notes_pipeline.discards import discard_span
from notes_pipeline.lines import Lines
from notes_pipeline.records import Discard, Document, Section
from notes_pipeline.split.expand import trimmed_end
from notes_pipeline.split.pieces import Piece

_INK = re.compile(r"\S")
_COMMENT = re.compile(r"\s*(?:<!--|%%)")
_AS_FOLLOWS = ""
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
    document: Document, text: str, lines: Lines, sections: Sequence[Section], pieces: Sequence[Piece]
) -> Iterator[Discard]:
    """A discard for each stretch of one kind that lies in no piece; front matter first."""
    body = document.front_matter_end
    stretches = []
    if _INK.search(text, 0, body):
        stretches.append((0, body, "front_matter"))
    starts = [section.char_start for section in sections]
    position = body
    for piece in pieces:
        stretches += _stretches(text, sections, starts, position, piece.start)
        position = max(position, piece.end)
    stretches += _stretches(text, sections, starts, position, len(text))
    for start, end, reason in stretches:
        first = _INK.search(text, start, end)
        if first:
            span = first.start(), trimmed_end(text, first.start(), end)
            yield discard_span(
                document.source_path, document.notebook, span, reason, source=text, lines=lines
            )


def _stretches(
    text: str, sections: Sequence[Section], starts: Sequence[int], start: int, end: int
) -> list[tuple[int, int, str]]:
    """``text[start:end]`` in stretches of one reason each; empty where it is blank."""
    if start >= end or not _INK.search(text, start, end):
        return []
    marks = [(start, "uncovered")]
    headed = _section_cut_at(sections, starts, end)
    for section in sections[max(0, bisect_right(starts, start) - 1) :]:
        if section.char_start >= end:
            break
        has_body = headed[: len(section.heading_path)] == section.heading_path
        marks += [
            (max(start, block.start), _reason(text, max(start, block.start), block.kind, has_body))
            for block in section.blocks
            if not block.depth and block.start < end and block.end > start
        ]
    return _merged(marks, end)


def _section_cut_at(sections: Sequence[Section], starts: Sequence[int], end: int) -> tuple[str, ...]:
    """Path of the section in which the stretch before ``end`` ends and a piece begins."""
    at = bisect_right(starts, end - 1) - 1
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
