"""Counts with their nouns, once for the command line and the report: 1 file, 2 files.

Belongs here: number and noun. Stays out: how a number's digits are grouped (the caller's ``show``).
"""

from __future__ import annotations

from collections.abc import Callable


def noun(count: int, one: str, many: str = "") -> str:
    """``one`` where there is one, else ``many`` (left out: ``one`` with its last word in the plural).

    >>> noun(1, "file"), noun(0, "file"), noun(2, "exact duplicate"), noun(3, "entry", "entries")
    ('file', 'files', 'exact duplicates', 'entries')
    """
    return one if count == 1 else many or f"{one}s"


def plural(count: int, one: str, many: str = "", *, show: Callable[[int], str] = "{:,}".format) -> str:
    """The count and its noun.

    >>> plural(1, "row lacks", "rows lack"), plural(12_345, "word")
    ('1 row lacks', '12,345 words')
    """
    return f"{show(count)} {noun(count, one, many)}"
