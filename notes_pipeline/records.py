"""The typed records that flow through the house, and the one Arrow schema of each table.

Belongs here: what a document, a section, a row, a chunk, a finding and a discard *are*, and how a
list of them becomes a table and comes back. Stays out: how any of them is made.

Offsets count code points of the decoded text, half-open and 0-based; lines are 1-based and
inclusive. A table's schema is read off its record's annotations, so the two cannot disagree.
Nested records are named tuples, because Arrow takes tuples for structs as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, make_dataclass
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, NamedTuple, TypeVar, get_type_hints

import pyarrow as pa

from notes_pipeline.arrow import nested_in, schema_of
from notes_pipeline.columns import column_of, values_of

SCHEMA_VERSION = 1
"""Raised whenever a table gains, loses or reinterprets a column; part of every reuse key."""

DISCARD_TEXT_LIMIT = 10_000
"""Characters of lost text a discard keeps; its full length and hash are kept beside it."""

Int32 = Annotated[int, pa.int32()]
Int64 = Annotated[int, pa.int64()]
LongText = Annotated[str, pa.large_string()]
LongBytes = Annotated[bytes, pa.large_binary()]


Made = TypeVar("Made")


class Finding(NamedTuple):
    """What one rule saw in one chunk: ``text[start:end]`` of the chunk, and why it matters."""

    rule: str
    start: Int32
    end: Int32
    note: str


class Block(NamedTuple):
    """One block of a section, in preorder; a child follows its parent with ``depth`` one higher.

    Blocks at depth 0 start at a line's start, end at a line's end (line break excluded), are
    ordered and disjoint, and together hold every non-blank character of their section.
    """

    kind: str
    """One of ``BLOCK_KINDS``."""
    depth: Int32
    start: Int64
    end: Int64
    plain: str
    """Own reading text, without that of its children; empty for pure containers."""
    words: Int32
    """Words of ``plain``."""
    info: str
    """Heading: its level. List: ``bullet`` or the first number. Item: ``done``. Row: ``header``. Fence: its
    language. Quote: callout kind. Footnote: its label."""


BLOCK_KINDS = (
    "heading",  # # title, setext title, pseudo title
    "paragraph",
    "list",  # children: items
    "item",  # plain: its own first paragraph; children: whatever else it holds
    "table",  # children: rows; a header row holds its delimiter line
    "row",
    "fence",  # fenced or indented code
    "quote",  # block quote or callout; children: what it holds
    "math",
    "html",
    "footnote",  # a definition; children: what it holds
    "rule",  # thematic break
    "comment",  # <!-- --> or %% %% alone in its lines
    "reference",  # link reference definitions and other lines the parser gives no block to
    "property",  # Logseq ``key:: value`` lines: of a page (read), or of its app (not read)
)


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What ``documents.parquet`` says of one file seen."""

    source_path: str
    source_type: str
    notebook: str
    file_hash: str
    size_bytes: Int64
    state: str
    """One of ``DOCUMENT_STATES``."""
    error: str
    encoding: str
    replaced_characters: Int64
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    front_matter: str
    """JSON, or empty."""
    front_matter_end: Int64
    """Code points of the text that are front matter: the body starts here."""
    warnings: tuple[str, ...]
    """Codes with an optional ``: detail``."""
    char_count: Int64


@dataclass(frozen=True, slots=True)
class Document(DocumentFacts):
    """One file as the snapshot keeps it; everything later looks here, never at the file again.

    ``text`` is set for text formats, ``content`` (the bytes) for workbooks, neither where the
    file was not read.
    """

    text: LongText | None
    content: LongBytes | None


INTERNAL_ERROR = "internal_error"

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
    "workspace",  # a folder that is a workspace of its own, and what is in it
    INTERNAL_ERROR,  # a fault of ours: its text is discarded with this reason, or its chunks wait for review
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its own body, up to the next heading; sections tile the body of a document."""

    source_path: str
    notebook: str
    section_index: Int32
    heading_path: tuple[str, ...]
    """Titles from the outermost heading to this one; ``()`` before the first heading."""
    level: Int32
    """0 before the first heading, 1-6 for ``#`` and setext, 7 underlined, 9 bold."""
    kind: str
    """``preamble``, ``atx``, ``setext``, ``underlined``, ``bold`` or ``outline`` (Logseq ``- #``)."""
    char_start: Int64
    char_end: Int64
    start_line: Int32
    end_line: Int32
    word_count: Int32
    blocks: tuple[Block, ...]


