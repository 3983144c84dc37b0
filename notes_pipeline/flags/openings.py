"""First words that lean on what stood before: connectives, numbers, answers, half sentences.

Belongs here: rules that read the opening only. Stays out: pronouns (``references``), pointers.
"""

from __future__ import annotations

import re

from notes_pipeline.flags.rule import words
from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding

_CONTINUATION = re.compile(
    r"(?:such\s+as|including|namely|that\s+is(?=\s*[,:])|i\.\s?e\.|e\.\s?g\.|etc\.?|for\s+(?:example|instance))"
    r"(?![\w'’])",
    re.IGNORECASE,
)
CONTINUATION_OPENERS = words("such including namely that i e etc for")
_CONNECTIVE = re.compile(
    r"(?:however|therefore|thus|hence|moreover|furthermore|nevertheless|nonetheless|consequently|accordingly|"
    r"additionally|besides|likewise|similarly|conversely|meanwhile|otherwise|instead|secondly|thirdly|finally|"
    r"lastly|then|also|but|so|and|or|yet|because)(?:\s*,|\s+(?=[\w\"'`*\[(]))",
    re.IGNORECASE,
)
CONNECTIVE_OPENERS = words(
    "however therefore thus hence moreover furthermore nevertheless nonetheless consequently accordingly"
    " additionally besides likewise similarly conversely meanwhile otherwise instead secondly thirdly finally"
    " lastly then also but so and or yet because"
)
_ANSWER = re.compile(r"(?:yes|no|true|false|ans(?:wer)?)(?:[*_]*\s*[,.:;!–—-]|\s*$)", re.IGNORECASE)
ANSWER_OPENERS = words("yes no true false ans answer")
NUMBERED = frozenset(("list", ""))
"""Kinds of the first block that may start inside a numbered list."""
_NUMBER = re.compile(r"\s*(?:>\s*)*(?:(\d{1,3})[.)]|\(?([b-h])\)|\((ii|iii|iv)\))\s")
_SENTENCE_CLOSED = frozenset(".!?:;…。！？”\"'’)]}>|`*_$-")
PROSE = frozenset(("paragraph", "quote", "footnote"))


def continuation_phrase(view: View) -> list[Finding]:
    """Opens with a phrase that continues a sentence elsewhere; readable more often than not."""
    if match := _CONTINUATION.match(view.head):
        note = "opens by continuing a thought that stands elsewhere"
        return [Finding("continuation_phrase", view.start, view.start + match.end(), note)]
    return []


def dangling_connective(view: View) -> list[Finding]:
    """Opens with a connective whose other end is not in the chunk."""
    if match := _CONNECTIVE.match(view.head):
        note = "opens with a connective whose other side is not here"
        return [Finding("dangling_connective", view.start, view.start + len(match.group().rstrip()), note)]
    return []


def bare_answer(view: View) -> list[Finding]:
    """Opens with an answer while no heading above asks."""
    match = _ANSWER.match(view.head)
    if match and not view.last_heading.rstrip().endswith("?"):
        note = "answers a question that is not here"
        return [Finding("bare_answer", view.start, view.start + match.end(), note)]
    return []


def orphan_number(view: View) -> list[Finding]:
    """The first list number is not the first of its list."""
    match = _NUMBER.match(view.text, view.body) if view.first_kind in NUMBERED else None
    if match is None or match.group(1) in ("0", "1"):
        return []
    if len(match.group(1) or "") > 2:
        return []  # "2020." opens a year's entry, not the 2020th item
    note = "starts in the middle of a numbered list"
    return [Finding("orphan_number", match.start(match.lastindex or 0), match.end() - 1, note)]


def mid_sentence_start(view: View) -> list[Finding]:
    """Starts inside a sentence: small letter, and the text before it does not end a sentence.

    A small first letter alone proves nothing: commands, brands and hurried notes start so too.
    """
    first = view.text[view.start : view.start + 1]
    if not first.islower() or view.first_kind not in PROSE or view.body:
        return []
    before = _last_before(view)
    if before and before not in _SENTENCE_CLOSED:
        note = "starts inside a sentence whose beginning is in another chunk"
        return [Finding("mid_sentence_start", view.start, view.first_end, note)]
    return []


def _last_before(view: View) -> str:
    """The last non-blank character before the chunk within its own first block, or empty."""
    source, start = view.around.document.text, view.chunk.char_start
    if source is None or start is None or not view.blocks or view.blocks[0].start >= start:
        return ""
    return source[max(view.blocks[0].start, start - 200) : start].rstrip()[-1:]
