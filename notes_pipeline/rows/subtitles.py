"""Lines above a table besides its title: a unit, a date, a place that holds for every row.

Belongs here: which of them go along with the rows. Stays out: which line is the title (tables.table).
"""

from __future__ import annotations

from collections.abc import Sequence

from notes_pipeline.records import Row
from notes_pipeline.rows.names import normal
from notes_pipeline.rows.tables.table import says_something
from notes_pipeline.words import count_words

MOST_WORDS = 25
"""Words of a table's title and subtitles together; what goes beyond stands in no heading path."""
UNTOLD = "a line above the table that does not go along with its rows"


def subtitles_of(rows: Sequence[Row], titles: Sequence[str]) -> tuple[tuple[str, ...], frozenset[int]]:
    """The texts that go along with every row, in their order, and the numbers of title rows that do not.

    ``rows`` are those of one table; ``titles`` say its title, which is told already.
    """
    if not any(row.kind == "data" for row in rows):
        return (), frozenset()
    words = count_words(titles[0])
    told: list[str] = []
    untold: list[int] = []
    for row in rows:
        text = " ".join(" ".join(cell.value for cell in row.cells).split()) if row.kind == "title" else ""
        if not text or any(normal(text.rstrip(":. ")) in normal(title) for title in titles):
            continue
        words += count_words(text)
        if words > MOST_WORDS or not says_something(text):
            words -= count_words(text)
            untold.append(row.row_number)
        else:
            told.append(text)
    return tuple(told), frozenset(untold)
