"""YAML as plain JSON values, from the parser's events alone.

Belongs here: reading a small mapping safely. Nothing is constructed but strings, numbers,
booleans, lists and mappings; no tag is obeyed; nesting and the values that aliases stand for are
bounded. Guesses less than YAML 1.1: dates, clock times and yes/no stay the words they are.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

MOST_VALUES = 20_000
"""Values after aliases are spelled out: a few lines of aliases can stand for billions."""
DEEPEST = 100
"""Levels of nesting; nobody writes more by hand."""

_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})(?P<fraction>\.[0-9]{1,17}(?:[eE][-+]?[0-9]{1,2})?)?$")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
_MERGE = "<<"
_SIMPLE_LINE = re.compile(
    r"""(?:([A-Za-z_][A-Za-z0-9_-]*):|([ ]*)(-)(?=[ ]))"""  # a name, or an item
    r"""(?:[ ]+("[^"\\\t]*"|'[^'\t]*'|[^\W_](?:[^\s:#]|:(?=[^\s])|[ ](?=[^\s#])|(?<=[^\s])\#)*))?[ ]*$""",
)
"""One line of a mapping nobody can read two ways: no nesting, no escapes, no anchors, no folding."""


class Unreadable(ValueError):
    """The text is no YAML, or none a note would hold; the message says where and why."""


def load_yaml(source: str, line: int = 1) -> Any:
    """The first document of ``source`` as JSON values, or None where there is none.

    ``line`` is the number of its first line. Raises ``Unreadable``.
    """
    simple = load_simple(source)
    return simple if simple is not None else load_any(source, line)


def load_simple(source: str) -> dict[str, Any] | None:
    """What nearly all notes hold, names with a value or a list of values each, read at a fifth of the cost.

    None for everything else, or where there is doubt; else the same as ``load_any``.
    """
    fields: dict[str, Any] = {}
    items: list[Any] | None = None
    indent = ""
    for text in source.splitlines():
        found = _SIMPLE_LINE.match(text)
        if found is None:
            return None
        key, space, dash, scalar = found.groups()
        if key is not None:
            if key in _WORDS:
                return None
            items, indent = ([] if scalar is None else None), ""
            fields[key] = _simple(scalar)
        elif dash is None or items is None or (items and space != indent):
            return None
        else:
            items.append(_simple(scalar))
            indent = space
            fields[next(reversed(fields))] = items
    return fields or None


def _simple(scalar: str | None) -> Any:
    if scalar is None:
        return None
    return scalar[1:-1] if scalar[0] in "\"'" else _scalar(scalar.rstrip())


def load_any(source: str, line: int = 1) -> Any:
    """``load_yaml`` through the whole parser, whatever the shape."""
    builder = _Builder(line)
    try:
        for event in yaml.parse(source, yaml.CSafeLoader):
            if isinstance(event, yaml.DocumentEndEvent):
                return builder.value
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unreadable(f"line {line + (mark.line if mark else 0)}: {error.problem}") from error
    except yaml.YAMLError as error:
        raise Unreadable(" ".join(str(error).split())) from error
    return None


class _Builder:
    """Builds a value from events, without recursion; ``stack`` holds the open collections."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.value: Any = None
        self.anchors: dict[str, Any] = {}
        self.stack: list[tuple[dict[str, Any] | list[Any], list[str]]] = []
        self.left = MOST_VALUES

    def take(self, event: Any) -> None:
        kind = event.__class__
        if kind is yaml.ScalarEvent:
            self._add(_scalar(event.value) if event.implicit[0] else event.value, event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._open({} if kind is yaml.MappingStartEvent else [], event)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self.stack.pop()
        elif kind is yaml.AliasEvent:
            if event.anchor not in self.anchors:
                raise self._refusal(event, f"undefined alias {event.anchor}")
            self._add(self._copy(self.anchors[event.anchor], event, 0), event)

    def _open(self, collection: dict[str, Any] | list[Any], event: Any) -> None:
        if len(self.stack) >= DEEPEST:
            raise self._refusal(event, f"nested deeper than {DEEPEST}")
        self._add(collection, event)
        self.stack.append((collection, []))

    def _add(self, value: Any, event: Any) -> None:
        self._count(event)
        if event.__class__ is not yaml.AliasEvent and event.anchor:
            self.anchors[event.anchor] = value
        if not self.stack:
            self.value = value
            return
        collection, key = self.stack[-1]
        if isinstance(collection, list):
            collection.append(value)
        elif not key:
            if isinstance(value, dict | list):
                raise self._refusal(event, "a collection as a key")
            key.append(_key(value))
        elif key[0] == _MERGE and isinstance(value, dict):
            for name in value.keys() - collection.keys():
                collection[name] = value[name]
            key.clear()
        else:
            collection[key.pop()] = value

    def _copy(self, value: Any, event: Any, depth: int) -> Any:
        self._count(event)
        if depth > DEEPEST:
            raise self._refusal(event, "an alias inside itself")
        if isinstance(value, dict):
            return {key: self._copy(item, event, depth + 1) for key, item in value.items()}
        if isinstance(value, list):
            return [self._copy(item, event, depth + 1) for item in value]
        return value

    def _count(self, event: Any) -> None:
        self.left -= 1
        if self.left < 0:
            raise self._refusal(event, f"more than {MOST_VALUES} values")

    def _refusal(self, event: Any, what: str) -> Unreadable:
        return Unreadable(f"line {self.line + event.start_mark.line}: {what}")


def _key(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _scalar(text: str) -> str | int | float | bool | None:
    if text in _WORDS:
        return _WORDS[text]
    number = _NUMBER.match(text)
    if number is None:
        return text
    return float(text) if number["fraction"] else int(text)