class Cell(NamedTuple):
    """One non-empty cell of a row under its column's name, as its reader sees it."""

    column: str
    value: str
    ref: str
    """``D7``; also for CSV, where the letter is the field's place."""
    link: str = ""
    """Where the cell's link leads, or empty."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet and what was found in it; ``state`` says why it has no rows where it has none."""

    source_path: str
    notebook: str
    sheet: str
    sheet_index: Int32
    state: str
    """``read``, ``empty``, ``hidden``, ``header_only``, ``free_form``, ``pivot``, ``chart`` or
    ``too_large``."""
    tables: Int32
    header: str
    """Where the headers were found and why: ``rows 3-4, score 6.5: text over numbers, …``."""
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
    table_index: Int32
    """From 0 within its sheet; -1 for rows outside every table."""
    table_title: str
    section: str
    """The section row above it, or empty."""
    row_number: Int32
    """1-based, as the workbook numbers it (of a table read by columns: the column's number)."""
    kind: str
    """``data``; ``title``, ``header``, ``section`` (structure); or why it is skipped: see ``ROW_KINDS``."""
    cells: tuple[Cell, ...]
    field_count: Int32
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
    "struck",  # wholly crossed out
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
    chunk_index: Int32
    heading_path: tuple[str, ...]
    text: str
    embed_text: str
    char_start: Int64 | None
    char_end: Int64 | None
    start_line: Int32 | None
    end_line: Int32 | None
    sheet: str | None
    row_number: Int32 | None
    template: str | None
    part: Int32 | None
    word_count: Int32
    sentence_count: Int32 | None
    token_count: Int32 | None
    is_sub_split: bool
    merged_from: tuple[str, ...]
    """Heading paths of the sections joined in this chunk, `` > `` between titles."""
    semantic_type: str
    quality: str
    """One of ``QUALITIES``."""
    findings: tuple[Finding, ...]
    decision: str
    """One of ``DECISIONS``."""
    decision_reason: str
    duplicate_of: str | None
    settings_hash: str


def _opened(kind: type[Made]) -> type[Made]:
    """What makes records of ``kind`` at a quarter of the cost of calling it.

    A frozen record sets each of its fields by a call. This is an open class of the same slots, whose
    instances become ``kind`` as soon as they are filled: nobody ever sees one open.
    """

    def close(record: Any) -> None:
        record.__class__ = kind

    names = [(field.name, Any) for field in fields(kind)]  # type: ignore[arg-type]
    return make_dataclass(kind.__name__, names, slots=True, namespace={"__post_init__": close})


new_chunk = _opened(Chunk)
new_section = _opened(Section)
new_row = _opened(Row)


@cache
def reviser(*names: str) -> Callable[..., Chunk]:
    """A function of a chunk and of new values, in order, for the fields ``names``: the chunk so changed.

    It is written out as source, as ``dataclasses`` writes an ``__init__``: ``dataclasses.replace``
    costs eight times as much, and a chunk is made anew twice after it is cut.
    """
    values = ", ".join(it.name if it.name in names else f"chunk.{it.name}" for it in fields(Chunk))
    made: Callable[..., Chunk] = eval(f"lambda chunk, {', '.join(names)}: new({values})", {"new": new_chunk})
    return made


def revised(chunk: Chunk, **changes: Any) -> Chunk:
    """``chunk`` with some fields changed."""
    return reviser(*changes)(chunk, *changes.values())


QUALITIES = ("ok", "fragment", "short", "too_long", "context_dead")
DECISIONS = ("keep", "review", "omit")


@dataclass(frozen=True, slots=True)
class Discard:
    """Something of the source that is in no chunk: where it stood, why, and the text itself."""

    source_path: str
    notebook: str
    char_start: Int64 | None
    char_end: Int64 | None
    start_line: Int32 | None
    end_line: Int32 | None
    sheet: str | None
    row_number: Int32 | None
    reason: str
    detail: str
    text: str
    """Cut at ``DISCARD_TEXT_LIMIT``."""
    text_length: Int64
    text_hash: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Something odd that the parse of a file met, for the ``warnings`` of its document."""

    source_path: str
    warning: str


Record = TypeVar("Record", DocumentFacts, Document, Section, Sheet, Row, Chunk, Discard, Warned)

DOCUMENTS = schema_of(DocumentFacts)
SNAPSHOT = schema_of(Document)
SECTIONS = schema_of(Section)
SHEETS = schema_of(Sheet)
ROWS = schema_of(Row)
CHUNKS = schema_of(Chunk)
DISCARDS = schema_of(Discard)

SCHEMAS: dict[type, pa.Schema] = {
    DocumentFacts: DOCUMENTS,
    Document: SNAPSHOT,
    Section: SECTIONS,
    Sheet: SHEETS,
    Row: ROWS,
    Chunk: CHUNKS,
    Discard: DISCARDS,
    Warned: schema_of(Warned),
}


def to_table(records: Sequence[Any], schema: pa.Schema) -> pa.Table:
    """Records as a table of ``schema``, column by column; an empty sequence gives an empty table."""
    columns = [column_of(list(map(attrgetter(field.name), records)), field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def table_of(records: Sequence[Record], kind: type[Record]) -> pa.Table:
    """Records of one kind as the table of that kind."""
    return to_table(records, SCHEMAS[kind])


def from_table(table: pa.Table, kind: type[Record]) -> list[Record]:
    """The records of a table written by ``table_of``; a column the table lacks is a ``KeyError``."""
    columns = [values_of(table.column(name), nested) for name, nested in _COLUMNS[kind]]
    make = _MAKERS.get(kind, kind)
    return [make(*values) for values in zip(*columns, strict=True)]


_MAKERS: dict[type, Any] = {Chunk: new_chunk, Section: new_section, Row: new_row}


_COLUMNS: dict[type, tuple[tuple[str, Any], ...]] = {
    kind: tuple((name, nested_in(hint)) for name, hint in get_type_hints(kind).items()) for kind in SCHEMAS
}
