"""Front matter: where it ends, and what it says, as plain JSON values.

Belongs here: YAML between ``---`` lines and TOML between ``+++`` lines at the very start of a
text, read safely. Stays out: which of its fields are the title, the tags, the aliases.

Dates stay the strings the writer typed; keys become strings; what cannot be read is a warning.
"""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime, time
from math import isfinite
from typing import Any, NamedTuple

from notes_pipeline.sources.yaml_values import Unreadable, load_yaml

_LINE_END = r"(?:\r\n|\n|\r|\Z)"
_OPENER = re.compile(rf"(---|\+\+\+)[ \t]*{_LINE_END}")
_CLOSER = {
    "---": re.compile(rf"(?:^|(?<=[\r\n]))(?:---|\.\.\.)[ \t]*{_LINE_END}"),
    "+++": re.compile(rf"(?:^|(?<=[\r\n]))\+\+\+[ \t]*{_LINE_END}"),
}
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_FIELD = re.compile(r"""(?:[^\s:#'"\[{][^:\r\n]*|"[^"\r\n]*"|'[^'\r\n]*'):(?:\s|$)""")
_STATEMENT = re.compile(r"[^\s\-#\]}][^\r\n]*", re.MULTILINE)
"""A line of the outermost level that is no list item, comment or closing bracket."""

_LARGEST = 64 * 1024
"""Characters of front matter that are read; beyond that it is kept but not understood."""


class FrontMatter(NamedTuple):
    """What stands before the body; ``end`` is where the body starts, blank lines after it included."""

    end: int
    fields: dict[str, Any]
    error: str


_NONE = FrontMatter(0, {}, "")


def split(text: str) -> FrontMatter:
    """The front matter of ``text``; ``end`` is 0 where it has none.

    A first line of dashes opens front matter only where a closer follows and what stands between
    is empty, a mapping, or looks like one (a template with ``{{date}}`` is no YAML, but front matter).
    """
    opener = _OPENER.match(text)
    if opener is None:
        return _NONE
    fence = opener.group(1)
    closer = _CLOSER[fence].search(text, opener.end())
    if closer is None:
        return _NONE
    source = text[opener.end() : closer.start()]
    end = _BLANK_LINES.match(text, closer.end()).end()  # type: ignore[union-attr]
    return _toml(source, end) if fence == "+++" else _yaml(source, end)


def _toml(source: str, end: int) -> FrontMatter:
    try:
        if len(source) > _LARGEST:
            raise ValueError(f"longer than {_LARGEST} characters, kept unread")
        return FrontMatter(end, _json(tomllib.loads(source.replace("\r\n", "\n").replace("\r", "\n"))), "")
    except (ValueError, RecursionError) as error:
        return FrontMatter(end, {}, " ".join(str(error).split())) if "=" in source else _NONE


def _yaml(source: str, end: int) -> FrontMatter:
    try:
        if len(source) > _LARGEST:
            raise Unreadable(f"longer than {_LARGEST} characters, kept unread")
        value = load_yaml(source, line=2)
    except Unreadable as error:
        return FrontMatter(end, {}, str(error)) if _looks_like_fields(source) else _NONE
    if value is None:
        return FrontMatter(end, {}, "")
    return FrontMatter(end, value, "") if isinstance(value, dict) else _NONE


def _looks_like_fields(source: str) -> bool:
    """Whether most lines of the outermost level are ``key: value``, readable as YAML or not."""
    lines = [line for line in re.split(r"[\r\n]+", source) if _STATEMENT.match(line)]
    fields = sum(_FIELD.match(line) is not None for line in lines)
    return 2 * fields > len(lines)


def _json(value: Any) -> Any:
    """A value of TOML as JSON has it: dates and times as strings."""
    if isinstance(value, dict):
        return {key: _json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_json(item) for item in value]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value
