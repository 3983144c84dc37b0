"""The typed records that flow through the house, and the one Arrow schema of each table.

Belongs here: what a document, a section, a row, a chunk, a finding and a discard *are*,
and how a list of them becomes a table and comes back. Stays out: how any of them is made.

Offsets count code points of the decoded text, half-open and 0-based; lines are 1-based and
inclusive. Nested records are named tuples, because Arrow takes tuples for structs as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa

SCHEMA_VERSION = 1
"""Raised whenever a table gains, loses or reinterprets a column; part of every reuse key."""

DISCARD_TEXT_LIMIT = 10_000
"""Characters of lost text a discard keeps; its full length and hash are kept beside it."""


class Finding(NamedTuple):
    """What one rule saw in one chunk: ``text[start:end]`` of the chunk, and why it matters."""

    rule: str
    start: int
    end: int
    note: str


class Block(NamedTuple):
    """One block of a section, in preorder; a child follows its parent with ``depth`` one higher.

    Blocks at depth 0 start at a line's start, end at a line's end (line break excluded), are
    ordered and disjoint, and together hold every non-blank character of their section.
    """

    kind: str
    """One of ``BLOCK_KINDS``."""
    depth: int
    start: int
    end: int
    plain: str
    """Own reading text, without that of its children; empty for pure containers."""
    words: int
    """Words of ``plain``."""
    info: str
    """Heading: its level. List: ``bullet`` or the first number. Fence: its language. Quote: callout kind."""


BLOCK_KINDS = (
    "heading",  # # title, setext title, pseudo title
    "paragraph",
    "list",  # children: items
    "item",  # plain: its own first paragraph; children: whatever else it holds
    "table",  # children: rows; the first row is the header and its delimiter line
    "row",
    "fence",  # fenced or indented code
    "quote",  # block quote or callout; children: what it holds
    "math",
    "html",
    "footnote",  # a definition; children: what it holds
    "rule",  # thematic break
    "comment",  # <!-- --> or %% %% alone in its lines
    "reference",  # link reference definitions and other lines the parser gives no block to
    "property",  # Logseq and Notion ``key:: value`` lines: covered, not embedded
)


@dataclass(frozen=True, slots=True)
class Document:
    """One file as the snapshot keeps it; everything later looks here, never at the file again.

    ``text`` is set for text formats, ``content`` (the bytes) for workbooks, neither where the
    file was not read. ``front_matter`` is JSON; ``warnings`` are codes with an optional ``: detail``.
    """

    source_path: str
    source_type: str
    notebook: str
    file_hash: str
    size_bytes: int
    state: str
    error: str
    encoding: str
    replaced_characters: int
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    front_matter: str
    front_matter_end: int
    """Code points of ``text`` that are front matter: the body starts here."""
    warnings: tuple[str, ...]
    char_count: int
    text: str | None
    content: bytes | None


DOCUMENT_STATES = (
    "read",
    "empty",  # nothing but blanks
    "binary",  # control bytes where text was expected
    "unreadable",  # the system, or the format, refused
    "password_protected",
    "too_large",
    "changed_while_read",
    "unsupported",  # a kind nobody reads (images, attachments)
    "linked",  # a link that is not followed
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its own body, up to the next heading; sections tile the body of a document."""

    source_path: str
    notebook: str
    section_index: int
    heading_path: tuple[str, ...]
    """Titles from the outermost heading to this one; ``()`` before the first heading."""
    level: int
    """0 before the first heading, 1-6 for ``#`` and setext, 7 underlined, 9 bold."""
    kind: str
    """``preamble``, ``atx``, ``setext``, ``underlined``, ``bold`` or ``outline`` (Logseq ``- #``)."""
    char_start: int
    char_end: int
    start_line: int
    end_line: int
    word_count: int
    blocks: tuple[Block, ...]


class Cell(NamedTuple):
    """One non-empty cell of a row under its column's name, as its reader sees it."""

    column: str
    value: str
    ref: str
    """``D7``; also for CSV, where the letter is the field's place."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet and what was found in it; ``state`` says why it has no rows where it has none."""

    source_path: str
    notebook: str
    sheet: str
    sheet_index: int
    state: str
    """``read``, ``empty``, ``hidden``, ``header_only``, ``free_form``, ``pivot``, ``chart``, ``too_large``."""
    tables: int
    header: str
    """Where the headers were found and why, for the report: ``rows 3-4, score 6.5: text over numbers, …``."""
    confidence: str
    """``high``, ``low`` or empty."""
    notes: tuple[str, ...]
    """What was skipped, mended, or lacks a value, with counts: ``hidden_columns: 2``."""


