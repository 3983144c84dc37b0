"""The rows of tables drawn with dashes: each with its exact place and its cells.

Belongs here: columns, wrapped lines, header rows. Stays out: where such tables stand (dash_tables),
pipe tables (the parser knows them).

A row reaches from its first line to the line before the next row's, so that rules and blank lines
have a row each and together the rows are the table.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from notes_pipeline.split.blocks import Node
from notes_pipeline.split.inline import inline_text
from notes_pipeline.split.plain import CELL, KEPT

_GRID_RULE = re.compile(r"[ \t>]*\+[-=:+]+\+?\s*$")
_GRID_INNER = re.compile(r"[ \t>|+:=-]*$")
_GROUPS = re.compile(r" *-{2,}(?: +-{2,})* *$")
_SEVERAL = re.compile(r"- +-")
_BULLET = re.compile(r"[-*+][ \t]+")
_TAB = 4


class _Line(NamedTuple):
    start: int
    """Offset in the body of its first character that is not blank."""
    text: str


class _Row(NamedTuple):
    start: int
    cells: list[str]
    header: bool


def with_drawn_rows(nodes: Sequence[Node], body: str) -> list[Node]:
    """``nodes``, each table drawn with dashes followed by its rows; offsets are characters of ``body``."""
    whole: list[Node] = []
    for node in nodes:
        whole.append(node)
        if node.kind == "table" and node.raw:
            node.raw = ""
            whole += _nodes(node, _rows(_lines(body, node)), body)
    return whole


def _nodes(table: Node, rows: Sequence[_Row], body: str) -> Iterator[Node]:
    starts = [row.start for row in rows]
    if not starts:
        return
    starts[0] = table.start + _blanks(body[table.start : table.end])
    for row, (start, stop) in zip(rows, pairwise([*starts, table.end]), strict=True):
        end = start + len(body[start:stop].rstrip(" \t\r\n>"))
        node = Node("row", table.depth + 1, start, end, "header" if row.header else "")
        node.raw = KEPT  # read already, cell by cell
        node.kept = [CELL.join(inline_text(cell).replace(CELL, "|") for cell in row.cells)]
        yield node


def _lines(body: str, table: Node) -> list[_Line]:
    lines = []
    at = table.start
    for line in re.split(r"(?<=\n)|(?<=\r)(?!\n)", body[table.start : table.end]):
        text = line.rstrip()
        lines.append(_Line(at + _blanks(text), text.expandtabs(_TAB)))
        at += len(line)
    return lines


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip())


def _rows(lines: Sequence[_Line]) -> list[_Row]:
    if any(_GRID_RULE.match(line.text) for line in lines[:1]):
        return _grid_rows(lines)
    return _dash_rows(lines)


# Grid tables


def _grid_rows(lines: Sequence[_Line]) -> list[_Row]:
    """Rows stand between rules; those above a rule of ``=`` are the header, read as one."""
    edges = [at for at, mark in enumerate(lines[0].text) if mark == "+"][1:-1]
    rows: list[_Row] = []
    group: list[_Line] = []
    headed = False
    for line in lines:
        if not _GRID_RULE.match(line.text):
            group.append(line)
            continue
        if group:
            cells = _joined([_bar_cells(each.text, edges) for each in group])
            rows.append(_Row(group[0].start, cells, False))
            group = []
        if "=" in line.text and rows and not headed:
            headed = True
            rows = [_Row(rows[0].start, _joined([row.cells for row in rows]), True)]
    return rows


def _bar_cells(line: str, edges: Sequence[int]) -> list[str]:
    if _GRID_INNER.match(line):
        return []
    if all(at < len(line) and line[at] in "|+" for at in edges):
        cuts = [line.find("|"), *edges, len(line)]
        return [line[start + 1 : end].strip().rstrip("|").strip() for start, end in pairwise(cuts)]
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


# Simple and multiline tables


def _dash_rows(lines: Sequence[_Line]) -> list[_Row]:
    """The first line of several groups of dashes gives the columns; what stands above it is the header."""
    rules = (at for at, line in enumerate(lines) if _GROUPS.match(line.text) and _SEVERAL.search(line.text))
    rule = next(rules, 0)
    edges = [found.start() for found in re.finditer(r"-+", lines[rule].text)][1:]
    head = [line for line in lines[:rule] if line.text.strip() and not _GROUPS.match(line.text)]
    rows = [_row(head, edges, header=True)] if head else []
    body = list(lines[rule + 1 :])
    while body and (not body[-1].text.strip() or _GROUPS.match(body[-1].text)):
        body.pop()
    ruled = _GROUPS.match(lines[0].text) is not None
    return rows + [_row(group, edges, header=False) for group in _groups(body, edges, ruled=ruled)]


def _groups(body: Sequence[_Line], edges: Sequence[int], *, ruled: bool) -> Iterator[list[_Line]]:
    """The lines of each row: apart by blank lines where there are any, else a line each.

    In a table that starts with a rule, a line without a first cell goes on with the row above it.
    """
    wrapped = any(not line.text.strip() for line in body)
    group: list[_Line] = []
    for line in body:
        blank = not line.text.strip()
        new = blank if wrapped else not (ruled and not _cut(line.text, edges)[0])
        if new and group:
            yield group
            group = []
        if not blank:
            group.append(line)
    if group:
        yield group


def _row(group: Sequence[_Line], edges: Sequence[int], *, header: bool) -> _Row:
    return _Row(group[0].start, _joined([_cut(line.text, edges) for line in group]), header)


def _cut(line: str, edges: Sequence[int]) -> list[str]:
    """The cells of a line; an edge inside a word moves to the word's start."""
    words = [found.span() for found in re.finditer(r"\S+", line)]
    ends = [end for _, end in words]
    cuts = [0]
    for edge in edges:
        at = bisect_right(ends, edge)
        if at < len(words) and words[at][0] < edge:
            edge = words[at][0]
        cuts.append(max(edge, cuts[-1]))
    return [line[start:end].strip() for start, end in pairwise([*cuts, len(line)])]


def _joined(lines: Sequence[Sequence[str]]) -> list[str]:
    """Cells whose text runs over several lines, each as one; the items of a list in it with commas."""
    width = max(map(len, lines), default=0)
    cells = []
    for column in range(width):
        parts = [line[column] for line in lines if column < len(line) and line[column]]
        cells.append(_cell(parts))
    return cells


def _cell(parts: Sequence[str]) -> str:
    if len(parts) < 2 or not _BULLET.match(parts[0]):
        return " ".join(parts)
    items: list[str] = []
    for part in parts:
        if _BULLET.match(part) or not items:
            items.append(_BULLET.sub("", part, count=1))
        else:
            items[-1] += f" {part}"
    return ", ".join(items)
