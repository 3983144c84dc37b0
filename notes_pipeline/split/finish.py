"""Pieces become chunks: ids, hashes, lines, reading text, findings in the chunk's own offsets.

Belongs here: the one place that builds a Markdown ``Chunk``. Stays out: where it starts and ends.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from notes_pipeline.ids import Keys
from notes_pipeline.lines import LineWalk
from notes_pipeline.records import Chunk, Document, Finding, Section, new_chunk
from notes_pipeline.settings import Settings
from notes_pipeline.split.embed import Reader
from notes_pipeline.split.marks import BLOCK_BREAK
from notes_pipeline.split.pieces import Piece, path_label

_INLINE_COMMENT = re.compile(
    rf"<!--.*?-->|(?:(?<=[\s(])|\A)%%(?:(?!{BLOCK_BREAK.pattern}| \| ).)*?%%", re.DOTALL
)
_TRAIL_SHARE = 4
"""The heading trail may take this part of a chunk's words."""
_CHARACTERS_A_WORD = 6


class Finisher:
    """Makes the chunks of one document."""

    def __init__(
        self, document: Document, text: str, sections: Sequence[Section], settings: Settings
    ) -> None:
        preset = settings.preset
        budget = preset.soft_words or preset.hard_words or preset.hard_characters // _CHARACTERS_A_WORD
        self._document = document
        self._text = text
        self._sections = sections
        self._settings_hash = settings.hash
        self._reader = Reader(document, text, sections, max(1, budget // _TRAIL_SHARE))
        self._has_comments = "<!--" in text or "%%" in text

    def chunks(self, pieces: Iterable[Piece]) -> list[Chunk]:
        """The chunks of ``pieces``, in their order."""
        keys, lines = Keys(self._document.source_path), LineWalk(self._text)
        return [self._chunk(index, piece, keys, lines) for index, piece in enumerate(pieces)]

    def _chunk(self, index: int, piece: Piece, keys: Keys, lines: LineWalk) -> Chunk:
        document, start, end = self._document, piece.start, piece.end
        text = self._text[start:end]
        embed_text, left_out = self._reader.read(piece)
        findings = [*piece.findings, *left_out]
        if self._has_comments and ("<!--" in text or "%%" in text):
            findings += self._inline_comments(text, piece, findings)
        chunk_id, content_hash = keys.names(piece.path, text)
        first, last = lines.range(start, end)
        return new_chunk(  # in the record's order: by name they would cost twice as much as the record itself
            chunk_id,
            f"{keys.prefix}{index}",  # locator
            content_hash,
            document.source_path,
            document.source_type,
            document.notebook,
            index,
            piece.path,
            text,
            embed_text,
            start,
            end,
            first,
            last,
            None,  # sheet
            None,  # row_number
            None,  # template
            None,  # part
            piece.words,
            piece.sentences,
            None,  # token_count
            piece.is_sub_split,
            tuple([path_label(part) for part in piece.joined]) if piece.joined else (),
            "",  # semantic_type
            "ok",  # quality
            _in_chunk(findings, piece) if findings else (),
            "keep",  # decision
            "",  # decision_reason
            None,  # duplicate_of
            self._settings_hash,
        )

    def _inline_comments(self, text: str, piece: Piece, known: Sequence[Finding]) -> list[Finding]:
        """Comments inside a paragraph, item or HTML block; not those shown as code."""
        found = []
        for match in _INLINE_COMMENT.finditer(text):
            start, end = piece.start + match.start(), piece.start + match.end()
            if any(
                finding.rule == "comment" and finding.start < end and finding.end > start for finding in known
            ):
                continue
            if self._kind_at(piece, start) not in ("fence", "math") and text[match.start() - 1] != "`":
                found.append(Finding("comment", start, end, "left out of embed_text"))
        return found

    def _kind_at(self, piece: Piece, offset: int) -> str:
        for section in self._sections[piece.section : piece.last + 1]:
            if section.char_start <= offset < section.char_end:
                at = bisect_right(section.blocks, offset, key=lambda block: block.start) - 1
                return section.blocks[at].kind if at >= 0 else ""
        return ""


def _in_chunk(findings: Sequence[Finding], piece: Piece) -> tuple[Finding, ...]:
    """Findings in offsets of the chunk's text, in order, clipped to it."""
    size = piece.end - piece.start
    moved = (
        Finding(rule, max(0, start - piece.start), min(size, end - piece.start), note)
        for rule, start, end, note in findings
    )
    return tuple(sorted(moved, key=lambda finding: (finding.start, finding.rule)))
