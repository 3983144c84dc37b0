"""What is read of a block that is cut, in the part of it that one chunk holds.

Belongs here: reading a slice of a block's source without its parse. Stays out: whole blocks
(their ``plain``), rows (``cells``).
"""

from __future__ import annotations

import re

from notes_pipeline.records import Block
from notes_pipeline.split.hidden import without_hidden
from notes_pipeline.split.inline import inline_text
from notes_pipeline.split.plain import html_text

_BREAK = re.compile(r"\r\n|\n|\r")
_INK = re.compile(r"\S")
_MARGIN = " \t>"
_OPENING_MARKS = {
    "item": re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\](?=[ \t]))?(?:[ \t]+|$)"),
    "heading": re.compile(r"#{1,6}[ \t]+"),
    "paragraph": re.compile(r"\[![\w/ -]+(?:\|[^\]\n]*)?\][+-]?[ \t]*"),
}
"""What a block of a kind starts with and is not read with its words: a bullet, ``#``, ``[!note]``."""
_FENCE = re.compile(r"(`{3,}|~{3,})")


def part_text(text: str, block: Block, start: int, end: int) -> str:
    """Reading text of ``text[start:end]``, a part of ``block``; what is hidden in it is left out."""
    if block.kind == "fence":
        return "\n".join(_code_lines(text, block, start, end))
    if block.kind == "math":
        return "\n".join(_BREAK.split(text[start:end]))
    source = _BREAK.sub("\n", without_hidden(text, start, end, (block.start, block.end, block.kind)))
    if block.kind == "html":
        return html_text(source)
    lines = [line.lstrip(_MARGIN) for line in source.rstrip().split("\n")]
    if start <= block.start:
        lines = _without_opening_mark(lines, block)
    if block.kind == "property":
        return "\n".join(map(inline_text, lines))
    return inline_text("\n".join(lines))


def _without_opening_mark(lines: list[str], block: Block) -> list[str]:
    mark = _OPENING_MARKS.get(block.kind)
    found = mark.match(lines[0]) if mark else None
    if not found or block.plain.startswith(found[0]):
        return lines
    rest = lines[0][found.end() :]
    return [rest, *lines[1:]] if rest else lines[1:]


def _code_lines(text: str, block: Block, start: int, end: int) -> list[str]:
    """The lines of code; of the fence's own two lines, the one that lies in the part is left out."""
    lines = _BREAK.split(text[start:end])
    opener = _FENCE.match(text[block.start : block.start + 400].lstrip(_MARGIN))
    if opener is None:
        return lines
    if start <= block.start:
        del lines[0]
    is_last = _INK.search(text, end, block.end) is None
    if is_last and lines and _closes(lines[-1], opener[1]):
        del lines[-1]
    return lines


def _closes(line: str, opener: str) -> bool:
    marks = line.strip(_MARGIN)
    return marks.startswith(opener) and not marks.strip(opener[0])