@dataclass(frozen=True, slots=True)
class Row:
    """One non-empty row of a sheet's table, with what its sentence may need."""

    source_path: str
    notebook: str
    sheet: str
    table_index: int
    """From 0 within its sheet; -1 for rows outside every table."""
    table_title: str
    section: str
    """The section row above it, or empty."""
    row_number: int
    """1-based, as the workbook numbers it (columns oriented tables: the column's number)."""
    kind: str
    """``data``, ``title``, ``header``, ``section`` (structure), or why it is skipped: see ROW_KINDS."""
    cells: tuple[Cell, ...]
    field_count: int
    """Columns of its table, empty ones included."""
    entity: str
    """Name of the table's entity column."""
    explanation: str


ROW_KINDS = (
    "data",
    "title",
    "header",
    "section",
    "total",
    "note",
    "repeated_header",
    "hidden",
    "outside_table",
    "free_form",
    "pivot",
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece that makes sense alone, its exact place, and what was judged of it."""

    chunk_id: str
    locator: str
    content_hash: str
    source_path: str
    source_type: str
    notebook: str
    chunk_index: int
    heading_path: tuple[str, ...]
    text: str
    embed_text: str
    char_start: int | None
    char_end: int | None
    start_line: int | None
    end_line: int | None
    sheet: str | None
    row_number: int | None
    template: str | None
    part: int | None
    word_count: int
    sentence_count: int | None
    token_count: int | None
    is_sub_split: bool
    merged_from: tuple[str, ...]
    """Heading paths of the sections joined in this chunk, `` > `` between titles."""
    semantic_type: str
    quality: str
    findings: tuple[Finding, ...]
    decision: str
    decision_reason: str
    duplicate_of: str | None
    settings_hash: str


QUALITIES = ("ok", "fragment", "short", "too_long", "context_dead")
DECISIONS = ("keep", "review", "omit")


@dataclass(frozen=True, slots=True)
class Discard:
    """Something of the source that is in no chunk: where it stood, why, and the text itself."""

    source_path: str
    notebook: str
    char_start: int | None
    char_end: int | None
    start_line: int | None
    end_line: int | None
    sheet: str | None
    row_number: int | None
    reason: str
    detail: str
    text: str
    """Cut at ``DISCARD_TEXT_LIMIT``."""
    text_length: int
    text_hash: str


_S, _I, _L, _B = pa.string(), pa.int32(), pa.int64(), pa.bool_()
_STRINGS = pa.list_(_S)
_FINDING = pa.struct([("rule", _S), ("start", _I), ("end", _I), ("note", _S)])
_BLOCK = pa.struct(
    [("kind", _S), ("depth", _I), ("start", _L), ("end", _L), ("plain", _S), ("words", _I), ("info", _S)]
)
_CELL = pa.struct([("column", _S), ("value", _S), ("ref", _S)])


def _schema(*columns: tuple[str, pa.DataType], nullable: frozenset[str] = frozenset()) -> pa.Schema:
    return pa.schema([pa.field(name, kind, nullable=name in nullable) for name, kind in columns])


_DOCUMENT_COLUMNS: tuple[tuple[str, pa.DataType], ...] = (
    ("source_path", _S),
    ("source_type", _S),
    ("notebook", _S),
    ("file_hash", _S),
    ("size_bytes", _L),
    ("state", _S),
    ("error", _S),
    ("encoding", _S),
    ("replaced_characters", _L),
    ("title", _S),
    ("aliases", _STRINGS),
    ("tags", _STRINGS),
    ("front_matter", _S),
    ("front_matter_end", _L),
    ("warnings", _STRINGS),
    ("char_count", _L),
)
DOCUMENTS = _schema(*_DOCUMENT_COLUMNS)
"""``documents.parquet``: every file seen."""
SNAPSHOT = _schema(
    *_DOCUMENT_COLUMNS,
    ("text", pa.large_string()),
    ("content", pa.large_binary()),
    nullable=frozenset({"text", "content"}),
)
"""``source_files``: documents with what was read of them."""
SECTIONS = _schema(
    ("source_path", _S),
    ("notebook", _S),
    ("section_index", _I),
    ("heading_path", _STRINGS),
    ("level", _I),
    ("kind", _S),
    ("char_start", _L),
    ("char_end", _L),
    ("start_line", _I),
    ("end_line", _I),
    ("word_count", _I),
    ("blocks", pa.list_(_BLOCK)),
)
SHEETS = _schema(
    ("source_path", _S),
    ("notebook", _S),
    ("sheet", _S),
    ("sheet_index", _I),
    ("state", _S),
    ("tables", _I),
    ("header", _S),
    ("confidence", _S),
    ("notes", _STRINGS),
)
ROWS = _schema(
    ("source_path", _S),
    ("notebook", _S),
    ("sheet", _S),
    ("table_index", _I),
    ("table_title", _S),
    ("section", _S),
    ("row_number", _I),
    ("kind", _S),
    ("cells", pa.list_(_CELL)),
    ("field_count", _I),
    ("entity", _S),
    ("explanation", _S),
)
CHUNKS = _schema(
    ("chunk_id", _S),
    ("locator", _S),
    ("content_hash", _S),
    ("source_path", _S),
    ("source_type", _S),
    ("notebook", _S),
    ("chunk_index", _I),
    ("heading_path", _STRINGS),
    ("text", _S),
    ("embed_text", _S),
    ("char_start", _L),
    ("char_end", _L),
    ("start_line", _I),
    ("end_line", _I),
    ("sheet", _S),
    ("row_number", _I),
    ("template", _S),
    ("part", _I),
    ("word_count", _I),
    ("sentence_count", _I),
    ("token_count", _I),
    ("is_sub_split", _B),
    ("merged_from", _STRINGS),
    ("semantic_type", _S),
    ("quality", _S),
    ("findings", pa.list_(_FINDING)),
    ("decision", _S),
    ("decision_reason", _S),
    ("duplicate_of", _S),
    ("settings_hash", _S),
    nullable=frozenset(
        "char_start char_end start_line end_line sheet row_number template part"
        " sentence_count token_count duplicate_of".split()
    ),
)
DISCARDS = _schema(
    ("source_path", _S),
    ("notebook", _S),
    ("char_start", _L),
    ("char_end", _L),
    ("start_line", _I),
    ("end_line", _I),
    ("sheet", _S),
    ("row_number", _I),
    ("reason", _S),
    ("detail", _S),
    ("text", _S),
    ("text_length", _L),
    ("text_hash", _S),
    nullable=frozenset("char_start char_end start_line end_line sheet row_number".split()),
)

SCHEMAS: dict[type, pa.Schema] = {
    Document: SNAPSHOT,
    Section: SECTIONS,
    Sheet: SHEETS,
    Row: ROWS,
    Chunk: CHUNKS,
    Discard: DISCARDS,
}
"""The table of each record; ``DOCUMENTS`` is the snapshot without what was read."""

_NESTED: dict[str, Any] = {"findings": Finding, "blocks": Block, "cells": Cell}

Record = TypeVar("Record", Document, Section, Sheet, Row, Chunk, Discard)


def to_table(records: Sequence[Any], schema: pa.Schema) -> pa.Table:
    """Records as a table of ``schema``, column by column; an empty sequence gives an empty table."""
    columns = [
        pa.array([getattr(record, field.name) for record in records], type=field.type) for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def from_table(table: pa.Table, kind: type[Record]) -> list[Record]:
    """The records of a table written by ``to_table``; columns the table lacks are an error."""
    names = [field.name for field in fields(kind)]
    columns = [_values(table.column(name), name) for name in names]
    return [kind(*values) for values in zip(*columns, strict=True)]


def _values(column: pa.ChunkedArray, name: str) -> list[Any]:
    values = column.to_pylist()
    if name in _NESTED:
        make = _NESTED[name]
        return [tuple(make(**item) for item in items) for items in values]
    if pa.types.is_list(column.type):
        return [tuple(items) for items in values]
    return values


def table_of(records: Iterable[Record], kind: type[Record]) -> pa.Table:
    """Records of one kind as the table of that kind."""
    return to_table(list(records), SCHEMAS[kind])
