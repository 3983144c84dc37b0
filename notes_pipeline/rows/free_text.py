"""Prose in a sheet without a table: a line that says something in sentences is worth finding.

Belongs here: which lines are prose, and their text in parts of a chunk's size.
Stays out: that the sheet holds no table (reading), the records (chunking).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from notes_pipeline.records import Row
from notes_pipeline.rows.sentence import ENDS, sentences_within
from notes_pipeline.settings import HARD_CHARACTERS
from notes_pipeline.words import count_words

FREE_TEXT = "free_text"
"""What made such a chunk, in place of a template; and its finding: a person should look."""
_ADDRESS = re.compile(r"\S+://\S+|www\.\S+")
LEAST_WORDS = 8
"""Words of one cell from which it is prose; shorter ones are labels."""


def free_text(row: Row, values: Mapping[str, str], max_words: int) -> tuple[str, ...]:
    """The row's prose in parts of at most ``max_words`` words; empty where it has none."""
    texts = list(values.values())
    if row.kind != "free_form" or not any(_is_prose(text) for text in texts):
        return ()
    parts: list[str] = []
    for unit in (unit for text in texts for unit in _units(text, max_words)):
        joined = f"{parts[-1]} {unit}" if parts else unit
        if parts and count_words(joined) <= max_words and len(joined) <= HARD_CHARACTERS:
            parts[-1] = joined
        else:
            parts.append(unit)
    return tuple(parts)


def _units(text: str, max_words: int) -> list[str]:
    units = sentences_within(text, max_words, HARD_CHARACTERS - 1)
    if not text.endswith(ENDS):
        # Cells stand side by side without a full stop; read on end they need one.
        units[-1] += "."
    return units


def _is_prose(text: str) -> bool:
    text = _ADDRESS.sub("", text)
    letters = sum(map(str.isalpha, text))
    return count_words(text) >= LEAST_WORDS and 2 * letters >= len(text)
