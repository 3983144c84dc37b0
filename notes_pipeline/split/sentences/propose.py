"""Text to an engine and its sentence starts back, at a cost linear in the text whatever is in it.

Belongs here: cutting, masking, batches, memory. Stays out: which engine (``engine.py``), what
becomes of its proposals (``refine.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MAX_CHARACTERS = 20_000
"""Of one text shown at once: a parser's memory grows with it, and spaCy refuses a million."""
MAX_RUN = 500
"""Of one run without blanks: longer ones are cut, the tokenizer peels them sign by sign."""
BATCH = 256
ZONE = 4_096
"""Texts after which the strings spaCy has met are forgotten."""

_LONG_RUN = re.compile(rf"\S{{{MAX_RUN + 1},}}")
_SIGNS = re.compile(r"[^\w\s]{24,}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SIGNS_KEPT = 3


def propose(texts: Sequence[str], nlp: Language) -> list[set[int]]:
    """For each text the offsets at which ``nlp`` starts a sentence, the first one left out.

    A start never stands at a blank. Where a text was cut to be shown, the cut is no start.
    """
    found: list[set[int]] = [set() for _ in texts]
    windows = _windows(texts)
    while group := list(islice(windows, ZONE)):
        with nlp.memory_zone():
            shown = ((texts[at][start:end], (at, start)) for at, start, end in group)
            masked = ((_masked(text), place) for text, place in shown)
            for doc, (at, offset) in nlp.pipe(masked, as_tuples=True, batch_size=BATCH):
                found[at].update(offset + start for start in _starts(doc))
    return found


def _masked(text: str) -> str:
    """``text`` with letters for what an engine would choke on, character by character."""
    return _SURROGATE.sub("x", _SIGNS.sub(_one_token, text))


def _one_token(signs: re.Match[str]) -> str:
    """Letters for a row of signs, all but its last: one token instead of hundreds."""
    return "x" * (len(signs[0]) - _SIGNS_KEPT) + signs[0][-_SIGNS_KEPT:]


def _starts(doc: Doc) -> Iterator[int]:
    pending = False
    for token in doc:
        pending = pending or bool(token.is_sent_start and token.i)
        if pending and not token.is_space:
            yield token.idx
            pending = False


def _windows(texts: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Text number, start and end of every stretch shown."""
    for at, text in enumerate(texts):
        if len(text) <= MAX_RUN:
            yield at, 0, len(text)
            continue
        for start, end in _cut_runs(text):
            yield from ((at, *window) for window in _cut(text, start, end))


def _cut_runs(text: str) -> Iterator[tuple[int, int]]:
    """Long runs without blanks in pieces of their own."""
    position = 0
    for run in _LONG_RUN.finditer(text):
        for end in range(run.start() + MAX_RUN, run.end() + MAX_RUN, MAX_RUN):
            yield position, min(end, run.end())
            position = min(end, run.end())
    if position < len(text):
        yield position, len(text)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """``start:end`` in windows under the limit, cut after a blank where there is one."""
    while end - start > MAX_CHARACTERS:
        blank = text.rfind(" ", start, start + MAX_CHARACTERS)
        cut = blank + 1 if blank > start else start + MAX_CHARACTERS
        yield start, cut
        start = cut
    if start < end:
        yield start, end
