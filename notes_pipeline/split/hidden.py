"""Stretches of a block that are not read: comments inside a paragraph or HTML, scripts, styles.

Belongs here: where they stand, so that a block over the limits is cut around them and no part of
one is read. Stays out: comments that are blocks of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter

from notes_pipeline.split.marks import BLOCK_BREAK

_HIDDEN = re.compile(
    rf"(?P<code>(?<!`)(`+)(?!`)(?:(?!\n[ \t>]*\n).)*?(?<!`)\2(?!`))|<!--.*?(?:-->|\Z)"
    rf"|(?:(?<=[\s(])|\A)%%(?:(?!{BLOCK_BREAK.pattern}).)+?%%"
    r"|<(script|style|template)\b.*?(?:</\3\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_READ_AS_IT_IS = frozenset({"fence", "math", "comment", "reference", "property"})


def hidden_spans(text: str, start: int, end: int, kind: str) -> Iterator[tuple[int, int]]:
    """Start and end of each stretch of the block ``text[start:end]`` that is not read, in order."""
    if kind in _READ_AS_IT_IS or not _may_hide(text, start, end):
        return
    for found in _HIDDEN.finditer(text[start:end]):
        if (kind == "html" and found["code"] is None) or _is_comment(found):
            yield start + found.start(), start + found.end()


def _is_comment(found: re.Match[str]) -> bool:
    """Whether a stretch of inline text is a comment: no code, no tag, and closed."""
    return found["code"] is None and found[3] is None and found[0].endswith(("-->", "%%"))


def _may_hide(text: str, start: int, end: int) -> bool:
    return text.find("<", start, end) >= 0 or text.find("%%", start, end) >= 0


@lru_cache(maxsize=1)
def _spans_of(text: str, block: tuple[int, int, str]) -> tuple[tuple[int, int], ...]:
    """The hidden spans of a block, looked for once: all parts of a long one ask for them in a row."""
    return tuple(hidden_spans(text, *block))


def without_hidden(text: str, start: int, end: int, block: tuple[int, int, str]) -> str:
    """``text[start:end]``, a part of ``block`` (its start, end and kind), without what is not read."""
    kept = []
    spans = _spans_of(text, block)
    for at in range(bisect_right(spans, start, key=itemgetter(1)), len(spans)):
        first, last = spans[at]
        if first >= end:
            break
        kept.append(text[start:first])
        start = min(last, end)
    return "".join([*kept, text[start:end]])


def stretches(
    text: str, start: int, end: int, block: tuple[int, int, str], least: int
) -> Iterator[tuple[int, int, bool]]:
    """``text[start:end]`` in stretches, each read or (``True``) hidden, and then of ``least`` characters."""
    for first, last in _spans_of(text, block):
        if last - first < least or first < start or last > end:
            continue
        if text[start:first].strip():
            yield start, first, False
        yield first, last, True
        start = last
    if text[start:end].strip():
        yield start, end, False
