"""Last words that promise more: a comma, an article, a colon with nothing after it.

Belongs here: rules that read the end of a chunk of prose. Stays out: code and lists, which end as they like.
"""

from __future__ import annotations

import re

from notes_pipeline.flags.rule import words
from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding

_OPEN_WORDS = words("the a an of to and or with by from for that which is are was were - – —")
CUT_ENDINGS = frozenset(",").union(word[-1] for word in _OPEN_WORDS)
COLONS = frozenset(":：")
_TAIL = 40
_PROSE = frozenset(("paragraph", "quote"))
_ADDRESS = re.compile(r"https?:\S*$|`[^`]*$|:[a-z_]+:$")
"""Ends that are no end of a sentence: an address, code, an emoji by its name."""


def cut_end(view: View) -> list[Finding]:
    """Ends on a word or mark after which a sentence must go on."""
    if view.last_kind not in _PROSE:
        return []
    end = view.trimmed_end
    last = view.text[max(view.body, end - _TAIL) : end].rpartition(" ")[2].rpartition("\n")[2]
    open_mark = last.endswith(",")
    if (open_mark or last in _OPEN_WORDS) and not _ADDRESS.search(last):
        note = "ends in the middle of a sentence"
        return [Finding("cut_end", end - 1 if open_mark else end - len(last), end, note)]
    return []


def lead_in_only(view: View) -> list[Finding]:
    """Ends with a colon and nothing that it introduces."""
    end = view.trimmed_end
    if view.last_kind in ("fence", "table", "math", "html", "property") or end <= view.body:
        return []
    if view.text[end - 1] in COLONS and not _ADDRESS.search(view.text[max(0, end - _TAIL) : end]):
        note = "ends with a colon, and what it introduces is not here"
        return [Finding("lead_in_only", end - 1, end, note)]
    return []
