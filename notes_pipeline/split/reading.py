"""The reading text of each kind of block.

Belongs here: what a fence, a row, a quote or an HTML block reads like. Stays out: inline marks (plain).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from notes_pipeline.split.blocks import CELL, Node
from notes_pipeline.split.inline import inline_text
from notes_pipeline.split.plain import html_text, reading_text
from notes_pipeline.words import count_words

MOST_NARROW_COLUMNS = 8
MOST_NARROW_WORDS = 12
"""A wider table, or one with longer cells, is read with each value's label."""

NOT_READ = frozenset(
    {"dataview", "dataviewjs", "query", "mermaid", "excalidraw", "compressed-json", "plantuml"}
)
"""Fences that are programs of an app: in the chunk, not in what is read of it."""

_RAW_HTML = re.compile(r"\{=html5?\}")
_DASHES = re.compile(r"^[ \t|+:=-]*$")
_MARKED = re.compile(r"[*_`\[]")


def plain_of(node: Node) -> str:
    """The reading text of one block alone, its children's left out."""
    return _PLAIN[node.kind](node)


def _text(node: Node) -> str:
    return reading_text(node.raw, node.kept)


def _nothing(_: Node) -> str:
    return ""


def _fence(node: Node) -> str:
    words = node.info.split(None, 1)
    if words and words[0].lower() in NOT_READ:
        return ""
    if _RAW_HTML.fullmatch(node.info.strip()):
        return _html(node)
    return node.raw.strip("\n").rstrip()


def _html(node: Node) -> str:
    text = html_text(node.raw)
    if not _MARKED.search(text):
        return text
    return "\n".join(inline_text(line) for line in text.split("\n"))


def _table(node: Node) -> str:
    """A table drawn with dashes: its lines without the rules. A pipe table's text is in its rows."""
    lines = (line.strip() for line in node.raw.splitlines() if not _DASHES.match(line))
    return "\n".join(" ".join(line.replace("|", " | ").split()).strip("| ") for line in lines)


_PLAIN: dict[str, Callable[[Node], str]] = {
    "heading": _text,
    "paragraph": _text,
    "item": _text,
    "row": _text,
    "list": _nothing,
    "quote": _nothing,
    "footnote": _nothing,
    "rule": _nothing,
    "comment": _nothing,
    "reference": _nothing,
    "property": _nothing,
    "table": _table,
    "fence": _fence,
    "html": _html,
    "math": lambda node: node.raw.strip(),
}


def rows_of_table(nodes: Sequence[Node]) -> list[str]:
    """The reading text of a pipe table's rows, the header first.

    Narrow tables read ``cell | cell``; wide ones ``Header: value; …`` in each row, and nothing for
    the header, whose words stand in every row.
    """
    rows = [[reading_text(cell) for cell in _cells(node)] for node in nodes]
    wide = len(rows[0]) > MOST_NARROW_COLUMNS or any(
        len(cell) > MOST_NARROW_WORDS and count_words(cell) > MOST_NARROW_WORDS
        for row in rows
        for cell in row
    )
    if not wide or len(rows) == 1:
        return [CELL.join(row) for row in rows]
    return ["", *(_labelled(rows[0], row) for row in rows[1:])]


def _cells(node: Node) -> list[str]:
    raw = node.raw
    for piece in node.kept:
        raw = raw.replace("\x01", piece, 1)
    return raw.split(CELL)


def _labelled(header: Sequence[str], row: Sequence[str]) -> str:
    labels = [*header, *[""] * (len(row) - len(header))]
    pairs = zip(labels, row, strict=False)
    return "; ".join(f"{name}: {value}" if name else value for name, value in pairs if value)
