"""Markdown files: bytes to text with its metadata.

Belongs here: what a reader of Markdown must say about a file. Stays out: its structure.
"""

from __future__ import annotations

import json
import re
from typing import Any

from notes_pipeline.sources import metadata
from notes_pipeline.sources.content import Content, stem
from notes_pipeline.sources.decode import Binary, decode
from notes_pipeline.sources.front_matter import split

_PAGE_PROPERTIES = re.compile(r"(?:[A-Za-z][\w./-]*::[^\r\n]*(?:\r\n|\n|\r|\Z))+")
_NOTION_PROPERTIES = re.compile(r"# [^\r\n]+\s+((?:[A-Z][\w /()-]{0,40}: [^\r\n]*(?:\r\n|\n|\r|\Z))+)")

_to_json = json.JSONEncoder(ensure_ascii=False).encode  # made once: ``json.dumps`` makes one a call


def read_markdown(source_path: str, data: bytes) -> Content:
    """The text and metadata of one Markdown file; never raises."""
    try:
        text, encoding, replaced = decode(data)
    except Binary as refusal:
        return Content(state="binary", error=str(refusal))
    front = split(text)
    body = text[front.end :]
    name = stem(source_path)
    fields = {**_properties(name, body), **front.fields}
    looked_at = metadata.Body(body)
    return Content(
        state="read" if text.strip() else "empty",
        encoding=encoding,
        replaced=replaced,
        title=metadata.title_of(fields, looked_at, name),
        aliases=metadata.aliases_of(fields),
        tags=metadata.tags_of(fields, looked_at),
        front_matter=_to_json(fields) if fields else "",
        front_matter_end=front.end,
        warnings=tuple(_warnings(front.error, replaced)),
        text=text,
    )


def _properties(name: str, body: str) -> dict[str, Any]:
    """Metadata written in the body: Logseq's page properties, Notion's lines under the title."""
    if (found := _PAGE_PROPERTIES.match(body)) is not None:
        lines, separator = found[0], "::"
    elif notion := metadata.notion_id(name):
        found = _NOTION_PROPERTIES.match(body)
        return {"notion_id": notion, **(_fields(found[1], ":") if found else {})}
    else:
        return {}
    return _fields(lines, separator)


def _fields(lines: str, separator: str) -> dict[str, str]:
    pairs = (line.partition(separator) for line in re.split(r"[\r\n]+", lines) if line)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _warnings(front_matter_error: str, replaced: int) -> list[str]:
    found = []
    if front_matter_error:
        found.append(f"front_matter_error: {front_matter_error}")
    if replaced:
        found.append(f"replaced_characters: {replaced}")
    return found
