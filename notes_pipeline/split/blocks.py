"""Parser events to blocks: one pass gives the tree of blocks and the raw text of each.

Belongs here: what each event means for the tree. Stays out: exact character offsets (spans),
which headings open sections (headings), reading text (plain).

Offsets here are bytes of the masked body, as the parser counts them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pyromark

from notes_pipeline.split.dollars import DOLLAR, shown_dollars
from notes_pipeline.split.inline import OPTIONS
from notes_pipeline.split.mask import Masked
from notes_pipeline.split.plain import CELL, KEPT, SOFT, image_text, restored, tag_image


class Node:
    """A block while it is being read: span in bytes, raw text, and the kept pieces of it."""

    __slots__ = ("depth", "end", "info", "kept", "kind", "raw", "start")

    def __init__(self, kind: str, depth: int, start: int, end: int, info: str = "") -> None:
        self.kind = kind
        self.depth = depth
        self.start = start
        self.end = end
        self.raw = ""
        self.kept: Sequence[str] = ()
        self.info = info


def read_blocks(masked: Masked, options: pyromark.Options = OPTIONS) -> list[Node]:
    """The blocks of a masked body in preorder."""
    reader = _Reader(masked)
    reader.run(pyromark.events_with_range(masked.text, options=options, merge_text=True))
    if DOLLAR in masked.text:
        _show_dollars(reader.nodes)
    return reader.nodes


def _show_dollars(nodes: Sequence[Node]) -> None:
    for node in nodes:
        node.raw, node.info = shown_dollars(node.raw), shown_dollars(node.info)
        node.kept = [shown_dollars(piece) for piece in node.kept]


class _Reader:
    """Takes events in order; ``parts`` holds the inline text since the last block began or ended."""

    def __init__(self, masked: Masked) -> None:
        self.text = masked.text
        self.regions = masked.regions
        self.places = list(masked.regions)
        self.data = b""
        """The text's bytes, made where they are needed."""
        self.nodes: list[Node] = []
        self.stack: list[Node] = []
        self.parts: list[str] = []
        self.kept: list[str] = []
        self.images: list[tuple[int, int, str]] = []
        self.spans: list[bool] = []
        self.raised: list[int] = []
        """Where in ``parts`` each open ``<sup>`` stands."""
        self.cells: list[str] = []
        self.open: Node | None = None
        """The leaf whose inline text is being read; None inside a container."""
        self.child_end = 0
        """End of the block that closed last: inline text of an item after it starts there."""

    def run(self, events: Iterable[Any]) -> None:
        """Reads all events; each is a word, or a dictionary of one key."""
        # Four events a block: the most frequent kinds first, and without a call.
        nodes, stack, parts = self.nodes, self.stack, self.parts
        for event, span in events:
            if "Text" in event:
                parts.append(event["Text"])
            elif "Start" in event:
                value = event["Start"]
                if value == "Item":
                    start = span["start"]
                    if parts:
                        self._flush(start)
                    item = Node("item", len(stack), start, span["end"])
                    nodes.append(item)
                    stack.append(item)
                elif value == "Paragraph":
                    self._start_paragraph(span["start"], span["end"])
                else:
                    self._start(value, span)
            elif "End" in event:
                value = event["End"]
                if value == "Item":
                    if parts:
                        self._flush(span["end"])
                    stack.pop()
                    self.child_end = span["end"]
                elif value == "Paragraph":
                    self._end_leaf(span)
                else:
                    self._end(value, span)
            elif event.__class__ is str:
                self._word(event, span)
            else:
                self._inline(event, span)

    def _start(self, value: Any, span: Mapping[str, int]) -> None:
        if value.__class__ is str:
            name, value = value, None
        else:
            name, value = value.popitem()
        if name in _STARTS:
            _STARTS[name](self, value, span)

    def _end(self, value: Any, span: Mapping[str, int]) -> None:
        name = value if value.__class__ is str else next(iter(value))
        if name in _ENDS:
            _ENDS[name](self, span)

    def _inline(self, event: dict[str, Any], span: Mapping[str, int]) -> None:
        name, value = event.popitem()
        if name in _INLINES:
            _INLINES[name](self, value, span)

    def _word(self, event: str, span: Mapping[str, int]) -> None:
        if event == "SoftBreak":
            self.parts.append(SOFT)
        elif event == "HardBreak":
            self.parts.append("\n")
        else:
            self._node("rule", span)
            self.child_end = span["end"]

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
        node = self.open
        assert node is not None
        self._take(node)
        self.child_end = span["end"]
        if self.regions and node.kind in ("html", "fence"):
            self._uncover(node)
        elif node.raw.startswith("[!"):
            self._callout(node)

    def _start_paragraph(self, start: int, end: int) -> None:
        nodes, stack = self.nodes, self.stack
        if self.parts:
            self._flush(start)
        if stack:
            last = nodes[-1]
            if last is stack[-1] and last.kind == "item" and not last.raw:
                self.open = last  # an item's first paragraph is its own text
                return
        self.open = node = Node("paragraph", len(stack), start, end)
        nodes.append(node)

    def _start_code(self, form: Any, span: Mapping[str, int]) -> None:
        self._leaf("fence", span, "" if form == "Indented" else form["Fenced"])

    def _flush(self, end: int) -> None:
        """Inline text that stands in an item without a paragraph: its own, or one after a child."""
        item = self.stack[-1]
        if item is self.nodes[-1] and not item.raw:
            self._take(item)
        elif "".join(self.parts).strip(_BLANKS):
            node = Node("paragraph", len(self.stack), self.child_end, end)
            self.nodes.append(node)
            self._take(node)
        else:
            self.parts.clear()

    def _uncover(self, node: Node) -> None:
        """Covered regions in a block get their text back; one that is all of it gives it its kind."""
        if "<?" not in node.raw:
            return
        first, last = (bisect_left(self.places, place) for place in (node.start, node.end))
        regions = [self.regions[place] for place in self.places[first:last]]
        covered = _COVERED.findall(node.raw)
        if not regions or len(covered) != len(regions):
            return
        if len(regions) == 1 and node.raw.strip() == covered[0]:
            node.kind = regions[0].kind
        elif _COVERED.match(node.raw.lstrip()):
            node.kind = "paragraph"
        texts = iter(["" if region.kind == "comment" else region.source for region in regions])
        node.raw = _COVERED.sub(lambda _: next(texts), node.raw)

    def _callout(self, node: Node) -> None:
        """``> [!kind] Title``: the kind goes to the quote, the title to a line of its own."""
        quote = self.stack[-1] if self.stack else None
        marker = _CALLOUT.match(node.raw)
        if quote is None or quote.kind != "quote" or quote is not self.nodes[-2] or marker is None:
            return
        quote.info = marker[1].strip().lower()
        node.raw = node.raw[marker.end() :].replace(SOFT, "\n", 1)

    def _take(self, node: Node) -> None:
        parts = self.parts
        node.raw = parts[0] if len(parts) == 1 else "".join(parts)
        parts.clear()
        if self.kept:
            node.kept = self.kept
            self.kept = []
        if self.spans:
            self.spans.clear()
        if self.raised:
            self.raised.clear()

    # Tables

    def _start_row(self, span: Mapping[str, int], info: str) -> None:
        self._leaf("row", span, info)
        self.cells.clear()

    def _end_cell(self, span: Mapping[str, int]) -> None:
        cell = "".join(self.parts).strip()
        self.parts.clear()
        self.cells.append(cell.replace(CELL, "|") if CELL in cell else cell)
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

    def _task(self, done: Any, _: Mapping[str, int]) -> None:
        if done:
            self.stack[-1].info = "done"

    def _start_image(self, value: Any, _: Mapping[str, int]) -> None:
        self.images.append((len(self.parts), len(self.kept), value["dest_url"]))

    def _end_image(self, _: Mapping[str, int]) -> None:
        parts_from, kept_from, url = self.images.pop()
        alt = restored("".join(self.parts[parts_from:]), self.kept[kept_from:])
        del self.parts[parts_from:], self.kept[kept_from:]
        self._keep(image_text(alt, url))

    def _raise(self, start: int) -> None:
        """Raised signs are read as such: ``2<sup>8</sup>`` is not 28; an ending (``1<sup>st</sup>``) is."""
        raised = "".join(self.parts[start:])
        if start and raised and self.parts[start - 1][-1:].isalnum() and not _ENDING.fullmatch(raised):
            self.parts.insert(start, "^")

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
        elif lower.startswith("<sup>"):
            self.raised.append(len(self.parts))
        elif lower == "</sup>" and self.raised:
            self._raise(self.raised.pop())
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


