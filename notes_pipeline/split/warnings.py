"""What the parse of a note found odd, for ``documents.warnings``.

Belongs here: oddities of structure a writer would like to hear of. Stays out: judging chunks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from notes_pipeline.lines import Lines
from notes_pipeline.records import Document, Section

_FENCE = re.compile(r"`{3,}|~{3,}")


def warnings(document: Document, sections: Sequence[Section]) -> tuple[str, ...]:
    """Codes with a place: ``unclosed_fence: line 12`` for a fence that runs to the end of its container."""
    text = document.text or ""
    fences = [block for section in sections for block in section.blocks if block.kind == "fence"]
    open_fences = [block.start for block in fences if _is_open(text[block.start : block.end].strip())]
    if not open_fences:
        return ()
    lines = Lines(text)
    return tuple(f"unclosed_fence: line {lines.number(start)}" for start in open_fences)


def _is_open(source: str) -> bool:
    opener = _FENCE.match(source)
    if opener is None:
        return False
    last = source[max(source.rfind("\n"), source.rfind("\r")) + 1 :].strip(" \t>")
    return last == source or not (last.startswith(opener[0]) and not last.strip(opener[0][0]))
