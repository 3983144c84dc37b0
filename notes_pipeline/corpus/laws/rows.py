"""Laws about rows: each non-empty row is chunks, or one discard, or a named structure row of its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from notes_pipeline.corpus.laws.material import Material
from notes_pipeline.settings import Settings

STRUCTURE = frozenset(("title", "header", "section"))
"""Rows that name things for other rows; they live on in headings and labels."""

Key = tuple[str, int]


def rows_add_up(material: Material, settings: Settings) -> Iterator[tuple[str, str]]:
    """Law 1 for rows: chunks and discards account for every row, none twice, none that is not there."""
    rows, structure = _rows(material), _structure(material)
    chunks, discards = _chunks(material), _discards(material)
    for key in sorted(rows.keys() | chunks.keys() | discards.keys()):
        place = f"{key[0]}!{key[1]}"
        there, kept, gone = rows[key], chunks[key], discards[key]
        # A structure row may be a discard besides: a header that may be data, a line no path holds.
        most = there + structure[key]
        if not there and not (gone and structure[key]):
            yield place, "a chunk or discard names a row that is not there"
        elif kept + gone < there:
            yield place, "the row is in no chunk and no discard"
        elif gone > most or (gone and kept and kept + gone > most):
            yield place, "the row is in a discard and in something else"


def lost_rows(material: Material) -> int:
    """Non-empty rows, structure rows aside, in neither chunk nor discard."""
    chunks, discards = _chunks(material), _discards(material)
    return sum(max(0, count - chunks[key] - discards[key]) for key, count in _rows(material).items())


def _rows(material: Material) -> Counter[Key]:
    """Rows to account for by place; two tables side by side have two rows at one place."""
    return Counter((row.sheet, row.row_number) for row in material.rows if row.kind not in STRUCTURE)


def _structure(material: Material) -> Counter[Key]:
    return Counter((row.sheet, row.row_number) for row in material.rows if row.kind in STRUCTURE)


def _chunks(material: Material) -> Counter[Key]:
    """Rows that became chunks; of a cut row its first part counts."""
    return Counter(
        (chunk.sheet, chunk.row_number)
        for chunk in material.chunks
        if chunk.sheet is not None and chunk.row_number is not None and chunk.part in (None, 1)
    )


def _discards(material: Material) -> Counter[Key]:
    found = ((it.sheet, it.row_number) for it in material.discards)
    return Counter((sheet, number) for sheet, number in found if sheet is not None and number is not None)
