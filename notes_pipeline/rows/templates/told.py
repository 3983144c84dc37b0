"""Which fields a rendering really says: beside every printed expression one that names its fields.

Belongs here: the change of the syntax tree, and reading the names back out of the rendered text.
Stays out: what a text may hold, and rendering it (compiled).

A clause that vanished, or the other branch of an ``if``, says nothing of its fields, though the text
names them. Only the rendering knows, so the rendering tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jinja2 import nodes

TELL = "_tell"
"""Name of the filter that marks names; no template's text may use it."""
OPEN, CLOSE = "\ue000", "\ue001"
"""Around every value that is printed."""
_NAMES, _END = "\ue002", "\ue003"
_MARKS = re.compile("[\ue000-\ue003]")
_SAID = re.compile(f"({CLOSE})?{_NAMES}([^{_END}]*){_END}")


class Told(str):
    """Names of fields, spelled ``A,B,``."""

    __slots__ = ()


def marked(value: object) -> str:
    """What the rendering prints: values between marks, so that seams can be mended around them."""
    if isinstance(value, Told):
        return f"{_NAMES}{value}{_END}"
    text = str(value)
    return f"{OPEN}{text}{CLOSE}" if text.strip() else ""


def plain(value: str) -> str:
    """A cell's text without characters that could be taken for marks."""
    return _MARKS.sub("", value)


def telling(tree: nodes.Template) -> nodes.Template:
    """The tree with names told after every expression it prints; changes the tree in place."""
    for output in list(tree.find_all(nodes.Output)):
        parts: list[nodes.Expr] = []
        for part in output.nodes:
            parts.append(part)
            if not isinstance(part, nodes.TemplateData):
                parts.append(_filtered(_names(part), part.lineno))
        output.nodes = parts
    return tree


def told(text: str) -> tuple[str, frozenset[str]]:
    """The rendered text without the names, and the names: those whose expression printed something."""
    said: set[str] = set()

    def take(match: re.Match[str]) -> str:
        if match[1]:
            said.update(name for name in match[2].split(",") if name)
        return match[1] or ""

    return _SAID.sub(take, text), frozenset(said)


def _joined(expressions: Sequence[nodes.Expr], line: int) -> nodes.Expr:
    return nodes.Concat([nodes.Const("", lineno=line), *map(_names, expressions)], lineno=line)


def _filtered(names: nodes.Expr, line: int) -> nodes.Filter:
    return nodes.Filter(names, TELL, [], [], None, None, lineno=line)


def _names(node: nodes.Node) -> nodes.Expr:
    """An expression for the names of the fields whose values ``node`` gives."""
    line = node.lineno
    if isinstance(node, nodes.Name):
        return nodes.Const(f"{node.name},", lineno=line)
    if isinstance(node, nodes.CondExpr):
        other = _names(node.expr2) if node.expr2 is not None else nodes.Const("", lineno=line)
        return nodes.CondExpr(node.test, _names(node.expr1), other, lineno=line)
    if isinstance(node, nodes.Or):
        return nodes.CondExpr(node.left, _names(node.left), _names(node.right), lineno=line)
    if isinstance(node, nodes.And):
        return nodes.CondExpr(node.left, _names(node.right), _names(node.left), lineno=line)
    if isinstance(node, nodes.Filter):
        given = [child for child in (node.node,) if child is not None]
        others = [*node.args, *(pair.value for pair in node.kwargs)]
        told_of = [_joined(given, line), _joined(others, line)]
        if node.name == "default" and node.node is not None:
            return nodes.CondExpr(node.node, *told_of, lineno=line)
        return nodes.Concat(told_of, lineno=line)
    # A comparison prints its outcome, not the value.
    return nodes.Const("", lineno=line)
