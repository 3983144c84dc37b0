"""Front matter: where it ends, and what it says, as plain JSON values.

Belongs here: YAML between ``---`` lines and TOML between ``+++`` lines at the very start of a
text, read safely. Stays out: which of its fields are the title, the tags, the aliases.

Dates stay the strings the writer typed; keys become strings; what cannot be read is a warning.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Hashable
from datetime import date, datetime, time
from typing import Any, NamedTuple

import yaml

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
_DEEPEST = 50
"""Brackets and compact lists nested deeper are refused: the YAML reader recurses."""
_MOST_VALUES = 20_000
"""Values after aliases are spelled out (a few lines of aliases can stand for billions)."""
_COMPACT = re.compile(rf"(?:[-?][ \t]+){{{_DEEPEST}}}")


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
        return FrontMatter(end, _plain_mapping(tomllib.loads(source.replace("\r\n", "\n"))), "")
    except (ValueError, RecursionError) as error:
        return FrontMatter(end, {}, _one_line(error)) if "=" in source else _NONE


def _yaml(source: str, end: int) -> FrontMatter:
    if not source.strip():
        return FrontMatter(end, {}, "")
    try:
        value = _load(source)
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError, TypeError) as error:
        return FrontMatter(end, {}, _one_line(error)) if _looks_like_fields(source) else _NONE
    if value is None:
        return FrontMatter(end, {}, "")
    return FrontMatter(end, value, "") if isinstance(value, dict) else _NONE


def _looks_like_fields(source: str) -> bool:
    """Whether most lines of the outermost level are ``key: value``, readable as YAML or not."""
    lines = [line for line in re.split(r"[\r\n]+", source) if _STATEMENT.match(line)]
    fields = sum(_FIELD.match(line) is not None for line in lines)
    return 2 * fields > len(lines)


def _load(source: str) -> Any:
    if len(source) > _LARGEST:
        raise ValueError(f"longer than {_LARGEST} characters, kept unread")
    if source.count("[") + source.count("{") > 20 * _DEEPEST or _COMPACT.search(source):
        raise ValueError("nested too deeply, kept unread")
    return _Plain().value(yaml.load(source, _Loader))


class _Loader(yaml.CSafeLoader):
    """Safe YAML that guesses less: dates, clock times and yes/no stay the words they are."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Hashable:
        value: Hashable = super().construct_object(node, deep=True)
        return value


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    ("float", r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?", "-+0123456789"),
    ("merge", r"<<", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})$"), list(_first))
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"$"), [""])


class _Plain:
    """Makes JSON values of what a reader of YAML or TOML gives, up to a bound."""

    def __init__(self) -> None:
        self.left = _MOST_VALUES

    def value(self, value: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise ValueError(f"more than {_MOST_VALUES} values, kept unread")
        if isinstance(value, dict):
            return {_key(key): self.value(item) for key, item in value.items()}
        if isinstance(value, list | tuple | set):
            return [self.value(item) for item in value]
        if isinstance(value, datetime | date | time):
            return value.isoformat()
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            return str(value)
        return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _plain_mapping(value: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = _Plain().value(value)
    return plain


def _key(key: Any) -> str:
    return key if isinstance(key, str) else "" if key is None else str(key)


def _one_line(error: BaseException) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error) or type(error).__name__
    place = f"line {mark.line + 2}: " if mark is not None else ""
    return place + " ".join(str(problem).split())
