"""Which top-level blocks open a section, at which level, and under which titles.

Belongs here: real headings and their traps, pseudo headings, the heading stack. Stays out: the
shape rules of pseudo headings (pseudo), outlines of Logseq (outline).

Levels: 1-6 as written, underlined 7, bold 9: a real heading resets pseudo headings, and they
never outrank one. Titles stacked at the start of a file, or right under a real heading, nest
(a book, its chapter, its part); later titles replace the last of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from notes_pipeline.split.blocks import Node
from notes_pipeline.split.plain import ATTRIBUTES, KEPT, reading_text, without_tags
from notes_pipeline.split.pseudo import bold_title, underlined_title
from notes_pipeline.words import count_words

UNDERLINED = 7
BOLD = 9

MOST_STACKED = 4
"""Titles that nest at the start of a file; more of them is a list of titles."""
MOST_SETEXT_LINES = 2
MOST_SETEXT_WORDS = 20
"""A paragraph above a stray rule is no title."""
MOST_LABEL_WORDS = 20
"""Longer titles are paragraphs with a ``#``: whole in their block, cut in the path …"""
_CUT_LABEL_WORDS = 12
"""… to this many."""
_SURE_LABEL_CHARACTERS = 2 * MOST_LABEL_WORDS - 1
_MOST_LABEL_CHARACTERS = 200

_TRAILING_ATTRIBUTES = re.compile(rf"[ \t]*{ATTRIBUTES}[ \t]*$")
_UNDERLINE = re.compile(r"[ \t]*(?:={3,}|-{3,})[ \t]*$")
_URL = re.compile(r"<?https?://\S+$")
_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_DIGITS = re.compile(r"\d+")


class Heading(NamedTuple):
    """A heading that opens a section: the index of its first block, and what it says."""

    block: int
    kind: str
    level: int
    title: str
    """Empty where a section resumes without a heading of its own (outlines)."""
    path: tuple[str, ...] = ()
    rest: str = ""
    """Raw text that follows the title in its paragraph."""


class Rules(NamedTuple):
    """Which headings count."""

    underlined: bool
    bold: bool
    setext: bool = True


def find_headings(nodes: Sequence[Node], body: str, rules: Rules) -> tuple[list[Node], list[Heading]]:
    """The headings among the top-level blocks, in order; blocks that only looked like one are mended.

    A paragraph whose first line alone is a title becomes two blocks, hence the blocks are returned too.
    """
    whole: list[Node] = []
    found: list[Heading] = []
    waiting: Heading | None = None  # a bold title that still needs its body
    for node in nodes:
        if node.depth or (waiting is None and node.kind not in _MAY_OPEN):
            whole.append(node)
            continue
        heading = _heading(node, len(whole), body, rules)
        if waiting is not None:
            if heading is None and node.kind != "rule":
                found.append(waiting)
            waiting = None
        if heading is not None and heading.kind == "bold":
            waiting = heading
        elif heading is not None:
            found.append(heading)
        whole.append(node)
        if heading is not None and heading.rest:
            whole += _parted(node, body, heading.rest)
    for heading in found:
        node = whole[heading.block]
        node.kind, node.info = "heading", str(heading.level)
        node.raw, node.kept = KEPT, (heading.title,)  # clean already
    return whole, found


_MAY_OPEN = ("paragraph", "heading")


def _heading(node: Node, index: int, body: str, rules: Rules) -> Heading | None:
    if node.kind == "heading":
        return _real(node, index, body, rules)
    if node.kind != "paragraph":
        return None
    if rules.underlined and "{" in node.raw:
        title = underlined_title(node.raw, body[node.start : node.end])
        if title is not None:
            return Heading(index, "underlined", UNDERLINED, title.title, rest=title.rest)
    if rules.bold and body[node.start] in "*_" and body.startswith(("**", "__"), node.start):
        bold = bold_title(node.raw, body[node.start : node.end])
        if bold:
            return Heading(index, "bold", BOLD, bold)
    return None


