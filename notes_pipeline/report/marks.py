"""A text in pieces, so that a view can mark what the rules saw and what two chunks share.

Belongs here: cutting a text at spans. Stays out: how a mark looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from notes_pipeline.report.data import Segment

OVERLAP = "overlap"


def segments(text: str, spans: Iterable[tuple[int, int, str]]) -> tuple[Segment, ...]:
    """``text`` in order, each piece under the mark of the last span that covers it; empty spans vanish.

    >>> [(s.text, s.mark) for s in segments("click here now", [(0, 10, "pointer")])]
    [('click here', 'pointer'), (' now', '')]
    """
    kept = [(max(0, start), min(len(text), end), mark) for start, end, mark in spans if start < end]
    borders = sorted({0, len(text), *(b for start, end, _ in kept for b in (start, end) if b <= len(text))})
    found: list[Segment] = []
    for start, end in pairwise(borders):
        mark = next((name for first, last, name in reversed(kept) if first <= start and end <= last), "")
        if found and found[-1].mark == mark:
            found[-1] = Segment(found[-1].text + text[start:end], mark)
        else:
            found.append(Segment(text[start:end], mark))
    return tuple(found)


def around(text: str, start: int, end: int, mark: str, reach: int = 90) -> tuple[Segment, ...]:
    """The span, cut where it is longer than ``reach``, between some text; "…" where more follows."""
    end = min(end, start + reach)
    first, last = max(0, start - reach // 2), min(len(text), end + reach)
    head, tail = "…" * (first > 0), "…" * (last < len(text))
    shift = len(head) - first
    return segments(head + text[first:last] + tail, [(start + shift, end + shift, mark)])
