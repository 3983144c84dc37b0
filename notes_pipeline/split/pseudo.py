"""Headings that no heading mark says: paragraphs wholly underlined, or wholly bold.

Belongs here: the two rules, on one paragraph at a time. Stays out: where they apply, levels.

Rule U (underlined, as OneNote and Word come through converters) makes a heading; rule B (bold)
a soft one. Both ask for a title's shape: short, no sentence end, no formula.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from notes_pipeline.split.plain import KEPT, SOFT, reading_text
from notes_pipeline.words import count_words

MOST_WORDS_UNDERLINED = 16
MOST_CHARACTERS_UNDERLINED = 120
MOST_WORDS_BOLD = 14
MOST_CHARACTERS_BOLD = 100
UNDERLINED_SHARE = 0.9
"""Of a title's letters; or all but two (a first letter often escapes the underline)."""
_LONGEST_RAW = 600
"""Characters of raw text in which a title of 120 can hide, anchors and attributes included."""

_UNDERLINED = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\{[^{}]*\.(?:underline|ul)\b[^{}]*\}")
_ANCHOR = re.compile(r"\[\]\{[^{}]*\}|\[\]\([^()]*\)")
_BROKEN_SPAN = re.compile(r"\[([^\[\]\n]*)\n\]\{[^{}]*\.(?:underline|ul)\b[^{}]*\}(.*)$", re.DOTALL)
_LEFT_OVER = re.compile(r"[\s:.\-–—\x00]*$")
_LETTER = re.compile(r"[^\W\d_]")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}|[\u2e80-\u9fff\uac00-\ud7af]")
_NUMBERED = re.compile(r"(?:[^\W\d_]+\s+)?(?:\d+(?:\.\d+)*|[IVXLC]+)\b", re.IGNORECASE)
_SENTENCE_END = (".", ";", ",", "!", "…", "。", "，", "；", "！")

_BOLD = re.compile(r"(\*{2,3}|_{2,3})(?=\S)((?:(?!\1).)+)(?<=\S)\1[ \t]*(:?)[ \t]*$", re.DOTALL)
_NOT_A_TITLE = re.compile(
    r"[\[(\"'“‘«„*<>]"  # quotes, stage directions, links
    r"|[A-Ha-h][.)](?:\s|$)|\([A-Ha-h0-9]\)"  # an option of a question
    r"|[•·▪◦‣●○–—-]\s|[$%>#]\s"  # bullets typed by hand, prompts
    r"|(?:fig(?:ure)?|table|tab|abb|exhibit|listing)\b\.?\s*\d",  # captions
    re.IGNORECASE,
)


class Title(NamedTuple):
    """A pseudo heading: its clean title, and the raw text that follows it in its paragraph."""

    title: str
    rest: str


def underlined_title(raw: str, source: str) -> Title | None:
    """The title of a paragraph wholly underlined, or of one whose first line is."""
    if "underline" not in raw and ".ul" not in raw:
        return None
    raw = _ANCHOR.sub("", raw)
    if broken := _BROKEN_SPAN.match(raw):
        return _shaped(broken[1], broken[2].strip(" \n" + SOFT))
    if len(raw) <= _LONGEST_RAW and "\n" not in raw and _is_underlined(raw) and not _is_link(source):
        return _shaped(raw, "")
    return _first_line(raw, source)


def _first_line(raw: str, source: str) -> Title | None:
    line, separator, rest = _partition(raw)
    if not separator or not rest.strip() or len(line) > _LONGEST_RAW or not _is_underlined(line):
        return None
    # Folded text may break just behind an underlined phrase: the break must look meant.
    escaped = "\\]" in source.partition("\n")[0]
    found = _shaped(line, rest)
    if found is None or not (escaped or separator == "\n" or found.title.endswith(":") or rest[0].isupper()):
        return None
    return found


def _partition(raw: str) -> tuple[str, str, str]:
    found = re.search(rf"[\n{SOFT}]", raw)
    return (raw[: found.start()], found[0], raw[found.end() :]) if found else (raw, "", "")


def _is_underlined(raw: str) -> bool:
    inside = sum(len(_LETTER.findall(match[1])) for match in _UNDERLINED.finditer(raw))
    outside_text = _UNDERLINED.sub("", raw)
    outside = len(_LETTER.findall(outside_text))
    if not inside or not _LEFT_OVER.match(_LETTER.sub("", outside_text)):
        return False
    return outside <= 2 or inside >= UNDERLINED_SHARE * (inside + outside)


def _is_link(source: str) -> bool:
    bare = source.strip().strip("*_")
    return bare.startswith(("[[", "[<")) and bare.endswith(")")


def _shaped(raw: str, rest: str) -> Title | None:
    title = " ".join(reading_text(raw).split())
    if len(title) > MOST_CHARACTERS_UNDERLINED or count_words(title) > MOST_WORDS_UNDERLINED:
        return None
    return Title(title, rest) if _is_title(title) else None


def _is_title(title: str) -> bool:
    if KEPT in title or "=" in title or "://" in title or not _TWO_LETTERS.search(title):
        return False
    return not title.endswith(_SENTENCE_END) or _NUMBERED.match(title) is not None


def bold_title(raw: str, source: str) -> str:
    """The title of a paragraph wholly bold, or nothing; whether a body follows is not asked here."""
    source = source.strip()
    if not source.startswith(("**", "__")) or len(source) > 2 * MOST_CHARACTERS_BOLD:
        return ""
    bold = _BOLD.match(source)
    if bold is None or "\n" in raw or _NOT_A_TITLE.match(bold[2]):
        return ""
    title = " ".join(reading_text(raw).split())
    if len(title) > MOST_CHARACTERS_BOLD or count_words(title) > MOST_WORDS_BOLD:
        return ""
    return title if _is_title(title) and not _NOT_A_TITLE.match(title) else ""
