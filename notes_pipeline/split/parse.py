"""A document's text as sections of blocks, each with its exact place and its reading text.

Belongs here: putting the pieces of the parse together. Stays out: cutting (chunking).
"""

from __future__ import annotations

from collections.abc import Sequence
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
from notes_pipeline.split.reading import plain_texts
from notes_pipeline.split.spans import line_end, place
from notes_pipeline.words import count_each


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
) -> list[Section]:
    base = document.front_matter_end
    blocks = _blocks(nodes, base)
    starts = [heading.block for heading in headings]
    if not starts or starts[0] > 0:
        headings = [_PREAMBLE, *headings]
        starts.insert(0, 0)
    edges = [base, *[blocks[start].start for start in starts[1:]], len(text)]
    lines = _line_ranges(text, edges)
    starts.append(len(blocks))
    sections = []
    for number, heading in enumerate(headings):
        own = tuple(blocks[starts[number] : starts[number + 1]])
        first_line, last_line = lines[number]
        words = 0
        for block in own:
            words += block.words
        if heading.title:
            words -= own[0].words
        section = new_section(
            document.source_path,
            document.notebook,
            number,
            heading.path,
            heading.level,
            heading.kind,
            edges[number],
            edges[number + 1],
            first_line,
            last_line,
            words,
            own,
        )
        sections.append(section)
    return sections


_PREAMBLE = Heading(0, "preamble", 0, "")


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
    plains = plain_texts(nodes)  # may change the nodes' kinds
    new = tuple.__new__  # what calling ``Block`` does in the end: half of its cost
    return [
        new(Block, (node.kind, node.depth, base + node.start, base + node.end, plain, words, node.info))
        for node, plain, words in zip(nodes, plains, count_each(plains), strict=True)
    ]
