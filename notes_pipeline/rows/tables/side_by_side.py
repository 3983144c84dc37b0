"""Tables side by side: the columns of a region parted where an empty column is a border.

Belongs here: borders between columns. Stays out: borders between rows (stacked).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from notes_pipeline.rows.tables.header import accepted, spelled
from notes_pipeline.rows.tables.region import Line, within


def by_columns(lines: Sequence[Line], hidden: frozenset[int]) -> list[list[int]]:
    """Groups of columns with an empty column between them that belong to different tables.

    A hidden column is no empty one: it leaves no gap.
    """
    used: Counter[int] = Counter()
    for line in lines:
        if not line.lone or len(line.cells) == 1:
            used.update(line.cells.keys())
    runs: list[list[int]] = []
    for column in sorted(used):
        if runs and all(between in hidden for between in range(runs[-1][-1] + 1, column)):
            runs[-1].append(column)
        else:
            runs.append([column])
    groups: list[list[int]] = []
    for run in runs:
        if groups and not _apart(lines, groups[-1], run, sum(used[column] for column in run)):
            groups[-1].extend(run)
        else:
            groups.append(run)
    return groups or [[]]


def _apart(lines: Sequence[Line], left: list[int], right: list[int], cells: int) -> bool:
    """Whether the columns on both sides of a gap are tables of their own; ``cells`` stand on the right."""
    gap = right[0] - left[-1] - 1
    may_stray, may_pair = gap >= 2 and cells <= 2 * len(right), len(left) > 1 and len(right) > 1
    if not (may_stray or may_pair):
        return False
    one, other = within(lines, left), within(lines, right)
    if may_stray and _is_stray(one, other):
        return True
    if not (_is_table(one, left) and _is_table(other, right)):
        return False
    if gap >= 2:
        return True
    if _only_numbers(other):
        # Figures without a name of their own belong to the names on the left.
        return False
    return (
        bool(_labels(one) & _labels(other))
        or abs(_first_row(one) - _first_row(other)) > 1
        or _both_titled(one, other)
    )


def _is_stray(one: Sequence[Line], other: Sequence[Line]) -> bool:
    """A cell or two far to the side that share at most one row with the rest, and are not its first."""
    rows = {line.number for line in one}
    shared = [line.number for line in other if line.number in rows]
    return len(other) <= 2 and len(one) > 2 and len(shared) <= 1 and one[0].number not in shared


def _is_table(lines: Sequence[Line], columns: Sequence[int]) -> bool:
    if len(columns) < 2 or len(lines) < 2:
        return False
    return sum(len(line.apart) >= 2 for line in lines) >= 2


def _only_numbers(lines: Sequence[Line]) -> bool:
    """Whether most lines hold nothing but figures."""
    figures = sum(all(cell.kind not in ("text", "bool") for cell in line.own) for line in lines)
    return figures > 0.6 * len(lines)


def _first_row(lines: Sequence[Line]) -> int:
    return next((line.number for line in lines if len(line.apart) >= 2), 0)


def _labels(lines: Sequence[Line]) -> set[str]:
    best = accepted(lines)
    return set(spelled(lines[best.place])) if best else set()


def _both_titled(one: Sequence[Line], other: Sequence[Line]) -> bool:
    return all(len(lines) > 2 and _is_title(lines[0], lines[1]) for lines in (one, other))


def _is_title(line: Line, following: Line) -> bool:
    """A lone line that stands over the first column of the several below it."""
    return line.lone and len(following.apart) > 1 and min(line.cells) <= min(following.cells)


def shared_title(lines: Sequence[Line], parts: Sequence[Sequence[int]]) -> str:
    """The text of a top line merged over several of the parts."""
    for line in lines[:2]:
        touched = sum(any(column in line.cells for column in part) for part in parts)
        if line.lone and touched > 1:
            return line.own[0].text
    return ""
