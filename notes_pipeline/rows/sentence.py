"""A row as a sentence: by its template, else labelled; and in parts where it is too long.

Belongs here: values cleaned, the template rendered, the rest labelled, the cut at field ends.
Stays out: ids and records (chunking), whether the row is worth a chunk (skip).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from notes_pipeline.records import Row
from notes_pipeline.rows.cleaning import clean
from notes_pipeline.rows.names import is_moment, is_name, normal, one_line, slug
from notes_pipeline.rows.templates.compiled import TemplateProblem
from notes_pipeline.rows.templates.plan import Plan
from notes_pipeline.settings import HARD_CHARACTERS
from notes_pipeline.words import count_words

FALLBACK = "fallback"
ENDS = (".", "!", "?", "…", "。", "！", "？")
_INNER = re.compile(r"(?<=[.!?;。！？；])\s+|\s*\n\s*")


class Removal(NamedTuple):
    """Something cleaned out of a cell."""

    column: str
    what: str


@dataclass(frozen=True)
class Values:
    """The cells of one row, cleaned: column to value, and what was taken out on the way."""

    by_column: Mapping[str, str]
    removed: tuple[Removal, ...]
    empty_words: tuple[str, ...]
    """Columns whose value the template counts as empty."""


@dataclass(frozen=True)
class Sentence:
    """The texts of a row (more than one where it was cut) and how they came about."""

    parts: tuple[str, ...]
    made_by: str
    """The template's id, or ``fallback``."""
    missing: tuple[str, ...] = ()
    """Required fields the row lacks, which is why its template did not speak."""
    problem: str = ""
    """What went wrong in rendering, or why a template's sentence was not used."""


@dataclass(frozen=True)
class Place:
    """What a sentence says about where its row stands: title or sheet, and section; either may be empty."""

    title: str
    section: str

    @property
    def text(self) -> str:
        """``title; section``, nothing twice."""
        parts = [self.title] if self.title else []
        if self.section and normal(self.section) != normal(self.title):
            parts.append(self.section)
        return "; ".join(parts)


def values_of(row: Row, plan: Plan) -> Values:
    """The row's cells that may be read, cleaned; empty ones are absent."""
    values: dict[str, str] = {}
    removed: list[Removal] = []
    empty: list[str] = []
    words = plan.template.empty_values if plan.template else frozenset()
    for cell in row.cells:
        if cell.column in plan.ignored:
            continue
        if words and normal(cell.value) in words:
            empty.append(cell.column)
            continue
        text, marks = clean(cell.value)
        values[cell.column] = one_line(text)
        if marks:
            removed.extend(Removal(cell.column, str(what)) for what in marks)
    return Values(values, tuple(removed), tuple(empty))


def compose(values: Mapping[str, str], plan: Plan, place: Place, section: str, max_words: int) -> Sentence:
    """The row as its reader should hear it, in parts of at most ``max_words`` words."""
    template = plan.template
    if template is None or template.compiled is None:
        made_by = template.id if template else FALLBACK
        return Sentence(_labelled(values, plan, place, max_words), made_by)
    given = _given(values, plan, section)
    missing = template.compiled.missing(given)
    problem = ""
    if not missing:
        text, said = "", frozenset[str]()
        try:
            text, said = template.compiled.render(given)
        except TemplateProblem as error:
            problem = error.what
        whole = _with_rest(text, said, values, plan)
        if text and not _too_long(whole, max_words):
            return Sentence((whole,), template.id)
        problem = problem or ("reads as nothing" if not text else "is longer than a chunk may be")
    return Sentence(_labelled(values, plan, place, max_words), FALLBACK, tuple(missing), problem)


def missing_fields(values: Mapping[str, str], plan: Plan, section: str) -> list[str]:
    """The required fields of the plan's template that these values lack."""
    if plan.template is None or plan.template.compiled is None:
        return []
    return plan.template.compiled.missing(_given(values, plan, section))


def _given(values: Mapping[str, str], plan: Plan, section: str) -> dict[str, str]:
    """Values by the identifiers of the template's text."""
    assert plan.template is not None
    assert plan.template.compiled is not None
    given = {identifier: values.get(column, "") for identifier, column in plan.fields.items()}
    alias = slug(plan.template.spec.table.section_as or "").casefold()
    for identifier in plan.template.compiled.fields:
        if identifier not in given and identifier.casefold() == alias:
            given[identifier] = section
    return given


def left_out(row: Row, plan: Plan) -> Iterator[tuple[str, str]]:
    """The filled columns that the row's sentence leaves out on purpose, each with ``ignored`` or
    ``rest_dropped``."""
    if not (plan.ignored or (plan.template and plan.template.rest == "drop")):
        return
    dropped = _dropped(values_of(row, plan).by_column, plan, row.section)
    for cell in row.cells:
        if cell.column in plan.ignored or cell.column in dropped:
            yield ("ignored" if cell.column in plan.ignored else "rest_dropped"), cell.column


def _dropped(values: Mapping[str, str], plan: Plan, section: str) -> frozenset[str]:
    """The filled columns that ``rest: drop`` leaves out of this row's sentence."""
    template = plan.template
    if template is None or template.compiled is None or template.rest != "drop":
        return frozenset()
    given = _given(values, plan, section)
    if template.compiled.missing(given):
        return frozenset()
    try:
        said = template.compiled.render(given).said
    except TemplateProblem:
        return frozenset()
    return (plan.dropped | plan.used - _said(said, plan)) & values.keys()


