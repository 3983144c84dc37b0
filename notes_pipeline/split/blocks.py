"""Parser events to blocks: one pass gives the tree of blocks and the raw text of each.

Belongs here: what each event means for the tree. Stays out: exact character offsets (spans),
which headings open sections (headings), reading text (plain).

Offsets here are bytes of the masked body, as the parser counts them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pyromark

from notes_pipeline.split.inline import OPTIONS
from notes_pipeline.split.mask import Masked
from notes_pipeline.split.plain import KEPT, SOFT, image_text, tag_image


class Node:
    """A block while it is being read: span in bytes, raw text, and the kept pieces of it."""

    __slots__ = ("depth", "end", "info", "kept", "kind", "raw", "start")

    def __init__(self, kind: str, depth: int, start: int, end: int, info: str = "") -> None:
        self.kind = kind
        self.depth = depth
        self.start = start
        self.end = end
        self.raw = ""
        self.kept: list[str] = []
        self.info = info


def read_blocks(masked: Masked, options: pyromark.Options = OPTIONS) -> list[Node]:
    """The blocks of a masked body in preorder."""
    reader = _Reader(masked)
    reader.run(pyromark.events_with_range(masked.text, options=options, merge_text=True))
    return reader.nodes


class _Reader:
    """Takes events in order; ``parts`` holds the inline text since the last block began or ended."""

    def __init__(self, masked: Masked) -> None:
        self.text = masked.text
        self.regions = masked.regions
        self.data = b""
        """The text's bytes, made where they are needed."""
        self.nodes: list[Node] = []
        self.stack: list[Node] = []
        self.parts: list[str] = []
        self.kept: list[str] = []
        self.images: list[tuple[int, int, str]] = []
        self.spans: list[bool] = []
        self.cells: list[str] = []
        self.open: Node | None = None
        """The leaf whose inline text is being read; None inside a container."""
        self.child_end = 0
        """End of the block that closed last: inline text of an item after it starts there."""

    def run(self, events: Iterable[Any]) -> None:
        add = self.parts.append
        start, end, inline = self._starts(), self._ends(), self._inlines()
        for event, span in events:
            if event.__class__ is str:
                if event == "SoftBreak":
                    add(SOFT)
                elif event == "HardBreak":
                    add("\n")
                else:
                    self._rule(span)
                continue
            for key, value in event.items():
                if key == "Text":
                    add(value)
                elif key == "Start":
                    name = value if value.__class__ is str else next(iter(value))
                    if name in start:
                        start[name](value, span)
                elif key == "End":
                    name = value if value.__class__ is str else next(iter(value))
                    if name in end:
                        end[name](span)
                elif key in inline:
                    inline[key](value, span)

    def _starts(self) -> dict[str, Callable[[Any, Mapping[str, int]], None]]:
        return {
            "Paragraph": self._start_paragraph,
            "Heading": self._start_heading,
            "CodeBlock": self._start_code,
            "HtmlBlock": lambda _, span: self._leaf("html", span),
            "List": lambda value, span: self._container("list", span, _list_info(value["List"])),
            "Item": lambda _, span: self._container("item", span),
            "BlockQuote": lambda _, span: self._container("quote", span),
            "FootnoteDefinition": lambda value, span: self._container(
                "footnote", span, value["FootnoteDefinition"]
            ),
            "Table": lambda _, span: self._container("table", span),
            "TableHead": lambda _, span: self._start_row(span, "header"),
            "TableRow": lambda _, span: self._start_row(span, ""),
            "Image": self._start_image,
        }

    def _ends(self) -> dict[str, Callable[[Mapping[str, int]], None]]:
        return {
            "Paragraph": self._end_leaf,
            "Heading": self._end_leaf,
            "CodeBlock": self._end_leaf,
            "HtmlBlock": self._end_leaf,
            "List": self._end_container,
            "Item": self._end_container,
            "BlockQuote": self._end_container,
            "FootnoteDefinition": self._end_container,
            "Table": self._end_container,
            "TableHead": self._end_row,
            "TableRow": self._end_row,
            "TableCell": self._end_cell,
            "Image": self._end_image,
        }

    def _inlines(self) -> dict[str, Callable[[Any, Mapping[str, int]], None]]:
        return {
            "Code": lambda value, _: self._keep(value),
            "InlineMath": lambda value, _: self._keep(f"${value}$"),
            "DisplayMath": lambda value, _: self._keep(f"$${value}$$"),
            "Html": lambda value, _: self.parts.append(value),
            "InlineHtml": self._inline_html,
        }

    # Blocks

    def _node(self, kind: str, span: Mapping[str, int], info: str = "") -> Node:
        if self.parts:
            self._flush(span["start"])
        node = Node(kind, len(self.stack), span["start"], span["end"], info)
        self.nodes.append(node)
        return node

    def _container(self, kind: str, span: Mapping[str, int], info: str = "") -> None:
        self.stack.append(self._node(kind, span, info))

    def _end_container(self, span: Mapping[str, int]) -> None:
        if self.parts:
            self._flush(span["end"])
        closed = self.stack.pop()
        if closed.kind == "list":
            closed.end = self.child_end  # the parser's list may reach into a link definition below it
        else:
            self.child_end = span["end"]

    def _leaf(self, kind: str, span: Mapping[str, int], info: str = "") -> None:
        self.open = self._node(kind, span, info)

    def _end_leaf(self, span: Mapping[str, int]) -> None:
        assert self.open is not None
        self._take(self.open)
        if self.open.kind == "html" and self.regions:
            self._uncover(self.open)
        elif self.open.raw.startswith("[!"):
            self._callout(self.open)
        self.open = None
        self.child_end = span["end"]

    def _start_paragraph(self, _: Any, span: Mapping[str, int]) -> None:
        if self.parts:
            self._flush(span["start"])
        last = self.nodes[-1] if self.nodes else None
        if (
            last is not None
            and last.kind == "item"
            and not last.raw
            and self.stack
            and self.stack[-1] is last
        ):
            self.open = last  # an item's first paragraph is its own text
        else:
            self._leaf("paragraph", span)

    def _start_heading(self, value: Any, span: Mapping[str, int]) -> None:
        self._leaf("heading", span, value["Heading"]["level"][1])

    def _start_code(self, value: Any, span: Mapping[str, int]) -> None:
        form = value["CodeBlock"]
        self._leaf("fence", span, "" if form == "Indented" else form["Fenced"])

    def _rule(self, span: Mapping[str, int]) -> None:
        self._node("rule", span)
        self.child_end = span["end"]

    def _flush(self, end: int) -> None:
        """Inline text that stands in an item without a paragraph: its own, or one after a child."""
        if not "".join(self.parts).strip(" \n" + SOFT):
            self.parts.clear()
            return
        item = self.stack[-1]
        if item is self.nodes[-1] and not item.raw:
            self._take(item)
            return
        node = Node("paragraph", len(self.stack), self.child_end, end)
        self.nodes.append(node)
        self._take(node)

    def _uncover(self, node: Node) -> None:
        """An HTML block that is a covered region becomes what it was, with what follows on its line."""
        lead = len(node.raw) - len(node.raw.lstrip())
        region = self.regions.get(node.start + lead)
        if region is None:
            return
        after = node.raw.partition("?>")[2].strip()
        node.kind = "paragraph" if after else region.kind
        node.raw = (region.source if region.kind != "comment" else "") + after

    def _callout(self, node: Node) -> None:
        """``> [!kind] Title``: the kind goes to the quote, the title to a line of its own."""
        quote = self.stack[-1] if self.stack else None
        marker = _CALLOUT.match(node.raw)
        if quote is None or quote.kind != "quote" or quote is not self.nodes[-2] or marker is None:
            return
        quote.info = marker[1].strip().lower()
        node.raw = node.raw[marker.end() :].replace(SOFT, "\n", 1)

    def _take(self, node: Node) -> None:
        node.raw = "".join(self.parts)
        self.parts.clear()
        if self.kept:
            node.kept = self.kept
            self.kept = []
        if self.spans:
            self.spans.clear()

    # Tables

    def _start_row(self, span: Mapping[str, int], info: str) -> None:
        self._leaf("row", span, info)
        self.cells.clear()

    def _end_cell(self, span: Mapping[str, int]) -> None:
        cell = "".join(self.parts).strip()
        self.cells.append(cell.replace(CELL, "|") if CELL in cell else cell)
        self.parts.clear()
        self.child_end = span["end"]

    def _end_row(self, span: Mapping[str, int]) -> None:
        if span["end"] - self.child_end > len("|\r\n"):
            self._surplus(span["end"])
        self.parts.append(CELL.join(self.cells))
        self._end_leaf(span)

    def _surplus(self, end: int) -> None:
        """Cells beyond the header's last column: CommonMark drops them, their writer did not."""
        self.data = self.data or self.text.encode()
        rest = self.data[self.child_end : end].decode().strip(" \t\r\n|")
        self.cells += (cell.strip() for cell in rest.split("|") if cell.strip())

    # Inline

    def _keep(self, piece: str) -> None:
        self.parts.append(KEPT)
        self.kept.append(piece)

    def _start_image(self, value: Any, _: Mapping[str, int]) -> None:
        self.images.append((len(self.parts), len(self.kept), value["Image"]["dest_url"]))

    def _end_image(self, _: Mapping[str, int]) -> None:
        parts_from, kept_from, url = self.images.pop()
        alt = "".join(self.parts[parts_from:])
        for piece in self.kept[kept_from:]:
            alt = alt.replace(KEPT, piece, 1)
        del self.parts[parts_from:], self.kept[kept_from:]
        self._keep(image_text(alt, url))

    def _inline_html(self, tag: str, span: Mapping[str, int]) -> None:
        region = self.regions.get(span["start"])
        if region is not None:
            if region.kind == "math":
                self._keep(region.source)
            return
        lower = tag[:6].lower()
        if lower.startswith("<br"):
            self.parts.append("\n")
        elif lower.startswith("<img"):
            self._keep(tag_image(tag))
        elif lower in ("<u>", "<ins>"):
            self.parts.append("[")
        elif lower in ("</u>", "</ins>"):
            self.parts.append("]{.underline}")
        elif lower.startswith("<span"):
            self.spans.append("underline" in tag)
            if self.spans[-1]:
                self.parts.append("[")
        elif lower == "</span" and self.spans and self.spans.pop():
            self.parts.append("]{.underline}")


_CALLOUT = re.compile(r"\[!([\w/ -]+)(?:\|[^\]\x00]*)?\][+-]?[ \t]*")

CELL = " | "
"""Between the cells of a row's raw text."""


def _list_info(first: int | None) -> str:
    return "bullet" if first is None else str(first)
