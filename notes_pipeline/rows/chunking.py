"""Rows to chunks and discards: one row, one chunk that makes sense alone.

Belongs here: heading paths, ids, records. Stays out: the wording (sentence) and what is skipped (skip).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from notes_pipeline.discards import discard
from notes_pipeline.garbage import collector_paused
from notes_pipeline.ids import Keys, content_hash, row_locator
from notes_pipeline.records import Chunk, Discard, Document, Finding, Row
from notes_pipeline.rows.free_text import FREE_TEXT, free_text
from notes_pipeline.rows.names import folded, is_generic_sheet, normal, stem
from notes_pipeline.rows.reading import Workbook
from notes_pipeline.rows.sentence import Place, Sentence, Values, compose, entity_of, values_of
from notes_pipeline.rows.skip import STRUCTURE, UNCERTAIN_HEADER, Skip, skipped
from notes_pipeline.rows.subtitles import UNTOLD, subtitles_of
from notes_pipeline.rows.templates.plan import Plan
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.rows.templates.shape import OUTSIDE, plan_for, tables_in
from notes_pipeline.settings import Settings
from notes_pipeline.words import count_words

_SAYS_NOTHING = frozenset(("name", "names", "title", "item", "items", "entry"))
"""Labels of an entity column that tell nothing of what the entity is."""


@dataclass(frozen=True)
class _Table:
    """What all rows of one table share."""

    plan: Plan
    title: str
    """Its title, else its sheet's name; empty where neither tells anything."""
    subtitles: tuple[str, ...]
    """Further short lines above it, which every row's heading path holds."""
    untold: frozenset[int]
    """Numbers of title rows that are in no heading path."""
    uncertain: str
    """Why its header is not sure, or empty."""
    max_words: int


def chunk(
    document: Document, workbook: Workbook, settings: Settings, registry: Registry
) -> list[Chunk | Discard]:
    """Every row that is no structure as one or more chunks or as one discard, in the order of the rows.

    A header that is not sure names the columns and is a discard too: it may be a row of data.
    """
    made: list[Chunk | Discard] = []
    maker = _Chunker(document, settings)
    twice = _titles_on_several_sheets(workbook.rows)
    with collector_paused():
        for rows in tables_in(workbook.rows):
            table = _table(document, rows, settings, registry, twice)
            for row in rows:
                if row.kind not in STRUCTURE:
                    made.extend(maker.row(row, table))
                elif row.kind == "header" and (table.uncertain or row.table_index == OUTSIDE):
                    why = table.uncertain or row.explanation
                    made.append(maker.structure(row, Skip(UNCERTAIN_HEADER, why)))
                elif row.row_number in table.untold:
                    made.append(maker.structure(row, Skip("note", UNTOLD)))
    return made


def _table(
    document: Document, rows: Sequence[Row], settings: Settings, registry: Registry, twice: set[str]
) -> _Table:
    entity = next((row.entity for row in rows if row.kind == "data"), "")
    plan = plan_for(registry, rows, entity)
    given = plan.template.spec.title if plan.template else ""
    sheet = _telling(rows[0].sheet, document)
    title = given or rows[0].table_title or sheet
    if sheet and title in twice:
        title = f"{sheet}: {title}"
    header = [row for row in rows if row.kind == "header"]
    uncertain = header[-1].explanation if header and "(low confidence)" in header[-1].explanation else ""
    most = settings.excel.bands.too_long
    if plan.template and plan.template.max_words:
        most = plan.template.max_words
    subtitles, untold = subtitles_of(rows, (title, rows[0].table_title))
    return _Table(plan, title, subtitles, untold, uncertain, most)


def _telling(sheet: str, document: Document) -> str:
    """The sheet's name, unless a program gave it or it only says the file's name again."""
    name = " ".join(sheet.split())
    return "" if is_generic_sheet(name) or normal(name) == normal(stem(document.source_path)) else name


def _titles_on_several_sheets(rows: Sequence[Row]) -> set[str]:
    """Titles that do not tell their sheets apart."""
    sheets: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.table_title:
            sheets[row.table_title].add(row.sheet)
    return {title for title, names in sheets.items() if len(names) > 1}


