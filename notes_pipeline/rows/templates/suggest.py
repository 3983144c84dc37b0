"""``templates suggest``: a first draft of a row template from a workbook's headers.

Belongs here: tables grouped by shape, and the YAML a user then edits. Stays out: reading (reading).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

import yaml

from notes_pipeline.errors import UserError
from notes_pipeline.plural import plural
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
    entry: str
    """The template as an item of a file's list."""
    previews: tuple[TablePreview, ...]

    @property
    def yaml(self) -> str:
        """A whole file of templates with this one in it."""
        return _HEAD + self.entry


_HEAD = """\
# Look at each text: it is what a row will say. Then: notes-pipeline templates check
version: 1
templates:
"""


def as_file(suggestions: Sequence[Suggestion]) -> str:
    """One file of templates with all drafts in it, and under each, as comments, how its rows read."""
    parts = [_HEAD]
    for suggestion in suggestions:
        parts.append(suggestion.entry)
        parts += [f"{_comment(line)}\n" for it in suggestion.previews for line in it.text.splitlines()]
    return "".join(parts)


def suggest(
    documents: Sequence[Document], settings: Settings | None = None, taken: Iterable[str] = ()
) -> list[Suggestion]:
    """One draft for each shape of table in these workbooks, the most frequent shape first.

    No two share an id or speak for the same tables, and none has an id that is ``taken``.
    """
    chosen = settings or Settings()
    names, matches = set(taken), set[object]()
    made = []
    for shape in shapes_of(documents, chosen):
        name, columns = _free(_name(shape), names), _matched(shape)
        if (_files(shape), frozenset(columns)) in matches:
            columns = list(shape.columns)
        names.add(name)
        matches.add((_files(shape), frozenset(columns)))
        made.append(_suggestion(shape, name, columns, documents, chosen))
    return made


def _free(name: str, taken: Collection[str]) -> str:
    return next(it for it in chain([name], (f"{name}_{n}" for n in count(2))) if it not in taken)


def shapes_of(documents: Iterable[Document], settings: Settings) -> list[Shape]:
    """The shapes of the tables with a header, the most frequent first, then as they come."""
    groups: dict[tuple[str, ...], list[list[Row]]] = {}
    for document in documents:
        for rows in tables_in(read(document, settings, Registry()).rows):
            if any(row.kind == "header" for row in rows) and any(row.kind == "data" for row in rows):
                # In whatever order: a template asks for columns by name.
                signature = tuple(sorted(normal(name) for name in columns_of(rows)))
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


def _suggestion(
    shape: Shape, name: str, columns: Sequence[str], documents: Sequence[Document], settings: Settings
) -> Suggestion:
    entry, registry = _sound(shape, name, columns)
    wanted = {path for path, _ in shape.places}
    previews = [
        item
        for document in documents
        if document.source_path in wanted
        for item in preview(registry, document, PREVIEW_ROWS, settings)
        if item.facts.template == name
    ]
    return Suggestion(shape, entry, tuple(previews[:PREVIEW_ROWS]))


def _sound(shape: Shape, name: str, columns: Sequence[str]) -> tuple[str, Registry]:
    """The draft; without a text of its own where no text can be made of such names (rows read by label)."""
    entry = draft(shape, name, columns)
    try:
        return entry, read_text("draft.yaml", _HEAD + entry)
    except UserError:
        entry = draft(shape, name, columns, worded=False)
        return entry, read_text("draft.yaml", _HEAD + entry)


def draft(shape: Shape, name: str, columns: Sequence[str], *, worded: bool = True) -> str:
    """A template for the shape as an item of a file's list, with comments on what to look at."""
    lines = [
        "  " + _comment(f"A draft for {plural(len(shape.places), 'table')}: {_places(shape)}"),
        f"  - id: {_flow(name)}",
        "    match:",
        f"      file: {_flow(_files(shape))}",
        f"      columns: {{all: {_flow(list(columns))}}}",
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
    if worded:
        lines += ["    text: >-", f"      {_sentence(shape, set(serial))}"]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    """A comment on one line, whatever characters the text has."""
    return "# " + "".join(char if char.isprintable() else " " for char in text)


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
    return re.sub(r"[\[\]]", "?", names[0]) if len(names) == 1 else "*"


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
