"""What a note calls itself: title, aliases and tags, from its front matter, its body and its name.

Belongs here: the order of precedence, and inline tags. Stays out: reading front matter, parsing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from notes_pipeline.split.plain import title_text

_NOTE_ID = re.compile(r"\d{8,14}[ _-]+(?=\S)")
"""The time stamp zettel notes begin their names with."""
_NOTION_ID = re.compile(r"[ -]([0-9a-f]{32})$")

_HEADING = re.compile(
    r"^(?: {0,3}(?P<fence>`{3,}(?=[^`\r\n]*$)|~{3,})"
    r"| {0,3}#[ \t]+(?P<atx>[^\r\n]*[^\s#][^\r\n]*)"
    r"|(?P<setext>[^\s>#+*=-][^\r\n]*(?:\r?[\r\n][^\s>#+*=-][^\r\n]*)?)\r?[\r\n]={3,}[ \t]*$)",
    re.MULTILINE,
)
_CODE = re.compile(
    r"(?:^|(?<=[\r\n])) {0,3}(?P<fence>`{3,}|~{3,})[^\r\n]*"
    r"(?:.*?(?:[\r\n] {0,3}(?P=fence)[`~]*[ \t]*(?=[\r\n]|$))|.*)"
    r"|(?<!`)(?P<ticks>`+)(?!`)[^\r\n]*?(?<!`)(?P=ticks)(?!`)",
    re.DOTALL,
)
# The mark first and what stands before it second: the search then leaps from mark to mark.
_TAG = re.compile(r"#(?<![^\s(,;]#)(?=[^\s#]*[^\W\d_])([\w/&-]*\w)")
_WIDE_TAG = re.compile(r"#(?<!\S#)([^\W_][^#\r\n`\[\]()]{0,60}[^\s#])#(?=\s|$)")
"""Bear's tag of several words: ``#two words#``."""


def title_of(fields: dict[str, Any], body: str, name: str) -> str:
    """Front matter's title, else the first level-1 heading, else the file's name without its ids."""
    title = _field(fields, "title")
    if isinstance(title, str | int | float) and not isinstance(title, bool) and str(title).strip():
        return " ".join(str(title).split())
    return first_heading(body) or name_title(name)


def name_title(name: str) -> str:
    """A file name (without its suffix) without a zettel's time stamp or a Notion id."""
    return _NOTION_ID.sub("", _NOTE_ID.sub("", name, count=1)) or name


def notion_id(name: str) -> str:
    """The 32 hex digits Notion puts behind the name of an exported page, or nothing."""
    found = _NOTION_ID.search(name)
    return found.group(1) if found else ""


def first_heading(body: str) -> str:
    """The clean title of the first level-1 heading outside fences, or nothing."""
    if not re.search(r"^ {0,3}(?:#[ \t]|=)", body, re.MULTILINE):
        return ""
    position = 0
    while found := _HEADING.search(body, position):
        if found["fence"] is None:
            return title_text(re.sub(r"[ \t]+#+[ \t]*$", "", found["atx"] or found["setext"]))
        closer = re.compile(rf"^ {{0,3}}{found['fence']}[`~]*[ \t]*$", re.MULTILINE).search(body, found.end())
        if closer is None:
            return ""
        position = closer.end()
    return ""


def names(value: Any) -> Iterable[str]:
    """The names in a front matter field: a list, or one string with commas."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [value]
    for item in value if isinstance(value, list) else ():
        if isinstance(item, str | int | float) and not isinstance(item, bool) and str(item).strip():
            yield " ".join(str(item).split())


def tags_of(fields: dict[str, Any], body: str) -> tuple[str, ...]:
    """Tags of the front matter and of the body, without ``#``, each once, in order."""
    stated = [
        name.lstrip("#") for key in ("tags", "tag", "keywords") for name in _tag_names(_field(fields, key))
    ]
    inline = inline_tags(body) if "#" in body else ()
    return tuple(dict.fromkeys(tag for tag in (*stated, *inline) if tag))


def aliases_of(fields: dict[str, Any]) -> tuple[str, ...]:
    """Other names of the note."""
    return tuple(dict.fromkeys(name for key in ("aliases", "alias") for name in names(_field(fields, key))))


def _field(fields: dict[str, Any], key: str) -> Any:
    """A field whatever the case of its name: apps write ``tags``, people ``Tags``."""
    return fields.get(key, fields.get(key.capitalize()))


def _tag_names(value: Any) -> Iterable[str]:
    # Obsidian also parts tags by blanks where they are one string.
    if isinstance(value, str) and "," not in value and ("#" in value or " " in value):
        return value.split()
    return names(value)


def inline_tags(body: str) -> list[str]:
    """``#tag``, ``#a/b`` and ``#two words#`` outside code."""
    if not _TAG.search(body):
        return []
    if "`" in body or "~~~" in body:
        body = _CODE.sub(" ", body)
    found = [(match.start(), match.end(), match[1]) for match in _WIDE_TAG.finditer(body)]
    wide = {start for start, _, _ in found}
    found += [(m.start(), m.end(), m[1]) for m in _TAG.finditer(body) if m.start() not in wide]
    return [tag for _, _, tag in sorted(found)]
