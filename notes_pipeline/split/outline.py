"""Outlines: pages that are one tree of bullets, where ``- # Title`` heads the bullets below it (Logseq).

Belongs here: opening such a tree at its headings, and the heading paths that follow from it.
Stays out: headings that stand on their own (headings).

A heading with bullets under it heads those and nothing else; one without heads the bullets after
it, as a heading does in a page. What follows a closed heading on its own level belongs to the
heading around it: a section that resumes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from notes_pipeline.split.blocks import Node
from notes_pipeline.split.headings import Heading, clean_title, label
from notes_pipeline.split.plain import KEPT
from notes_pipeline.split.spans import line_end, line_start

_PROPERTY = re.compile(r"[ \t]*[A-Za-z][\w./-]*::(?:\s|$)")


def is_outline(nodes: Sequence[Node], body: str) -> bool:
    """Whether the page is nothing but bullets (and properties), some of them headings."""
    return all(_belongs(node, body) for node in nodes if node.depth == 0) and any(
        _is_heading_item(nodes, index, body) for index in range(len(nodes) - 1)
    )


def _belongs(node: Node, body: str) -> bool:
    if node.kind == "list":
        return node.info == "bullet"
    return node.kind == "paragraph" and _PROPERTY.match(body, node.start) is not None


def _is_heading_item(nodes: Sequence[Node], index: int, body: str) -> bool:
    item, child = nodes[index], nodes[index + 1] if index + 1 < len(nodes) else None
    return (
        item.kind == "item"
        and not item.raw
        and child is not None
        and child.kind == "heading"
        and child.depth == item.depth + 1
        and body.startswith("#", child.start)
        and bool(clean_title(child))
    )


class _Open(NamedTuple):
    """A heading whose bullets are being read."""

    depth: int
    level: int
    title: str
    flat: bool
    """Heads the bullets after it, having none of its own."""


def open_outline(nodes: Sequence[Node], body: str) -> tuple[list[Node], list[Heading]]:
    """The blocks with the tree opened at its headings, and the headings with their paths."""
    opener = _Opener(nodes, body)
    index = 0
    while index < len(nodes):
        end = opener.ends[index]
        if nodes[index].kind == "list":
            opener.open_list(index, 0)
        else:
            opener.emit(index, end)
        index = end
    return opener.out, opener.headings


class _Opener:
    def __init__(self, nodes: Sequence[Node], body: str) -> None:
        self.nodes = nodes
        self.body = body
        self.ends = _subtree_ends(nodes)
        self.out: list[Node] = []
        self.headings: list[Heading] = []
        self.stack: list[_Open] = []

    def open_list(self, index: int, depth: int) -> None:
        """Emits a list whose enclosing items are all headings; ``depth`` counts those."""
        # Iterative on purpose: an outline may be nested as deep as its writer likes.
        waiting: list[Iterator[None]] = [self._list(index, depth)]
        self.waiting = waiting
        while waiting:
            if next(waiting[-1], _DONE) is _DONE:
                waiting.pop()

    def _list(self, index: int, depth: int) -> Iterator[None]:
        group: list[int] = []
        for item in self._children(index):
            if not _is_heading_item(self.nodes, item, self.body):
                group.append(item)
                continue
            self._plain_items(index, group, depth)
            group = []
            yield from self._heading_item(item, depth)
        self._plain_items(index, group, depth)

    def _heading_item(self, item: int, depth: int) -> Iterator[None]:
        heading = self.nodes[item + 1]
        children = list(self._children(item))[1:]
        has_bullets = any(self.nodes[child].kind == "list" for child in children)
        self._start(heading, depth, flat=not has_bullets)
        for child in children:
            if self.nodes[child].kind == "list":
                self.waiting.append(self._list(child, depth + 1))
                yield
            else:
                self.emit(child, self.ends[child])

    def _start(self, node: Node, depth: int, flat: bool) -> None:
        level = int(node.info)
        while self.stack and not self._holds(depth, level):
            self.stack.pop()
        title = clean_title(node)
        self.stack.append(_Open(depth, level, label(title), flat))
        self.headings.append(Heading(len(self.out), "outline", level, title, self._path()))
        node.depth = 0
        node.start, node.end = line_start(self.body, node.start), line_end(self.body, node.end)
        node.raw, node.kept = KEPT, (title,)
        self.out.append(node)

    def _holds(self, depth: int, level: int) -> bool:
        top = self.stack[-1]
        return top.depth < depth or (top.depth == depth and top.flat and top.level < level)

    def _plain_items(self, index: int, items: Sequence[int], depth: int) -> None:
        """A list of the items between two headings; it resumes the outer section where one was closed."""
        if not items:
            return
        closed = False
        while self.stack and (
            self.stack[-1].depth > depth or (self.stack[-1].depth == depth and not self.stack[-1].flat)
        ):
            self.stack.pop()
            closed = True
        if closed:
            level = self.stack[-1].level if self.stack else 0
            self.headings.append(Heading(len(self.out), "outline", level, "", self._path()))
        whole = self.nodes[index]
        last = self.ends[items[-1]]
        part = Node("list", whole.depth, self.nodes[items[0]].start, self.nodes[items[-1]].end, whole.info)
        self._shift([part, *self.nodes[items[0] : last]])

    def emit(self, first: int, last: int) -> None:
        """Emits a block with what it holds at the top."""
        self._shift(self.nodes[first:last])

    def _shift(self, nodes: Sequence[Node]) -> None:
        by = nodes[0].depth
        for node in nodes:
            node.depth -= by
            self.out.append(node)
        top = nodes[0]
        top.start, top.end = line_start(self.body, top.start), line_end(self.body, top.end)

    def _path(self) -> tuple[str, ...]:
        return tuple(opened.title for opened in self.stack)

    def _children(self, index: int) -> Iterator[int]:
        child = index + 1
        while child < self.ends[index]:
            yield child
            child = self.ends[child]


_DONE = object()


def _subtree_ends(nodes: Sequence[Node]) -> list[int]:
    """For each block of a preorder list, the index after its last descendant."""
    ends = [len(nodes)] * len(nodes)
    opened: list[int] = []
    for index, node in enumerate(nodes):
        while opened and nodes[opened[-1]].depth >= node.depth:
            ends[opened.pop()] = index
        opened.append(index)
    return ends
