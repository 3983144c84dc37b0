"""What the parse of a note found odd, for ``documents.warnings``.

Belongs here: oddities of structure a writer would like to hear of. Stays out: judging chunks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from notes_pipeline.lines import Lines
from notes_pipeline.records import Block, Document, Section

_FENCE = re.compile(r"`{3,}|~{3,}")


def warnings(document: Document, sections: Sequence[Section]) -> tuple[str, ...]:
    """Codes with a place: ``unclosed_fence: line 12`` for a fence that runs to the end of its container.

    ``unclosed_comment: line 30`` for a ``<!--`` that hides all that follows, headings too.
    """
    text = document.text or ""
    found = [
        (block.start, code)
        for section in sections
        for block in section.blocks
        if (code := _oddity(block, text))
    ]
    if not found:
        return ()
    lines = Lines(text)
    return tuple(f"{code}: line {lines.number(start)}" for start, code in found)


def _oddity(block: Block, text: str) -> str:
    if block.kind == "fence":
        return "unclosed_fence" if _is_open(text[block.start : block.end].strip()) else ""
    if block.kind == "html" and text.startswith("<!--", _first(text, block.start)):
        return "" if text.find("-->", block.start, block.end) >= 0 else "unclosed_comment"
    return ""


def _first(text: str, start: int) -> int:
    """Where the first character stands that neither indents nor quotes."""
    while start < len(text) and text[start] in " \t>":
        start += 1
    return start


def _is_open(source: str) -> bool:
    opener = _FENCE.match(source)
    if opener is None:
        return False
    last = source[max(source.rfind("\n"), source.rfind("\r")) + 1 :].strip(" \t>")
    return last == source or not (last.startswith(opener[0]) and not last.strip(opener[0][0]))