def _real(node: Node, index: int, body: str, rules: Rules) -> Heading | None:
    title = clean_title(node)
    source = body[node.start : node.end]
    setext = not source.lstrip(" ").startswith("#")
    if not title or (setext and not (rules.setext and _is_setext(source, title))):
        node.kind = "paragraph"
        node.info = ""
        return None
    return Heading(index, "setext" if setext else "atx", int(node.info), title)


def clean_title(node: Node) -> str:
    """A heading's words on one line."""
    raw = node.raw
    if raw.endswith("}") and not node.kept:
        raw = _TRAILING_ATTRIBUTES.sub("", raw)
    return without_tags(" ".join(reading_text(raw, node.kept).split()))


def _is_setext(source: str, title: str) -> bool:
    lines = _LINE_BREAK.split(source)
    if not _UNDERLINE.match(lines[-1]) or len(lines) > MOST_SETEXT_LINES + 1:
        return False
    if lines[-1].startswith("  ") and lines[0].startswith("  "):
        return False  # a column of a table drawn with dashes
    return count_words(title) <= MOST_SETEXT_WORDS and not _URL.match(title)


def _parted(node: Node, body: str, rest: str) -> list[Node]:
    """Ends a title's paragraph behind its first line; the lines after it, which read ``rest``, as a block."""
    line = _LINE_BREAK.search(body, node.start, node.end)
    if line is None:
        return []
    second = Node("paragraph", 0, line.end(), node.end)
    second.raw, second.kept = rest, node.kept
    node.end = line.start()
    return [second]


def label(title: str) -> str:
    """A title as it stands in a path: whole, or its first words where it is a paragraph."""
    if len(title) <= _SURE_LABEL_CHARACTERS:
        return title
    if len(title) <= _MOST_LABEL_CHARACTERS and count_words(title) <= MOST_LABEL_WORDS:
        return title
    words = title[:_MOST_LABEL_CHARACTERS].split(" ")
    return " ".join(words[:_CUT_LABEL_WORDS]).rstrip(" ,;:.") + " …"


def with_paths(headings: Sequence[Heading], block_count: int) -> list[Heading]:
    """The headings with their paths, by a stack; ``block_count`` is where the last section ends."""
    edges = [*(heading.block for heading in headings), block_count]
    has_body = [edges[index + 1] - edges[index] > 1 for index in range(len(headings))]
    stack: list[tuple[int, int, str]] = []
    found = []
    for heading, depth in zip(headings, _stacked(headings, has_body), strict=True):
        rank = (heading.level, depth)
        while stack and stack[-1][:2] >= rank:
            stack.pop()
        stack.append((*rank, label(heading.title)))
        path = tuple([title for _, _, title in stack])
        found.append(Heading(heading.block, heading.kind, heading.level, heading.title, path))
    return found


def _stacked(headings: Sequence[Heading], has_body: Sequence[bool]) -> list[int]:
    """How deep each underlined title stands under titles of its own kind."""
    depths: list[int] = []
    base = 0  # depth at which the titles of this stretch stand
    inner = ""  # what the second of a pair inside looks like, up to digits
    opening = True  # at the start of the file or right under a real heading
    for index, heading in enumerate(headings):
        if heading.level != UNDERLINED:
            depths.append(0)
            if heading.level < UNDERLINED:
                base, inner, opening = 0, "", True
            continue
        alone = index > 0 and not has_body[index - 1] and headings[index - 1].level == UNDERLINED
        shape = _DIGITS.sub("0", heading.title)
        if opening:
            base += alone and base < MOST_STACKED
            depth = base
        elif alone and depths[-1] == base:
            inner, depth = shape, base + 1
        else:
            depth = base + (inner != "" and shape == inner)
            inner = inner if depth > base else ""
        opening = opening and not has_body[index]
        depths.append(depth)
    return depths
