"""``templates suggest``: a first draft of a row template from a workbook's headers.

Belongs here: tables grouped by shape, and the YAML a user then edits. Stays out: reading (reading).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import yaml

from notes_pipeline.records import Document, Row
from notes_pipeline.rows.names import is_generic_sheet, is_numeric, label, normal, slug, stem
from notes_pipeline.rows.reading import read
from notes_pipeline.rows.templates.preview import TablePreview, preview
from notes_pipeline.rows.templates.registry import Registry, read_text
from notes_pipeline.rows.templates.shape import columns_of, looks_turned, tables_in
from notes_pipeline.settings import Settings

PREVIEW_ROWS = 3
_SERIAL = re.compile(r"(s\.?\s?no\.?|sr\.?(\s?no\.?)?|no\.?|nr\.?|#|sl\.?\s?no\.?)")


@dataclass(frozen=True)
class Shape:
    """Tables with the same header, wherever they stand."""

    columns: tuple[str, ...]
    entity: str
    places: tuple[tuple[str, str], ...]
    """Source path and sheet of each."""
    numeric: frozenset[str]
    """Columns that are mostly numbers."""
    always: frozenset[str]
    """Columns without an empty cell."""
    example: dict[str, str]
    """Its fullest row."""
    turned: bool
    """The sheet looks as if its fields stood in the first column."""


@dataclass(frozen=True)
class Suggestion:
    """A draft for one shape and how rows read with it."""

    shape: Shape
    yaml: str
    """A whole file of templates with this one in it."""
    previews: tuple[TablePreview, ...]


def suggest(documents: Sequence[Document], settings: Settings | None = None) -> list[Suggestion]:
    """One draft for each shape of table in these workbooks, the most frequent shape first."""
    chosen = settings or Settings()
    shapes = shapes_of(documents, chosen)
    return [_suggestion(shape, documents, chosen) for shape in shapes]


def shapes_of(documents: Iterable[Document], settings: Settings) -> list[Shape]:
    """The shapes of the tables with a header, the most frequent first, then as they come."""
    groups: dict[tuple[str, ...], list[list[Row]]] = {}
    for document in documents:
        for rows in tables_in(read(document, settings, Registry()).rows):
            if any(row.kind == "header" for row in rows) and any(row.kind == "data" for row in rows):
                signature = tuple(normal(name) for name in columns_of(rows))
                groups.setdefault(signature, []).append(rows)
    return [_shape(tables) for tables in sorted(groups.values(), key=len, reverse=True)]


def _shape(tables: Sequence[Sequence[Row]]) -> Shape:
    columns = columns_of(tables[0])
    data = [row for rows in tables for row in rows if row.kind == "data"]
    values: dict[str, list[str]] = {column: [] for column in columns}
    positions = {normal(column): column for column in columns}
    for cell in (cell for row in data for cell in row.cells):
        values[positions[normal(cell.column)]].append(cell.value)
    fullest = max(data, key=lambda row: len(row.cells))
    return Shape(
        columns=tuple(columns),
        entity=data[0].entity,
        places=tuple((rows[0].source_path, rows[0].sheet) for rows in tables),
        numeric=frozenset(
            c for c, found in values.items() if 2 * sum(map(is_numeric, found)) > len(found) > 0
        ),
        always=frozenset(c for c, found in values.items() if len(found) == len(data)),
        example={positions[normal(cell.column)]: cell.value for cell in fullest.cells},
        turned=looks_turned(tables[0]),
    )


def _suggestion(shape: Shape, documents: Sequence[Document], settings: Settings) -> Suggestion:
    text = draft(shape)
    registry = read_text("draft.yaml", text)
    wanted = {path for path, _ in shape.places}
    previews = [
        item
        for document in documents
        if document.source_path in wanted
        for item in preview(registry, document, PREVIEW_ROWS, settings)
        if item.facts.template == _name(shape)
    ]
    return Suggestion(shape, text, tuple(previews[:PREVIEW_ROWS]))


def draft(shape: Shape) -> str:
    """The YAML of a template for the shape, with comments on what to look at."""
    lines = [
        f"# A draft for {len(shape.places)} table(s): {_places(shape)}",
        "# Look at the text below: it is what each row will say. Then: notes-pipeline templates check",
        "version: 1",
        "templates:",
        f"  - id: {_name(shape)}",
        "    match:",
        f"      file: {_flow(_files(shape))}",
        f"      columns: {{all: {_flow(_matched(shape))}}}",
    ]
    if shape.turned:
        lines.append(
            "    # The first column looks like field names. If so, use:  table: {orientation: columns}"
        )
    if shape.entity:
        lines.append(f"    entity: {_flow(shape.entity)}")
    serial = [column for column in shape.columns if _SERIAL.fullmatch(normal(column))]
    if serial:
        lines.append(f"    ignore: {_flow(serial)}")
    lines += ["    text: >-", f"      {_sentence(shape, set(serial))}"]
    return "\n".join(lines) + "\n"


def _sentence(shape: Shape, ignored: set[str]) -> str:
    others = [c for c in shape.columns if c != shape.entity and c not in ignored]
    if not shape.entity:
        first, *others = others or list(shape.columns)
        return f"{label(first)} {_field(first)}" + "".join(_clauses(others)) + "."
    return _field(shape.entity) + "".join(_clauses(others)) + "."


def _clauses(columns: Sequence[str]) -> Iterator[str]:
    for place, column in enumerate(columns):
        yield f"{{? {':' if place == 0 else ';'} {label(column)} {_field(column)} ?}}"


def _field(column: str) -> str:
    name = slug(column)
    plain = name.isascii() and normal(name.strip("_").replace("_", " ")) == normal(column.replace("_", " "))
    return f"{{{{ {name} }}}}" if plain else f'{{{{ col("{column}") }}}}'


def _matched(shape: Shape) -> list[str]:
    named = [column for column in shape.columns if not re.fullmatch(r"Column [A-Z]{1,3}", column)]
    return named[:6] or list(shape.columns)


def _files(shape: Shape) -> str:
    names = sorted({path.rsplit("/", 1)[-1] for path, _ in shape.places})
    return names[0] if len(names) == 1 else "*"


def _name(shape: Shape) -> str:
    path, sheet = shape.places[0]
    words = sheet if not is_generic_sheet(sheet) and len(shape.places) == 1 else stem(path)
    return re.sub(r"[^\w]+", "_", words.casefold()).strip("_") or "table"


def _places(shape: Shape) -> str:
    shown = [f"{path} › {sheet}" for path, sheet in shape.places[:4]]
    more = len(shape.places) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _flow(value: object) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000).strip()
    return text.removesuffix("...").strip()
