"""Memory aids and study tags, taken out of a cell's text; every removal is kept beside it.

Belongs here: the closed list of what goes, ``RULES``, and the promise that nothing else does.
Stays out: everything that could be a fact. On 57,000 cells of real workbooks brackets, capitals and
hash signs are chemistry, abbreviations and colours, so no rule looks at those alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Removed(NamedTuple):
    """What left a text, and by which rule."""

    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}"


class Cleaned(NamedTuple):
    """A text without its study marks, and what they were."""

    text: str
    removed: tuple[Removed, ...]


class Rule(NamedTuple):
    """One kind of mark; ``pattern`` matches exactly what leaves."""

    name: str
    pattern: re.Pattern[str]
    example: str
    """A text it changes, and after the bar what is left."""


_LABEL = (
    r"(?:(?:memory\s+|short\s+)?tricks?(?:\s+to\s+remember)?|mnemonics?|memory\s+aid"
    r"|remember\s+(?:it\s+)?(?:as|by)|code\s*words?)"
)
_COLON = r"\s*(?::|=|[-–—](?=\s|[A-Z]{2}))\s*"
_CLAUSE_START = r"(?:\A|(?<=[.;!?,:|(\n])|(?<=[.;!?,:|] )|(?<=[-–—] ))"
_YEAR = r"(?:1[89]|20)\d\d"
_YEARS = rf"{_YEAR}(?:\s*(?:,|&|/|and|-|–)\s*{_YEAR})*"
_EXAM = (
    r"(?:UPSC|CSE|SSC|CGL|CHSL|CDS|CAPF|NEET|IBPS|RRB|BPSC|MPPSC|RPSC|UKPSC|UPPSC|WBPSC|PYQ"
    r"|Prelims|Pre|Mains)"
)
_EXAM_YEARS = rf"{_EXAM}(?:[\s,/-]+{_EXAM})*[\s,:'’-]*{_YEARS}"


def _rule(name: str, pattern: str, example: str, *, case: bool = False) -> Rule:
    return Rule(name, re.compile(pattern, 0 if case else re.IGNORECASE), example)


RULES: tuple[Rule, ...] = (
    _rule(
        "mnemonic_bracket",
        rf"\[\s*{_LABEL}{_COLON}[^\[\]]*\]|\(\s*{_LABEL}{_COLON}[^()]*\)|\{{\s*{_LABEL}{_COLON}[^{{}}]*\}}",
        "Great Lakes [Mnemonic: HOMES]|Great Lakes",
    ),
    _rule(
        "mnemonic_clause",
        rf"{_CLAUSE_START}{_LABEL}{_COLON}(?:[^.;!?\n]|[.;!?](?!\s|\Z))+[.;!?]?",
        "Chenab, Ravi and Beas. Trick- CRB|Chenab, Ravi and Beas.",
    ),
    _rule(
        "hashtag",
        r"(?<![\w#&/])#(?:imp|important|rev|revise|revision|todo|doubt|pyq|prelims|mains|gs[1-4])(?![\w#-])",
        "Palghat gap #imp #gs1|Palghat gap",
    ),
    _rule(
        "importance",
        r"\(\s*(?:v(?:ery)?\.?\s*)?imp\.?\s*\)|(?<![\w.])(?:v\.?|very|most)\s?imp\b\.?(?!\w)",
        "Fold mountains (imp)|Fold mountains",
    ),
    _rule(
        "importance",
        r"(?:(?<=[.;|!?])|(?<=[.;|!?–—-]\s))(?:Imp\.|IMP\b\.?)\s*\Z|\A(?:Imp\.?|IMP\.?)\s*[:–—-]\s+",
        "Rises in Tibet. Imp.|Rises in Tibet.",
        case=True,
    ),
    _rule(
        "exam_year",
        rf"\[\s*(?:asked\s+in\s+)?{_EXAM_YEARS}\s*\]|\(\s*(?:asked\s+in\s+)?{_EXAM_YEARS}\s*\)"
        rf"|\bPYQ[\s:-]*{_YEARS}|{_CLAUSE_START}asked\s+in\s+(?:{_EXAM}\s+)*{_YEARS}",
        "Monsoon onset [UPSC 2017, 2019]|Monsoon onset",
    ),
    _rule("reminder", r"\b(?:TODO|TBD)\b[.!]*\s*\Z", "Length in km TODO|Length in km", case=True),
    _rule(
        "reminder",
        r"(?:(?<=[.;,|(])|(?<=[.;,|–—-]\s))check\s+again[.!)]*\s*\Z",
        "Founded in 1336; check again|Founded in 1336",
    ),
    _rule("emphasis", r"(?<![\w%)\]*])\*{3,}(?!\*|\s*p\s*[<=≤])", "*** Rann of Kutch|Rann of Kutch"),
    _rule("emphasis", r"[★⭐✓✔🔥📌]\ufe0f?", "📌 Rann of Kutch|Rann of Kutch"),
    _rule("bullet", r"\A[•●▪◦‣➤►➢❖■◆✦]\s*", "• Rann of Kutch|Rann of Kutch"),
)
"""All that is ever removed, in the order tried."""

_TRIGGER = re.compile(
    r"tricks?\b|mnemonic|memory|remember|code\s*word|#|imp\b|pyq|asked|todo|tbd|check\s+again|\*\*\*"
    rf"|[★⭐✓✔🔥📌•●▪◦‣➤►➢❖■◆✦]|[\[(]\s*{_EXAM.lower()}"
)
"""What a text, its case folded, must hold for any rule to look at it: letters compare fastest as they are."""

_EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[\s*\]|\{\s*\}")
_BLANKS = re.compile(r"[ \t]{2,}")
_BLANK_BEFORE = re.compile(r"[ \t]+(?=[,;.!?](?:\s|\Z))")
_DANGLING = re.compile(r"[\s,;:|–—-]+\Z")


def clean(text: str) -> Cleaned:
    """``text`` without memory aids and study tags; never to nothing, and twice is once.

    >>> clean("Great Lakes [Mnemonic: HOMES] #imp").text
    'Great Lakes'
    """
    if not _TRIGGER.search(text.casefold()):
        return Cleaned(text, ())
    removed: list[Removed] = []
    while (found := _first(text)) is not None:
        text, mark = found
        removed.append(mark)
    return Cleaned(text, tuple(removed))


def _first(text: str) -> tuple[str, Removed] | None:
    """The text after its first removal, where one leaves a word behind."""
    for rule in RULES:
        for match in rule.pattern.finditer(text):
            left = _tidy(text[: match.start()], text[match.end() :])
            if any(character.isalnum() for character in left):
                return left, Removed(rule.name, match[0].strip())
    return None


def _tidy(before: str, after: str) -> str:
    """The two sides of a gap as one text: no doubled blanks, empty brackets or dangling separators."""
    if not after.strip():
        return _DANGLING.sub("", before.rstrip("([{ "))
    joined = _EMPTY_BRACKETS.sub("", f"{before} {after}")
    return _BLANK_BEFORE.sub("", _BLANKS.sub(" ", joined)).strip()