class _Chunker:
    """Makes the chunks of one workbook: ids and indexes run through all its tables."""

    def __init__(self, document: Document, settings: Settings) -> None:
        self._document = document
        self._settings = settings
        self._keys = Keys(document.source_path)
        self._taken: set[tuple[str, ...]] = set()
        self._index = 0
        self._workbook = " ".join((document.title or stem(document.source_path)).split())

    def row(self, row: Row, table: _Table) -> Iterator[Chunk | Discard]:
        """The chunks of a row, or its discard."""
        values = values_of(row, table.plan)
        prose = free_text(row, values.by_column, table.max_words)
        skip = None if prose else skipped(row, table.plan, values.by_column)
        if skip:
            yield self._discard(row, skip)
            return
        place = Place(table.title or self._workbook, row.section)
        if prose:
            sentence = Sentence(prose, FREE_TEXT)
        else:
            sentence = compose(values.by_column, table.plan, place, row.section, table.max_words)
        key = self._key(row, table)
        for number, text in enumerate(sentence.parts, 1):
            part = number if len(sentence.parts) > 1 else None
            yield self._chunk(row, table, sentence, values, text, part, key)

    def structure(self, row: Row, skip: Skip) -> Discard:
        """The text of a row that is context of others, where they may not hold it."""
        return self._discard(row, skip)

    def _discard(self, row: Row, skip: Skip) -> Discard:
        named = row.kind not in STRUCTURE
        text = " | ".join(f"{cell.column}: {cell.value}" if named else cell.value for cell in row.cells)
        return discard(
            row.source_path,
            row.notebook,
            skip.reason,
            skip.detail,
            text,
            sheet=row.sheet,
            row_number=row.row_number,
        )

    def _key(self, row: Row, table: _Table) -> tuple[str, ...]:
        """The row's identity: entity and key cells where they are the first of their kind, else every cell.

        So an inserted row takes no other row's name, unless it has the very same key and stands above.
        """
        cells = {cell.column: cell.value for cell in row.cells}
        base = (row.sheet, row.table_title)
        names = [name for name in (table.plan.entity, *table.plan.keys) if name]
        short = (*base, *(part for name in names for part in (name, cells.get(name, ""))))
        if table.plan.entity in cells and short not in self._taken:
            self._taken.add(short)
            return short
        return (*base, "row", *(part for name, value in cells.items() for part in (name, value)))

    def _chunk(
        self,
        row: Row,
        table: _Table,
        sentence: Sentence,
        values: Values,
        text: str,
        part: int | None,
        key: tuple[str, ...],
    ) -> Chunk:
        path = _distinct((self._workbook, table.title, *table.subtitles, row.section))
        parts = key if part is None else (*key, f"part {part}")
        index, self._index = self._index, self._index + 1
        return Chunk(
            chunk_id=self._keys.chunk_id(parts),
            locator=row_locator(row.source_path, row.sheet, row.row_number),
            content_hash=content_hash(path, text),
            source_path=row.source_path,
            source_type=self._document.source_type,
            notebook=row.notebook,
            chunk_index=index,
            heading_path=path,
            text=text,
            embed_text=_embedded(path, _labelled(text, values.by_column, table)),
            char_start=None,
            char_end=None,
            start_line=None,
            end_line=None,
            sheet=row.sheet,
            row_number=row.row_number,
            template=sentence.made_by,
            part=part,
            word_count=count_words(text),
            sentence_count=None,
            token_count=None,
            is_sub_split=part is not None,
            merged_from=(),
            semantic_type="",
            quality="ok",
            findings=tuple(_findings(row, table, sentence, values, text, part)),
            decision="keep",
            decision_reason="",
            duplicate_of=None,
            settings_hash=self._settings.hash,
        )


def _labelled(text: str, values: Mapping[str, str], table: _Table) -> str:
    """The sentence, and before it what its entity is (``Pass: …``): it begins with the entity, bare."""
    entity = entity_of(values, table.plan)
    if not entity or not text.startswith(entity):
        return text
    name = table.plan.labels[table.plan.entity]
    said = normal(name) in _SAYS_NOTHING or normal(name) in folded(f"{table.title} {text}")
    return text if said else f"{name}: {text}"


def _distinct(path: Sequence[str]) -> tuple[str, ...]:
    """The path without empty and repeated titles."""
    kept: list[str] = []
    for title in path:
        if title and all(normal(title) != normal(other) for other in kept):
            kept.append(title)
    return tuple(kept)


def _embedded(path: Sequence[str], text: str) -> str:
    """The sentence under the titles that neither it nor a title before them says."""
    said = folded(text)
    titles: list[str] = []
    for title in path:
        if title and normal(title) not in said:
            titles.append(title)
            said = f"{said} {normal(title)}"
    return f"{' > '.join(titles)}\n{text}" if titles else text


def _findings(
    row: Row, table: _Table, sentence: Sentence, values: Values, text: str, part: int | None
) -> Iterator[Finding]:
    for removal in values.removed:
        yield _at(text, values.by_column, removal.column, "cleaned", f"{removal.column}: {removal.what}")
    if sentence.made_by == FREE_TEXT:
        yield Finding(FREE_TEXT, 0, 0, row.explanation)
    elif row.explanation:
        yield Finding("cells_left_out", 0, 0, row.explanation)
    if sentence.missing:
        yield Finding("template_fields_missing", 0, 0, _said_of(table.plan, ", ".join(sentence.missing)))
    elif sentence.problem:
        yield Finding("template_not_used", 0, 0, _said_of(table.plan, sentence.problem))
    least = _least_words(table.plan)
    if least and part is None and (words := count_words(text)) < least:
        yield Finding("few_values", 0, len(text), f"reads in {words} words, its template asks for {least}")
    if table.uncertain:
        yield Finding(UNCERTAIN_HEADER, 0, 0, table.uncertain)
    if part is not None:
        yield Finding("row_cut", 0, 0, f"part {part} of {len(sentence.parts)}")
    for cell in row.cells:
        if cell.link and cell.column in values.by_column:
            yield _at(text, values.by_column, cell.column, "link", f"{cell.ref}: {cell.link}")


def _least_words(plan: Plan) -> int:
    return plan.template.min_words if plan.template else 0


def _said_of(plan: Plan, what: str) -> str:
    return f"{plan.template.id if plan.template else ''}: {what}"


def _at(text: str, values: Mapping[str, str], column: str, rule: str, note: str) -> Finding:
    """The finding over the column's value in the text, or over nothing where it does not stand as it is."""
    value = values.get(column, "")
    start = text.find(value) if value else -1
    return Finding(rule, start, start + len(value), note) if start >= 0 else Finding(rule, 0, 0, note)
