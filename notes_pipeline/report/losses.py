"""What was thrown away, by reason, rows with the cells they had.

Belongs here: grouping discards for the report. Stays out: deciding what is discarded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from notes_pipeline.records import Discard, Row
from notes_pipeline.report.data import DiscardedRow, DiscardGroup
from notes_pipeline.words import count_words

SHOWN = 4
"""Discards of one reason that are shown; all are counted, and stand in ``data/discards.parquet``."""

RowKey = tuple[str, str | None, int | None]


def discarded_rows(discards: Iterable[Discard], rows: Iterable[Row]) -> tuple[tuple[DiscardedRow, ...], int]:
    """Each discarded row with its cells, and how many rows there were in all.

    A row that is not among ``rows`` is shown by its text alone. ``rows`` is read once; only rows
    that a discard names are kept.
    """
    lost = [discard for discard in discards if discard.row_number is not None]
    wanted = {_key(discard) for discard in lost}
    known: dict[RowKey, Row] = {}
    met = 0
    for row in rows:
        met += 1
        key = (row.source_path, row.sheet, row.row_number)
        if key in wanted:
            known[key] = row
    return tuple(_discarded(discard, known.get(_key(discard))) for discard in lost), met


def _key(discard: Discard) -> RowKey:
    return discard.source_path, discard.sheet, discard.row_number


def _discarded(discard: Discard, row: Row | None) -> DiscardedRow:
    cells = tuple((cell.column, cell.value) for cell in row.cells) if row else ()
    total = max(row.field_count, len(cells)) if row else 0
    words = sum(count_words(value) for _, value in cells) if row else count_words(discard.text)
    return DiscardedRow(discard, total - len(cells), total, words, cells)


def discard_groups(discards: Sequence[Discard], rows: Sequence[DiscardedRow]) -> tuple[DiscardGroup, ...]:
    """Reasons, the most frequent first."""
    by_reason: defaultdict[str, list[Discard]] = defaultdict(list)
    for discard in discards:
        by_reason[discard.reason].append(discard)
    shown: defaultdict[str, list[DiscardedRow]] = defaultdict(list)
    for row in rows:
        if len(shown[row.discard.reason]) < SHOWN:
            shown[row.discard.reason].append(row)
    groups = (
        DiscardGroup(
            reason=reason,
            count=len(found),
            characters=sum(discard.text_length for discard in found),
            rows=tuple(shown[reason]),
            texts=tuple([discard for discard in found if discard.row_number is None][:SHOWN]),
        )
        for reason, found in by_reason.items()
    )
    return tuple(sorted(groups, key=lambda group: (-group.count, group.reason)))
