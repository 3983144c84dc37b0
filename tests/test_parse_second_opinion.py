"""Two parsers, one structure: markdown-it-py agrees with ours on every top-level block and heading.

Compared is what both parsers are given: the masked text (what neither knows is covered there),
without footnotes and task boxes, which markdown-it-py does not know.
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

import pyromark
from hypothesis import given, settings
from markdown_it import MarkdownIt
from strategies import markdown_texts, tidy_texts

from notes_pipeline.lines import Lines
from notes_pipeline.settings import Settings
from notes_pipeline.sources import document_from_bytes
from notes_pipeline.split.blocks import read_blocks
from notes_pipeline.split.inline import OPTIONS
from notes_pipeline.split.mask import Masked, mask
from notes_pipeline.split.spans import place, to_characters

CASES = Path(__file__).parent / "cases" / "markdown"

# The commonmark preset stops at 20 levels and then skips, silently, to the end of the container.
_OTHER = MarkdownIt("commonmark", {"maxNesting": 200}).enable("table")
_OTHER.core.ruler.disable(["inline", "text_join"])

_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fence",
    "code_block": "fence",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
    "table_open": "table",
}

_SHARED = OPTIONS & ~(pyromark.Options.ENABLE_FOOTNOTES | pyromark.Options.ENABLE_TASKLISTS)

Blocks = list[tuple[str, int, int]]
"""Kind, first and last line."""


def ours(body: str, masked: Masked) -> Blocks:
    """Top-level blocks as the house reads them; covered regions are one HTML block each."""
    nodes = place(read_blocks(masked._replace(regions={}), _SHARED), masked.clean)
    lines = Lines(body)
    return [
        (
            node.kind,
            lines.number(node.start),
            lines.number(max(node.start, node.end - 1)),
        )
        for node in nodes
        if node.depth == 0
    ]


def theirs(body: str, masked: Masked) -> Blocks:
    """The same as markdown-it-py reads them, lines counted in the text before it was masked."""
    text = masked.text.replace("\r\n", " \n").replace("\r", "\n")
    texts = text.split("\n")
    starts = [0]
    for line in texts:
        starts.append(min(starts[-1] + len(line.encode()) + 1, len(text.encode())))
    characters = to_characters(body, starts)
    lines = Lines(body)
    found = []
    for token in _OTHER.parse(text):
        if token.level == 0 and token.map and token.type in _KINDS:
            first, last = token.map
            while last > first + 1 and not texts[last - 1].strip():
                last -= 1
            end = characters[starts[last]]
            at_end = last == len(texts)
            found.append(
                (
                    _KINDS[token.type],
                    bisect_right(lines.starts, characters[starts[first]]),
                    lines.number(end if at_end else max(0, end - 1)),
                )
            )
    return found


def test_the_two_agree_on_every_case() -> None:
    """Every Markdown file of the cases has the same blocks in both readings."""
    paths = sorted(path for path in CASES.glob("*/*.md") if path.stem != "footnotes")
    for path in paths:
        document = document_from_bytes(path.name, path.read_bytes(), Settings())
        body = (document.text or "")[document.front_matter_end :]
        masked = mask(body)

        assert theirs(body, masked) == ours(body, masked), path
    assert paths


@given(tidy_texts())
@settings(max_examples=150, deadline=None)
def test_the_two_agree_on_tidy_notes(text: str) -> None:
    """Whatever blocks follow each other, both find the same ones in the same lines."""
    masked = mask(text)

    assert theirs(text, masked) == ours(text, masked)


@given(markdown_texts())
@settings(max_examples=150, deadline=None)
def test_the_two_agree_on_headings(text: str) -> None:
    """In notes of any shape, both find the same headings in the same lines."""
    text = text.translate(dict.fromkeys(map(ord, "\0\x01\x0c\x85\u2028\ufeff"), " "))
    masked = mask(text)

    assert _headings(theirs(text, masked)) == _headings(ours(text, masked))


def _headings(blocks: Blocks) -> Blocks:
    return [block for block in blocks if block[0] == "heading"]
