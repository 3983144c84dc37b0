"""Places where a sentence may end: a mark, what closes with it, a blank; or a full stop of a script
that writes none.

Belongs here: finding places and reading their surroundings. Stays out: judging them (``rules.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

CLOSERS = "\"'”’»›)\\]}」』】）》〉］"
OPENERS = "\"'“”‘’«»‹›„‚([{¿¡「『（《【〈"
DENSE_MARKS = "。！？｡।॥۔؟։።៕။"
"""Full stops that need no blank after them."""
MARKS = ".!?…‽⁇⁈⁉"

_EMOJI = "\u2600-\u27bf\u2b50\u2b55\U0001f000-\U0001faff\ufe0f\u200d\U0001f3fb-\U0001f3ff"
_PLACE = re.compile(
    # One set of first characters in front of everything: the search skips all others fast.
    rf"""
    [{MARKS}{DENSE_MARKS}{_EMOJI}:;\s]
    (?:
        (?<=[{MARKS}])(?<![{MARKS}][{MARKS}])
        (?P<mark>(?<=\s\.)(?:[ ]\.(?=[ .]|$)){{1,3}}+|[{MARKS}]*+)
        (?P<close>
            [{CLOSERS}]*+
            (?:[ ]?\[\d{{1,3}}(?:[,–-][ ]?\d{{1,3}}){{0,4}}\])*+    # "[6]": a note's number
            (?:[ ][”’»](?=\s))?                                  # quotation in a quotation, set apart
            (?:[ ]?[{_EMOJI}]++(?=[ ]))?
        )
        \s++(?=\S)
    |
        (?<=[{DENSE_MARKS}])(?P<dense>[{DENSE_MARKS}{MARKS}]*+[{CLOSERS}]*+)\s*+(?=\S)
    |
        (?P<face>(?<=\s[{_EMOJI}])[{_EMOJI}]*+|(?<=\s[:;])-?[)D])\s++(?=\S)
    |
        (?<=\s)(?P<item>)(?=(?:\d{{1,2}}|[a-z])[.)]{{1,2}}\s)
    |
        (?<=[a-z]{{3}}[.!?])
        (?P<tight>[.!?]{{0,6}}(?=[A-Z][a-z]{{0,9}}['’ ])|(?<!\.)[!?]{{0,6}}(?=[a-z]{{1,9}}['’ ]))
    )
    """,
    re.VERBOSE,
)
_MARK = re.compile(f"[{MARKS}{DENSE_MARKS}]|[{_EMOJI}]+|[:;]-?[)D]|(?<!\\S)\\w{{1,2}}[)]")
_TOKEN = 40
"""Characters of a word the rules look at, at most."""
_LAST_PART = re.compile(r"[^\s\"“”„«»‹›(\[{¿¡「『（《【〈\-–—/]*$")
_RIGHT = re.compile(rf"[{OPENERS}]*(\S?)")


Verdict = bool | None
"""Of a rule about a place: a sentence ends there, does not, or the rule does not know."""


class Candidate(NamedTuple):
    """One place in ``text``: the sentence began at ``begin``, its mark stands at ``mark_at``."""

    kind: str
    """``mark``, ``dense``, ``face``, ``item`` or ``tight``: how the place was found."""
    text: str
    begin: int
    mark_at: int
    mark: str
    close: str
    start: int
    """Where the next sentence would start."""
    word: str
    """What stands before the mark, as written, after the last blank, dash or opening bracket."""
    left: str
    """``word`` casefolded."""
    right: str
    """What stands after the blank, up to the next one."""
    first: str
    """First character of ``right`` that opens nothing."""

    def before(self) -> list[str]:
        """Up to four blank-separated tokens before ``word``'s token, the nearest last."""
        head = self.text[max(self.begin, self.mark_at - 2 * _TOKEN) : self.mark_at].split()
        return head[-5:-1]

    def opener(self) -> str:
        """``right`` without what opens and closes it, casefolded."""
        return self.right.strip(OPENERS + CLOSERS + ",;:").casefold()

    def at_head(self) -> bool:
        """Whether the sentence so far is one token."""
        length = self.mark_at - self.begin
        return length < _TOKEN and not any(map(str.isspace, self.text[self.begin : self.mark_at]))


def has_marks(text: str, start: int, end: int) -> bool:
    """Whether any sentence can end inside ``text[start:end]``; quick."""
    return _MARK.search(text, start, end) is not None


def count_marks(text: str) -> int:
    """Characters of ``text`` that may end a sentence."""
    return len(_MARK.findall(text))


def places(text: str) -> Iterator[re.Match[str]]:
    """Every place of ``text`` where a sentence may end, in order."""
    return _PLACE.finditer(text)


def candidate(match: re.Match[str], begin: int) -> Candidate:
    """The surroundings of a place, for a sentence that began at ``begin``."""
    text = match.string
    kind = "mark" if match["mark"] is not None else match.lastgroup or "mark"
    mark_at, start = match.start(), match.end()
    found = _LAST_PART.search(text[max(begin, mark_at - _TOKEN) : mark_at])
    word = found[0].lstrip("'‘’") if found else ""
    right = text[start : start + _TOKEN].split(maxsplit=1)[0]
    first = _RIGHT.match(right)
    return Candidate(
        kind,
        text,
        begin,
        mark_at,
        text[mark_at : match.end(kind)],
        match["close"] or "",
        start,
        word,
        word.casefold(),
        right,
        first[1] if first else "",
    )