def _said(identifiers: frozenset[str], plan: Plan) -> frozenset[str]:
    return frozenset(plan.fields[name] for name in identifiers if name in plan.fields)


def _with_rest(text: str, said: frozenset[str], values: Mapping[str, str], plan: Plan) -> str:
    """The template's sentence and, labelled, what it does not say: a clause that vanished says nothing."""
    drops = plan.template is not None and plan.template.rest == "drop"
    silent = plan.dropped | (plan.used if drops else _said(said, plan))
    if plan.entity not in silent and values.get(plan.entity, "").casefold() in text.casefold():
        silent = silent | {plan.entity}
    items = [item for column, item in _items(values, plan) if column not in silent]
    if not items:
        return text
    return f"{_ended(text)} {_ended('; '.join(items))}"


def _items(values: Mapping[str, str], plan: Plan) -> list[tuple[str, str]]:
    return [
        (column, f"{plan.labels[column]}: {values[column]}") for column in plan.columns if column in values
    ]


def head_of(values: Mapping[str, str], plan: Plan, place: Place) -> str:
    """``Entity (Title; Section)``, or what of it there is."""
    entity = entity_of(values, plan)
    if not entity:
        return place.text
    return f"{entity} ({place.text})" if place.text and normal(place.text) != normal(entity) else entity


def entity_of(values: Mapping[str, str], plan: Plan) -> str:
    """What the row is about; empty where its entity cell is, or holds a mere number that is no year."""
    entity = values.get(plan.entity, "")
    chosen = bool(plan.template and plan.template.spec.entity)
    return entity if chosen or is_name(entity) or is_moment(entity) else ""


def _labelled(values: Mapping[str, str], plan: Plan, place: Place, max_words: int) -> tuple[str, ...]:
    head = head_of(values, plan, place)
    hidden = plan.dropped if plan.template and plan.template.compiled is None else frozenset()
    headed = entity_of(values, plan)
    items = [
        item
        for column, item in _items(values, plan)
        if column not in hidden and not (headed and column == plan.entity)
    ]
    if not items:
        return (_ended(head),)
    whole = _labelled_text(head, items)
    if not _too_long(whole, max_words):
        return (whole,)
    return tuple(_labelled_text(head, part) for part in _packed(items, head, max_words))


def _labelled_text(head: str, items: Sequence[str]) -> str:
    return _ended(f"{head}: {'; '.join(items)}" if head else "; ".join(items))


def _packed(items: Sequence[str], head: str, max_words: int) -> list[list[str]]:
    """Items in runs that fit with the head before each; an item too long alone is cut inside."""
    head = head[: HARD_CHARACTERS // 4]
    words = max(max_words // 4, max_words - count_words(head))
    characters = HARD_CHARACTERS - len(head) - 4
    parts: list[list[str]] = []
    used_words = used_characters = 0
    for item in (piece for whole in items for piece in _pieces(whole, words, characters)):
        size, length = count_words(item), len(item) + 2
        if not parts or used_words + size > words or used_characters + length > characters:
            parts.append([])
            used_words = used_characters = 0
        parts[-1].append(item)
        used_words += size
        used_characters += length
    return parts


def _pieces(item: str, words: int, characters: int) -> list[str]:
    """The item whole, or cut at sentence ends, else at blanks, else anywhere; each piece keeps the label."""
    if count_words(item) <= words and len(item) + 2 <= characters:
        return [item]
    name, _, value = item.partition(": ")
    name = name[: characters // 4]
    room_words = max(1, words - count_words(name))
    room = characters - len(name) - 4
    units = sentences_within(value, room_words, room)
    pieces: list[str] = []
    for unit in units:
        joined = f"{pieces[-1]} {unit}" if pieces else unit
        if pieces and count_words(joined) <= room_words and len(joined) <= room:
            pieces[-1] = joined
        else:
            pieces.append(unit)
    return [f"{name}: {piece}" for piece in pieces]


def sentences_within(text: str, words: int, characters: int) -> list[str]:
    """The sentences of a text; one that is too long is cut at blanks, else anywhere."""
    return [unit for sentence in _INNER.split(text) for unit in _fitting(sentence, words, characters)]


def _fitting(sentence: str, words: int, characters: int) -> list[str]:
    if count_words(sentence) <= words and len(sentence) <= characters:
        return [sentence]
    if " " in sentence:
        return [piece for word in sentence.split() for piece in _fitting(word, words, characters)]
    # A run without blanks: two characters of a dense script are a word, so this many always fit.
    step = max(1, min(characters, words))
    return [sentence[start : start + step] for start in range(0, len(sentence), step)]


def _too_long(text: str, max_words: int) -> bool:
    if len(text) <= 2 * max_words:
        # A word is a character and a blank, or two characters of a dense script: no need to count.
        return False
    return len(text) > HARD_CHARACTERS or count_words(text) > max_words


def _ended(text: str) -> str:
    text = text.rstrip()
    return text if not text or text.endswith(ENDS) else text + "."
