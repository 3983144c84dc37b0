"""YAML with the line of every key: so that an error can name the place.

Belongs here: reading one file and finding lines. Stays out: what the keys mean (schema).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml


class YamlProblem(Exception):
    """Not readable as YAML: what, and on which line."""

    def __init__(self, what: str, line: int) -> None:
        self.what = what
        self.line = line
        super().__init__(what)


@dataclass(frozen=True)
class Place:
    """A parsed file with its node tree."""

    data: Any
    root: yaml.Node | None
    text: str = ""

    def line(self, path: Sequence[str | int]) -> int:
        """The line of the value at ``path``, or of the deepest part of the path that exists."""
        node, line = self.root, 1
        for part in path:
            step = _step(node, part)
            if step is None:
                break
            node, line = step
        return line


class _UniqueKeys(yaml.SafeLoader):
    """Refuses two equal keys in one mapping, which YAML's own loader lets the last of win."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise YamlProblem(f"the key {key.value!r} stands twice", key.start_mark.line + 1)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(text: str) -> Place:
    """The data and places of a YAML text; raises ``YamlProblem``."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.load(text, Loader=_UniqueKeys)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlProblem(str(error.problem or error), mark.line + 1 if mark else 1) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise YamlProblem(str(error).splitlines()[0] if str(error) else "cannot be parsed", 1) from error
    return Place(data, root, text)


def _step(node: yaml.Node | None, part: str | int) -> tuple[yaml.Node, int] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(part):
                return value, key.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part].start_mark.line + 1
    return None


def text_of(place: Place, path: Sequence[str | int]) -> tuple[str, int]:
    """A text as it stands in the file, its line breaks unfolded, and the file's line where it begins."""
    node, line = place.root, 1
    for part in path:
        step = _step(node, part)
        if step is None:
            return "", line
        node, line = step
    if not isinstance(node, yaml.ScalarNode) or node.style not in ("|", ">"):
        return str(getattr(node, "value", "")), line
    first = node.start_mark.line + 1
    return "\n".join(place.text.splitlines()[first : node.end_mark.line]), first + 1
