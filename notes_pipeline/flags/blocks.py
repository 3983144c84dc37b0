"""Blocks that lost a part: a table its header, a fence its end, a footnote its definition.

Belongs here: rules about structure. Stays out: rules about wording.
"""

from __future__ import annotations

import re

from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding

_INK = re.compile(r"\S")
_FENCE = re.compile(r"^[ \t>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})", re.MULTILINE)
_FOOTNOTE = re.compile(r"\[\^([^\]\s^]{1,60})\](?!:)")
TABLES = frozenset(("table", ""))
"""Kinds of the first block that may be the rest of a table."""
_TABLE_LINE = re.compile(r"\s*(?:>\s*)*\|")
_DELIMITER = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
_CELL = re.compile(r"[^\W_]{2,}")


def table_fragment(view: View) -> list[Finding]:
    """Starts inside a table whose header is in neither the chunk nor its reading text."""
    start = view.chunk.char_start
    if not _TABLE_LINE.match(view.text, view.body) or _DELIMITER.search(view.text, view.body):
        return []
    if view.blocks and start is not None:
        table = view.blocks[0]
        if table.kind not in TABLES or table.start >= start or _header_is_read(view, table.start):
            return []
    note = "starts inside a table and its header is not here"
    end = view.text.find("\n", view.body)
    return [Finding("table_fragment", view.body, end if end > 0 else len(view.text), note)]


def _header_is_read(view: View, table_start: int) -> bool:
    source = view.around.document.text or ""
    end = source.find("\n", table_start)
    header = _CELL.findall(source[table_start : end if end > 0 else None])
    return all(cell in view.chunk.embed_text for cell in header)


def unbalanced(view: View) -> list[Finding]:
    """A code fence that opens here and closes elsewhere, or the other way round."""
    text = view.text
    # One character is found many times as fast as three, and few chunks hold it.
    if not ("`" in text and "```" in text) and not ("~" in text and "~~~" in text):
        return []
    open_mark, place = "", 0
    for match in _FENCE.finditer(text, view.body):
        mark = match.group(1)
        if not open_mark:
            open_mark, place = mark, match.start(1)
        elif mark[0] == open_mark[0] and len(mark) >= len(open_mark):
            open_mark = ""
    if open_mark and not _runs_to_the_end(view):
        note = "a code fence has only one of its two ends here"
        return [Finding("unbalanced", place, place + len(open_mark), note)]
    return []


def _runs_to_the_end(view: View) -> bool:
    """Whether the note itself leaves its last fence open: then nothing was cut."""
    source, end = view.around.document.text, view.chunk.char_end
    if source is None or end is None or view.last_kind != "fence":
        return False
    return _INK.search(source, end) is None  # a copy of the rest for each chunk would be quadratic


def unresolved_footnote(view: View) -> list[Finding]:
    """A footnote mark whose definition is in neither the chunk nor its reading text."""
    found = []
    for match in _FOOTNOTE.finditer(view.text, view.body):
        if f"[^{match.group(1)}]:" in view.text or _in_code(view, match.start()):
            continue
        if f"\n[{match.group(1)}] " in view.chunk.embed_text:
            continue  # read with the chunk
        note = "its footnote is not in the chunk"
        found.append(Finding("unresolved_footnote", match.start(), match.end(), note))
    return found


def _in_code(view: View, place: int) -> bool:
    line = view.text.rfind("\n", 0, place) + 1
    if view.text.count("`", line, place) % 2:
        return True
    at = (view.chunk.char_start or 0) + place
    return any(block.kind in ("fence", "math") and block.start <= at < block.end for block in view.blocks)
