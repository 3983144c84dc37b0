"""Blocks mended where their CommonMark reading is not their writer's.

Belongs here: headings that stand in lists and quotes. Stays out: headings that open sections.
"""

from __future__ import annotations

from collections.abc import Sequence

from notes_pipeline.split.blocks import Node
from notes_pipeline.split.pseudo import underlined_title
from notes_pipeline.split.spans import line_end, line_start


def without_inner_setext(nodes: list[Node], body: str) -> list[Node]:
    """An underlined line in a list or quote is text: an empty bullet below an item is no underline."""
    if not any(node.kind == "heading" and node.depth for node in nodes):
        return nodes
    kept: list[Node] = []
    for node in nodes:
        if node.kind == "heading" and node.depth and not body.startswith("#", node.start):
            node.kind, node.info = "paragraph", ""
            item = kept[-1]
            if item.kind == "item" and item.depth == node.depth - 1 and not item.raw:
                item.raw, item.kept = node.raw, node.kept
                continue
        kept.append(node)
    return kept


def open_quotes(nodes: list[Node], body: str) -> list[Node]:
    """Quotes at the top that hold underlined titles, replaced by what they hold."""
    kept: list[Node] = []
    index = 0
    while index < len(nodes):
        end = index + 1
        while end < len(nodes) and nodes[end].depth:
            end += 1
        if nodes[index].kind == "quote" and _has_title(nodes[index + 1 : end], body):
            kept += _raised(nodes[index + 1 : end], body)
        else:
            kept += nodes[index:end]
        index = end
    return kept


def _has_title(nodes: Sequence[Node], body: str) -> bool:
    return any(
        node.kind == "paragraph"
        and node.depth == 1
        and underlined_title(node.raw, body[node.start : node.end]) is not None
        for node in nodes
    )


def _raised(nodes: Sequence[Node], body: str) -> Sequence[Node]:
    for node in nodes:
        node.depth -= 1
        if not node.depth:
            node.start, node.end = line_start(body, node.start), line_end(body, node.end)
    return nodes
