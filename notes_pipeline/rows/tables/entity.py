"""Which column names what a row is about.

Belongs here: the choice and its reasons. Stays out: how the name is used (sentence, chunking).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import median

from notes_pipeline.rows.names import is_moment, is_name, normal

_CODE = re.compile(
    r"\b(codes?|ids?|iso|symbols?|urls?|links?|e-?mail|s\.? ?no\.?|sr\.?( no\.?)?|no\.?|nr\.?|number|index"
    r"|fips|key|alpha-?[23]|abbr\w*|page|date)\b",
)
_NAME = re.compile(
    r"\b(name|title|term|word|country|state|topic|item|event|entity|person|subject|concept|pass)\b"
)
MIN_DISTINCT = 0.1
"""A column of two or three values over hundreds of rows sorts them, it names none."""
MIN_FILLED = 0.5
"""An entity column has a value in at least this share of the rows."""

KEY = re.compile(r"\b(codes?|ids?|iso|symbols?|key|fips|isbn|doi)\b")
"""Columns whose name says that they identify a row; running numbers do not, an inserted row shifts them."""


def entity_column(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    """The column most distinct, mostly not numeric, not a code, leftmost on ties; empty where none fits.

    ``rows`` map column names to shown values, without the empty ones.
    """
    best, choice = 0.0, ""
    for place, column in enumerate(columns):
        values = [row[column] for row in rows if column in row]
        points = _fitness(column, values, len(rows), place)
        if points > best:
            best, choice = points, column
    return choice


def moment_column(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    """The first column, where each row has a year or a day of its own in it; empty else.

    For tables of figures under a title: ``1995 (Ducks counted at the weir): Teal: 130`` is a fact.
    """
    first = columns[0] if columns else ""
    values = [row[first] for row in rows if first in row]
    named = len(values) == len(rows) == len(set(values)) and all(map(is_moment, values))
    return first if named and values else ""


def key_columns(columns: Sequence[str], entity: str) -> list[str]:
    """The columns that with ``entity`` identify a row: by name alone, so that no value can change them."""
    return [column for column in columns if column != entity and KEY.search(_spaced(column))]


def _fitness(column: str, values: Sequence[str], rows: int, place: int) -> float:
    """0 where the column cannot be the entity; else mostly its share of distinct values."""
    if len(values) < MIN_FILLED * rows or not values:
        return 0.0
    texts = [value for value in values if is_name(value)]
    if len(texts) <= len(values) / 2:
        return 0.0
    length = median(len(value) for value in texts)
    distinct = len({value.casefold() for value in values}) / rows
    if distinct < MIN_DISTINCT:
        return 0.0
    points = distinct - 0.02 * min(place, 10)
    name = _spaced(column)
    if _CODE.search(name) and not _NAME.search(name):
        points -= 0.6
    if length < 4 and all(_is_code(value) for value in texts):
        points -= 0.4
    if length > 60:
        # Whole sentences are distinct too, but they describe, they do not name.
        points -= 0.5
    if _NAME.search(name):
        points += 0.015
    return max(points, 0.01)


def _is_code(value: str) -> bool:
    """``LU``, ``b2``, ``x``: short and not written as a name is (``Auk``, ``東京``)."""
    return value.isascii() and not value.istitle()


def _spaced(column: str) -> str:
    return normal(column.replace("_", " ").replace("-", " "))
