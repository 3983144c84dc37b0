"""Hand-made records for tests: a document, its sections and its chunks, from a plain text.

Belongs here: the shortest honest way to a record. The block reader is naive on purpose (blank lines
part blocks, the first character names their kind): tests of rooms after the cutter need true places,
not a true parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from openpyxl.utils import get_column_letter

from notes_pipeline.ids import Keys, content_hash, locator, row_locator, text_hash
from notes_pipeline.lines import Lines
from notes_pipeline.records import Block, Cell, Chunk, Discard, Document, Row, Section
from notes_pipeline.words import count_words

_PIECE = re.compile(
    r"(?:^#{1,6} [^\n]*)|(?:^(`{3,}|~{3,})[\s\S]*?(?:^\1[ \t]*$|\Z))"
    r"|(?:^[^\n]*\S[^\n]*\n?)+?(?=^\s*$|^#|^[`~]{3}|\Z)",
    re.MULTILINE,
)
_FENCE = re.compile(r"[`~]{3}")
_LIST = re.compile(r"[-*+] |\d+[.)] ")


def document(text: str, source_path: str = "note.md", **changes: Any) -> Document:
    """A note that was read as ``text``."""
    made = Document(
        source_path=source_path,
        source_type="markdown",
        notebook=source_path.rpartition("/")[0].split("/")[0] or ".",
        file_hash=text_hash(text),
        size_bytes=len(text.encode()),
        state="read",
        error="",
        encoding="utf-8",
        replaced_characters=0,
        title="",
        aliases=(),
        tags=(),
        front_matter="",
        front_matter_end=0,
        warnings=(),
        char_count=len(text),
        text=text,
        content=None,
    )
    return replace(made, **changes)


def workbook(source_path: str = "book.xlsx", **changes: Any) -> Document:
    """A workbook that was read."""
    return replace(document("", source_path), source_type="excel", text=None, content=b"", **changes)


def blocks(text: str) -> list[Block]:
    """Top-level blocks of ``text``, and the rows and items right below them."""
    found: list[Block] = []
    for match in _PIECE.finditer(text):
        body = match.group().rstrip("\n")
        if body.strip():
            found.extend(_with_parts(body, match.start()))
    return found


def _with_parts(body: str, start: int) -> list[Block]:
    kind = _kind(body)
    plain = body.lstrip("# ") if kind == "heading" else body
    child = {"list": "item", "table": "row"}.get(kind)
    if child is None:
        return [Block(kind, 0, start, start + len(body), plain, count_words(plain), "")]
    made = [Block(kind, 0, start, start + len(body), "", 0, "")]
    offset = start
    for line in body.split("\n"):
        made.append(Block(child, 1, offset, offset + len(line), line, count_words(line), ""))
        offset += len(line) + 1
    return made


def _kind(body: str) -> str:
    if body.startswith("#"):
        return "heading"
    if _FENCE.match(body):
        return "fence"
    if body.startswith("|"):
        return "table"
    if body.startswith(">"):
        return "quote"
    return "list" if _LIST.match(body) else "paragraph"


def sections(made: Document) -> list[Section]:
    """One section a heading; titles nest by level."""
    text = made.text or ""
    own = blocks(text)
    starts = [at for at, block in enumerate(own) if block.kind == "heading"]
    cuts = sorted({0, *starts, len(own)})
    path: list[tuple[int, str]] = []
    result: list[Section] = []
    for first, last in pairwise(cuts):
        head = own[first]
        level = 0
        if head.kind == "heading":
            level = len(text[head.start : head.end]) - len(text[head.start : head.end].lstrip("#"))
            path = [(depth, title) for depth, title in path if depth < level] + [(level, head.plain)]
        start = 0 if not result else head.start
        end = own[last].start if last < len(own) else len(text)
        result.append(
            _section(
                made, tuple(own[first:last]), tuple(t for _, t in path), level, (start, end), len(result)
            )
        )
    return result


def _section(
    made: Document,
    own: tuple[Block, ...],
    path: tuple[str, ...],
    level: int,
    place: tuple[int, int],
    index: int,
) -> Section:
    first, last = Lines(made.text or "").range(*place)
    words = sum(block.words for block in own if block.kind != "heading")
    kind = "atx" if level else "preamble"
    return Section(made.source_path, made.notebook, index, path, level, kind, *place, first, last, words, own)


def chunk(text: str, heading_path: Sequence[str] = (), source_path: str = "note.md", **changes: Any) -> Chunk:
    """A chunk of a note that is the whole of ``text``."""
    body = re.sub(r"\A(?:#{1,6} [^\n]*\n?\s*)+", "", text)
    made = Chunk(
        chunk_id=Keys(source_path).chunk_id((*heading_path, "", text)),
        locator=locator(source_path, 0),
        content_hash=content_hash(heading_path, text),
        source_path=source_path,
        source_type="markdown",
        notebook=".",
        chunk_index=0,
        heading_path=tuple(heading_path),
        text=text,
        embed_text="\n".join((*heading_path, body)),
        char_start=0,
        char_end=len(text),
        start_line=1,
        end_line=Lines(text).range(0, len(text))[1],
        sheet=None,
        row_number=None,
        template=None,
        part=None,
        word_count=count_words(body),
        sentence_count=None,
        token_count=None,
        is_sub_split=False,
        merged_from=(),
        semantic_type="general",
        quality="ok",
        findings=(),
        decision="keep",
        decision_reason="ok",
        duplicate_of=None,
        settings_hash="0" * 12,
    )
    return replace(made, **changes)


def chunks(made: Document, own: Sequence[Section] | None = None) -> list[Chunk]:
    """One chunk a section."""
    keys, lines, text = Keys(made.source_path), Lines(made.text or ""), made.text or ""
    result: list[Chunk] = []
    for section in sections(made) if own is None else own:
        start, end = section.blocks[0].start, section.blocks[-1].end
        piece = text[start:end]
        first, last = lines.range(start, end)
        result.append(
            chunk(
                piece,
                section.heading_path,
                made.source_path,
                chunk_id=keys.chunk_id((*section.heading_path, "", piece)),
                locator=locator(made.source_path, len(result)),
                notebook=made.notebook,
                chunk_index=len(result),
                char_start=start,
                char_end=end,
                start_line=first,
                end_line=last,
                word_count=section.word_count,
            )
        )
    return result


def row(number: int, cells: Sequence[tuple[str, str]], source_path: str = "book.xlsx", **changes: Any) -> Row:
    """A data row of the sheet ``Sheet1``; cells are column and value."""
    made = Row(
        source_path=source_path,
        notebook=".",
        sheet="Sheet1",
        table_index=0,
        table_title="",
        section="",
        row_number=number,
        kind="data",
        cells=tuple(
            Cell(column, value, f"{get_column_letter(at)}{number}")
            for at, (column, value) in enumerate(cells, 1)
        ),
        field_count=len(cells),
        entity="",
        explanation="",
    )
    return replace(made, **changes)


def row_chunk(made: Row, index: int = 0, text: str | None = None, **changes: Any) -> Chunk:
    """The chunk of a row: its cells as labelled values, unless ``text`` says otherwise."""
    if text is None:
        text = "; ".join(f"{cell.column}: {cell.value}" for cell in made.cells) + "."
    base = chunk(text, (made.sheet,), made.source_path)
    place = row_locator(made.source_path, made.sheet, made.row_number)
    key = Keys(made.source_path).chunk_id((made.sheet, str(made.row_number), text))
    settled = replace(
        base,
        chunk_id=key,
        locator=place,
        source_type="excel",
        chunk_index=index,
        sheet=made.sheet,
        row_number=made.row_number,
        char_start=None,
        char_end=None,
        start_line=None,
        end_line=None,
        template="fallback",
    )
    return replace(settled, **changes)


def discard(reason: str, source_path: str = "note.md", text: str = "", **changes: Any) -> Discard:
    """A loss without a place, unless ``changes`` give one."""
    made = Discard(
        source_path, ".", None, None, None, None, None, None, reason, "", text, len(text), text_hash(text)
    )
    return replace(made, **changes)
