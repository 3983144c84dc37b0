"""The reading text of each kind of block.

Belongs here: what a fence, a row, a quote or an HTML block reads like, and which paragraphs are
something else for that. Stays out: inline marks (plain).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from notes_pipeline.split.blocks import Node
from notes_pipeline.split.inline import inline_text
from notes_pipeline.split.plain import KEPT, PIPE, PROPERTY_LINES, SOFT, html_text, marks_in, reading_text

NOT_READ = frozenset(
    {"dataview", "dataviewjs", "query", "mermaid", "excalidraw", "compressed-json", "plantuml"}
)
"""Fences that are programs of an app: in the chunk, not in what is read of it."""

_RAW_HTML = re.compile(r"\{=html5?\}")
_BREAK_BETWEEN_WORDS = re.compile(r"(?<=\w)\n(?=\w)")
_FIELD = r"[A-Z][\w /()-]{0,40}:(?: [^\x00\n]*)?"
_FIELDS = re.compile(rf"{_FIELD}(?:\x00{_FIELD})+")
"""Lines that each name something and say what it is: the properties below the title of an export."""
_MARKED = re.compile(r"[*_`\[]")


def plain_texts(nodes: Sequence[Node]) -> list[str]:
    """The reading text of each block alone, its children's left out.

    A paragraph that turns out to be a formula, a comment or properties takes that kind.
    """
    # Most blocks are words and nothing else: what marks there are at all is asked once a document.
    marks = marks_in([node.raw for node in nodes])
    plains = []
    for node in nodes:
        raw, kind = node.raw, node.kind
        if kind == "item" or kind == "paragraph":
            for mark in marks:
                if mark in raw:
                    plains.append(_plain(node))
                    break
            else:
                plains.append(raw.strip() if raw[:1] != ":" else _plain(node))
        elif raw == KEPT and kind == "heading" and PIPE not in node.kept[0]:
            plains.append(node.kept[0].strip())  # its title, read already
        else:
            plains.append(_plain(node) if raw or kind == "fence" else "")
    return plains


def _plain(node: Node) -> str:
    plain = _PLAIN[node.kind](node)
    return plain.replace(PIPE, "|") if PIPE in plain else plain


def _text(node: Node) -> str:
    return reading_text(node.raw, node.kept)


def _paragraph(node: Node) -> str:
    if SOFT in node.raw and ":" in node.raw and _FIELDS.fullmatch(node.raw):
        node.raw = node.raw.replace(SOFT, "\n")
    plain = reading_text(node.raw, node.kept)
    if not plain:
        if "::" in node.raw:
            node.kind = "property"
        elif node.raw.startswith("%%"):
            node.kind = "comment"
    elif plain.startswith("$$") and node.raw == KEPT:
        node.kind = "math"
    elif not node.start and "::" in node.raw and PROPERTY_LINES.fullmatch(node.raw):
        node.kind = "property"  # of the page: read with what follows, never alone
    return plain


def _nothing(_: Node) -> str:
    return ""


def _fence(node: Node) -> str:
    words = node.info.split(None, 1)
    if words and words[0].lower() in NOT_READ:
        return ""
    if node.info and _RAW_HTML.fullmatch(node.info.strip()):
        node.kind, node.info = "html", ""
        return _html(node)
    return node.raw.strip("\n").rstrip()


def _html(node: Node) -> str:
    text = html_text(node.raw)
    if not text and node.raw.lstrip().startswith("<!--") and node.raw.rstrip().endswith("-->"):
        node.kind = "comment"
    if not _MARKED.search(text):
        return text
    return "\n".join(inline_text(line) for line in text.split("\n"))


def _row(node: Node) -> str:
    """The cells of a row, an empty first or last one too: their places say which column they are of."""
    plain = reading_text(node.raw, node.kept)
    if "\n" in plain:
        plain = _BREAK_BETWEEN_WORDS.sub(", ", plain).replace("\n", " ")
    if plain.startswith("| ") or plain == "|":
        plain = f" {plain}"
    return f"{plain} " if plain.endswith(" |") else plain


_PLAIN: dict[str, Callable[[Node], str]] = {
    "heading": _text,
    "paragraph": _paragraph,
    "item": _text,
    "row": _row,
    "list": _nothing,
    "quote": _nothing,
    "footnote": _nothing,
    "rule": _nothing,
    "comment": _nothing,
    "reference": _nothing,
    "property": _nothing,
    "table": _nothing,
    "fence": _fence,
    "html": _html,
    "math": lambda node: node.raw.strip(),
}
