"""Rows that give no chunk, each with its reason and the numbers behind it.

Belongs here: the reasons and their order. Stays out: the making of records (chunking).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from notes_pipeline.plural import plural
from notes_pipeline.records import Row
from notes_pipeline.rows.names import is_moment, is_numeric
from notes_pipeline.rows.templates.plan import Plan
from notes_pipeline.words import count_words

STRUCTURE = frozenset(("title", "header", "section"))
"""Rows that are context of others and no loss."""
UNCERTAIN_HEADER = "uncertain_header"
"""Reason of a header that may be a row of data, and the finding of the rows below it."""
MIN_FIELDS = 2
NUMERIC_SHARE = 0.5
"""Above this share of numeric fields a row is mostly numeric …"""
NUMERIC_WORDS = 4
"""… where fewer words than this remain."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_LETTERED = re.compile(r"Column [A-Z]{1,3}( \d+)?")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_CONTINUED = re.compile(
    r"\(?(cont(inued|d|\.)|continued (from|on) .*|to be continued|end of (table|list))\.?\)?", re.I
)

DATA_REASONS = ("structural", "too_few_fields", "mostly_numeric")
"""Why a data row gives no chunk; for the other kinds of rows the kind is the reason."""

KIND_REASONS = {
    "total": "a total of other rows",
    "note": "a note beside the table",
    "repeated_header": "the header once more",
    "hidden": "hidden in the workbook",
    "struck": "crossed out",
    "outside_table": "outside every table",
    "free_form": "the sheet holds no table",
    "pivot": "a pivot table",
}


class Skip(NamedTuple):
    """Why a row gives no chunk."""

    reason: str
    detail: str


def skipped(row: Row, plan: Plan, values: Mapping[str, str]) -> Skip | None:
    """The first reason that holds, or None where the row is worth a chunk."""
    if row.kind != "data":
        why = row.explanation or KIND_REASONS[row.kind]
        return Skip(row.kind, f"{_numbers(row, plan, values)}; {why}")
    texts = list(values.values())
    reason = ""
    if _is_structural(texts):
        reason = "structural"
    elif len(texts) < _least_fields(row, plan):
        reason = "too_few_fields"
    elif not _keeps_numeric(plan) and _is_mostly_numeric(row, plan, values):
        reason = "mostly_numeric"
    if not reason:
        return None
    return Skip(reason, _numbers(row, plan, values) + (f"; {row.explanation}" if row.explanation else ""))


def _least_fields(row: Row, plan: Plan) -> int:
    """A list of one column is worth chunks where a template speaks for it."""
    return 1 if row.field_count == 1 and plan.template else MIN_FIELDS


def _keeps_numeric(plan: Plan) -> bool:
    return plan.template is not None and plan.template.keep_numeric


def _is_structural(texts: Sequence[str]) -> bool:
    """Rulers, dots and ``continued``: cells that hold no letter or digit, or only speak of the table."""
    return bool(texts) and all(
        not _LETTER_OR_DIGIT.search(text) or _CONTINUED.fullmatch(text) for text in texts
    )


def _is_mostly_numeric(row: Row, plan: Plan, values: Mapping[str, str]) -> bool:
    worded = [text for text in values.values() if not is_numeric(text)]
    if len(values) - len(worded) <= NUMERIC_SHARE * len(values):
        return False
    words = count_words(" ".join(worded))
    return words < NUMERIC_WORDS and not _is_named(values, plan) and not _is_dated(row, values, plan)


def _is_named(values: Mapping[str, str], plan: Plan) -> bool:
    """A named entity with a labelled number is a fact: ``Volga`` and its 3,790 km."""
    texts = (text for text in values.values() if not is_numeric(text))
    name = values.get(plan.entity) or next(texts, "")
    match = _WORD.search(name)
    return match is not None and not match[0][0].islower()


def _is_dated(row: Row, values: Mapping[str, str], plan: Plan) -> bool:
    """Under a title a year with figures under words is a fact: ``1995 (Ducks counted): Teal: 130``."""
    if not row.table_title or not is_moment(values.get(plan.entity, "")):
        return False
    labels = [plan.labels[column] for column in values if column != plan.entity]
    return all(_WORD.search(label) and not _LETTERED.fullmatch(label) for label in labels)


def _numbers(row: Row, plan: Plan, values: Mapping[str, str]) -> str:
    filled = len(values) if values else len(row.cells)
    words = sum(count_words(text) for text in values.values())
    fields = max(row.field_count, filled)
    keys = [name for name in (plan.entity, *plan.keys) if name]
    named = ", ".join(f"{name}={values.get(name, '')!r}" for name in keys) or "none"
    return (
        f"{filled} of {fields} fields, {fields - filled} empty, {plural(words, 'word')}, key fields: {named}"
    )
