"""What a note calls itself: title, aliases and tags, from its front matter, its body and its name.

Belongs here: the order of precedence, and inline tags. Stays out: reading front matter, parsing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from sys import maxsize
from typing import Any

from notes_pipeline.split.marks import marked_regions
from notes_pipeline.split.plain import title_text

_NEAR = 1_000
"""Characters looked back: for a title above its line of equals signs, for code around a tag."""
_NOTE_ID = re.compile(r"\d{8,14}[ _-]+(?=\S)")
"""The time stamp zettel notes begin their names with."""
_NAMESPACE = "___"
"""How Logseq writes the ``/`` of a page's name in a file's."""
_NOTION_ID = re.compile(r"[ -]([0-9a-f]{32})(?:_all)?$")
"""A table is exported twice, as the view shows it and, as ``… _all``, with all its rows."""

# The mark first and what stands before it second: the search then leaps from mark to mark.
_ATX = re.compile(r"#(?<!\S#)[ \t]+([^\r\n]*[^\s#][^\r\n]*)")
_SETEXT = re.compile(r"===+(?=[ \t]*(?:[\r\n]|\Z))")
_TITLE_LINE = re.compile(r"[^\s>#+*=-]")
_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_CLOSING_RUN = re.compile(r"[ \t]+#+[ \t]*$")
_TAG = re.compile(r"#(?<![^\s(,;]#)(?=[^\s#]*[^\W\d_])([\w/&-]*\w)")
_WIDE_TAG = re.compile(r"#(?<!\S#)([^\W_][^#\r\n`\[\]()]{0,60}[^\s#])#(?=\s|$)")
"""Bear's tag of several words: ``#two words#``."""

_TAG_FIELDS = ("tags", "tag", "keywords")
_ALIAS_FIELDS = ("aliases", "alias")
_CAPITALIZED = {key: key.capitalize() for key in ("title", *_TAG_FIELDS, *_ALIAS_FIELDS)}


class Body:
    """The body of a note, and where in it are fences, comments and formulas (looked for when asked)."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def stretches(self) -> list[tuple[int, int]]:
        """Start and end of each, in order."""
        return [(start, end) for _, start, end in marked_regions(self.text.replace("\r", "\n"))]

    def is_text(self, position: int) -> bool:
        """Whether a character stands in none of them."""
        before = bisect_right(self.stretches, (position, maxsize)) - 1
        return before < 0 or position >= self.stretches[before][1]


def title_of(fields: dict[str, Any], body: Body, name: str) -> str:
    """Front matter's title, else the first level-1 heading, else the file's name without its ids."""
    title = _field(fields, "title")
    if isinstance(title, str | int | float) and not isinstance(title, bool) and str(title).strip():
        return " ".join(str(title).split())
    return first_heading(body) or name_title(name)


def name_title(name: str) -> str:
    """A file name (without its suffix) without a zettel's time stamp or a Notion id, its namespaces read."""
    return _NOTION_ID.sub("", _NOTE_ID.sub("", name, count=1)).replace(_NAMESPACE, "/") or name


def notion_id(name: str) -> str:
    """The 32 hex digits Notion puts behind the name of an exported page, or nothing."""
    found = _NOTION_ID.search(name)
    return found.group(1) if found else ""


def first_heading(body: Body) -> str:
    """The clean title of the first level-1 heading outside code and comments, or nothing."""
    text = body.text
    end, title = len(text), ""
    for found in _ATX.finditer(text):
        start = found.start()
        if start == 0 or (text[start - 1] in "\r\n" and body.is_text(start)):
            end, title = start, _CLOSING_RUN.sub("", found[1])
            break
    for found in _SETEXT.finditer(text, 0, end):
        start = found.start()
        if start and text[start - 1] in "\r\n" and body.is_text(start) and (above := _above(text, start)):
            title = above
            break
    return title_text(title)


def _above(text: str, offset: int) -> str:
    """The one or two lines of text that end above the line starting at ``offset``."""
    lines = _LINE_BREAK.split(text[max(0, offset - _NEAR) : offset])[-3:-1]
    if not lines or not _TITLE_LINE.match(lines[-1]):
        return ""
    return "\n".join(line for line in lines if _TITLE_LINE.match(line))


def names(value: Any) -> Iterable[str]:
    """The names in a front matter field: a list, or one string with commas."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [value]
    for item in value if isinstance(value, list) else ():
        if isinstance(item, str | int | float) and not isinstance(item, bool) and str(item).strip():
            yield " ".join(str(item).split())


def tags_of(fields: dict[str, Any], body: Body) -> tuple[str, ...]:
    """Tags of the front matter and of the body, without ``#``, each once, in order."""
    stated: list[str] = []
    for key in _TAG_FIELDS:
        value = _field(fields, key)
        if value is not None:
            stated += [name.lstrip("#") for name in _tag_names(value)]
    inline = inline_tags(body) if "#" in body.text else []
    return tuple(dict.fromkeys([tag for tag in (*stated, *inline) if tag])) if stated or inline else ()


def aliases_of(fields: dict[str, Any]) -> tuple[str, ...]:
    """Other names of the note."""
    found: list[str] = []
    for key in _ALIAS_FIELDS:
        value = _field(fields, key)
        if value is not None:
            found += names(value)
    return tuple(dict.fromkeys(found)) if found else ()


def _field(fields: dict[str, Any], key: str) -> Any:
    """A field whatever the case of its name: apps write ``tags``, people ``Tags``."""
    return fields[key] if key in fields else fields.get(_CAPITALIZED[key])


def _tag_names(value: Any) -> Iterable[str]:
    # Obsidian also parts tags by blanks where they are one string.
    if isinstance(value, str) and "," not in value and ("#" in value or " " in value):
        return value.split()
    return names(value)


def inline_tags(body: Body) -> list[str]:
    """``#tag``, ``#a/b`` and ``#two words#`` outside code, comments and formulas."""
    text = body.text
    found = {match.start(): match[1] for match in _TAG.finditer(text)}
    if not found:
        return []
    found.update((match.start(), match[1]) for match in _WIDE_TAG.finditer(text))
    return [found[place] for place in sorted(found) if body.is_text(place) and not _in_code(text, place)]


def _in_code(text: str, position: int) -> bool:
    floor = max(0, position - _NEAR)
    line = max(floor, text.rfind("\n", floor, position) + 1, text.rfind("\r", floor, position) + 1)
    return text.count("`", line, position) % 2 == 1
