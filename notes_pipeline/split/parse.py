"""A document's text as sections of blocks, each with its exact place and its reading text.

Belongs here: putting the pieces of the parse together. Stays out: cutting (chunking).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from notes_pipeline.garbage import collector_paused
from notes_pipeline.lines import Lines
from notes_pipeline.records import Block, Document, Section, new_section
from notes_pipeline.settings import Settings
from notes_pipeline.split.blocks import Node, read_blocks
from notes_pipeline.split.drawn_rows import with_drawn_rows
from notes_pipeline.split.headings import Heading, Rules, find_headings, with_paths
from notes_pipeline.split.mask import mask
from notes_pipeline.split.mending import open_quotes, without_inner_setext
from notes_pipeline.split.outline import is_outline, open_outline
from notes_pipeline.split.reading import plain_of
from notes_pipeline.split.spans import line_end, place
from notes_pipeline.words import count_words


def parse(document: Document, settings: Settings) -> tuple[Section, ...]:
    """The sections that tile the body of a note; none where the body is blank or was not read."""
    text = document.text or ""
    body = text[document.front_matter_end :]
    if not body.strip():
        return ()
    with collector_paused():
        nodes, headings = _structure(document, body, settings)
        return tuple(_sections(document, text, nodes, headings))


def _structure(document: Document, body: str, settings: Settings) -> tuple[list[Node], list[Heading]]:
    """The blocks of a body, each with its place, and the headings that open sections."""
    masked = mask(body)
    nodes = place(read_blocks(masked), masked.clean)
    nodes = without_inner_setext(nodes, body)
    if masked.regions:
        nodes = with_drawn_rows(nodes, masked.clean)
    if is_outline(nodes, body):
        nodes, headings = open_outline(nodes, body)
    else:
        if settings.markdown.quoted_headings:
            nodes = open_quotes(nodes, body)
        nodes, headings = find_headings(nodes, body, _rules(settings))
        headings = with_paths(headings, len(nodes))
    return _with_gaps(nodes, headings, body)


def _rules(settings: Settings) -> Rules:
    everything = settings.preset.headings == "all"
    return Rules(
        underlined=everything, bold=everything and settings.markdown.bold_headings, setext=everything
    )


def _with_gaps(nodes: list[Node], headings: list[Heading], body: str) -> tuple[list[Node], list[Heading]]:
    """Lines the parser gives no block to (link definitions) become blocks of their own."""
    tops = [index for index, node in enumerate(nodes) if node.depth == 0]
    gaps: list[tuple[int, Node]] = []
    done = 0
    for index in [*tops, len(nodes)]:
        start = nodes[index].start if index < len(nodes) else len(body)
        if start > done and (found := _gap(body, done, start)):
            gaps.append((index, found))
        if index < len(nodes):
            done = nodes[index].end
    if not gaps:
        return nodes, headings
    whole: list[Node] = []
    moved: dict[int, int] = {}
    last = 0
    for index, gap in gaps:
        moved.update((at, at + len(whole) - last) for at in range(last, index))
        whole += nodes[last:index]
        whole.append(gap)
        last = index
    moved.update((at, at + len(whole) - last) for at in range(last, len(nodes)))
    whole += nodes[last:]
    return whole, [heading._replace(block=moved[heading.block]) for heading in headings]


def _gap(body: str, start: int, end: int) -> Node | None:
    between = body[start:end]
    if between.isspace():
        return None
    first = len(between) - len(between.lstrip())
    last = len(between.rstrip())
    line = max(between.rfind("\n", 0, first), between.rfind("\r", 0, first)) + 1
    return Node("reference", 0, start + line, line_end(body, start + last))


def _sections(
    document: Document, text: str, nodes: Sequence[Node], headings: Sequence[Heading]
) -> Iterator[Section]:
    base = document.front_matter_end
    blocks = _blocks(nodes, base)
    cuts = [heading.block for heading in headings]
    preamble = not cuts or cuts[0] > 0
    starts = ([0] if preamble else []) + cuts
    edges = [base, *(blocks[start].start for start in starts[1:]), len(text)]
    lines = _line_ranges(text, edges)
    for number, (first, last) in enumerate(pairwise([*starts, len(blocks)])):
        heading = None if preamble and number == 0 else headings[number - preamble]
        own = tuple(blocks[first:last])
        yield new_section(
            source_path=document.source_path,
            notebook=document.notebook,
            section_index=number,
            heading_path=heading.path if heading else (),
            level=heading.level if heading else 0,
            kind=heading.kind if heading else "preamble",
            char_start=edges[number],
            char_end=edges[number + 1],
            start_line=lines[number][0],
            end_line=lines[number][1],
            word_count=sum([block.words for block in own])
            - (own[0].words if heading and heading.title else 0),
            blocks=own,
        )


def _line_ranges(text: str, edges: Sequence[int]) -> list[tuple[int, int]]:
    """First and last line of each stretch between two edges, which stand at line starts."""
    if "\r" in text:
        lines = Lines(text)
        return [lines.range(start, end) for start, end in pairwise(edges)]
    ranges = []
    first = 1 + text.count("\n", 0, edges[0])
    for start, end in pairwise(edges):
        following = first + text.count("\n", start, end)
        ranges.append((first, max(first, following - text.endswith("\n", start, end))))
        first = following
    return ranges


def _blocks(nodes: Sequence[Node], base: int) -> list[Block]:
    blocks = []
    for node in nodes:
        plain = plain_of(node)  # may change the node's kind
        start, end = base + node.start, base + node.end
        words = count_words(plain) if plain else 0
        blocks.append(Block(node.kind, node.depth, start, end, plain, words, node.info))
    return blocks