_ENDING = re.compile(r"st|nd|rd|th|[eoaº]|er|re|[eè]me|tm|sm", re.IGNORECASE)
_COVERED = re.compile(r"<\?x*\?>")
_BLANKS = " \n" + SOFT
_CALLOUT = re.compile(r"\[!([\w/ -]+)(?:\|[^\]\x00]*)?\][+-]?[ \t]*")


_STARTS: dict[str, Callable[[_Reader, Any, Mapping[str, int]], None]] = {
    "Heading": lambda reader, value, span: reader._leaf("heading", span, value["level"][1]),
    "CodeBlock": _Reader._start_code,
    "HtmlBlock": lambda reader, _, span: reader._leaf("html", span),
    "List": lambda reader, first, span: reader._container("list", span, _list_info(first)),
    "BlockQuote": lambda reader, _, span: reader._container("quote", span),
    "FootnoteDefinition": lambda reader, label, span: reader._container("footnote", span, label),
    "Table": lambda reader, _, span: reader._container("table", span),
    "TableHead": lambda reader, _, span: reader._start_row(span, "header"),
    "TableRow": lambda reader, _, span: reader._start_row(span, ""),
    "Image": _Reader._start_image,
}
_ENDS: dict[str, Callable[[_Reader, Mapping[str, int]], None]] = {
    **dict.fromkeys(("Heading", "CodeBlock", "HtmlBlock"), _Reader._end_leaf),
    **dict.fromkeys(("List", "BlockQuote", "FootnoteDefinition", "Table"), _Reader._end_container),
    **dict.fromkeys(("TableHead", "TableRow"), _Reader._end_row),
    "TableCell": _Reader._end_cell,
    "Image": _Reader._end_image,
}
_INLINES: dict[str, Callable[[_Reader, Any, Mapping[str, int]], None]] = {
    "Code": lambda reader, value, _: reader._keep(value),
    "InlineMath": lambda reader, value, _: reader._keep(f"${value}$"),
    "DisplayMath": lambda reader, value, _: reader._keep(f"$${value}$$"),
    "Html": lambda reader, value, _: reader.parts.append(value),
    "InlineHtml": _Reader._inline_html,
    "TaskListMarker": _Reader._task,
}
"""What each kind of event does; those without a line here (emphasis, links) leave their words alone."""


def _list_info(first: int | None) -> str:
    return "bullet" if first is None else str(first)
