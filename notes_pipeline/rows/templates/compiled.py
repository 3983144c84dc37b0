"""A template's text compiled once, safely, and rendered with cells that are only ever data.

Belongs here: optional clauses, the allow-list on the syntax tree, the sandbox, mending at the seams.
Stays out: which rows a template speaks for (match) and what a row holds (sentence).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from jinja2 import StrictUndefined, TemplateSyntaxError, nodes
from jinja2 import Template as JinjaTemplate
from jinja2.exceptions import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from notes_pipeline.rows.names import normal, slug
from notes_pipeline.rows.templates.filters import FILTERS
from notes_pipeline.rows.templates.told import CLOSE, OPEN, TELL, Told, marked, plain, telling, told

MAX_TEXT = 4_000
"""Characters of a template's text."""
MAX_OUTPUT = 50_000
"""Characters one rendered row may have; a longer one goes to the fallback."""

_ALLOWED = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.Name,
    nodes.Const,
    nodes.Filter,
    nodes.If,
    nodes.CondExpr,
    nodes.Compare,
    nodes.Operand,
    nodes.And,
    nodes.Or,
    nodes.Not,
)
_NOT_ALLOWED = {
    nodes.For: "loops",
    nodes.Assign: "set",
    nodes.AssignBlock: "set",
    nodes.Macro: "macros",
    nodes.Include: "include",
    nodes.Import: "import",
    nodes.FromImport: "import",
    nodes.Extends: "extends",
    nodes.Block: "blocks",
    nodes.Getattr: "attributes",
    nodes.Getitem: "indexes",
    nodes.Call: "calls",
    nodes.Mul: "arithmetic",
    nodes.Add: "arithmetic",
    nodes.Pow: "arithmetic",
}
_COL = re.compile(r"""\bcol\(\s*(?:"([^"]*)"|'([^']*)')\s*\)""")
_CLAUSE = re.compile(r"\{\?|\?\}")
_ENDS = (".", "!", "?")
_VALUE = re.compile(f"({OPEN}[^{CLOSE}]*{CLOSE})")


class TemplateProblem(Exception):
    """What is wrong with a template's text, on which of its lines, and the remedy."""

    def __init__(self, what: str, remedy: str, line: int = 1) -> None:
        self.what = what
        self.remedy = remedy
        self.line = line
        super().__init__(f"{what}; {remedy}")


class Rendered(NamedTuple):
    """A sentence, and the identifiers of the fields whose values it really says."""

    text: str
    said: frozenset[str]


@dataclass(frozen=True)
class Compiled:
    """A template's text ready to render; ``fields`` map its identifiers to the names they stand for."""

    template: JinjaTemplate
    fields: Mapping[str, str]
    required: frozenset[str]
    """Identifiers outside every clause, condition and ``default``: a row lacking one goes to the fallback."""

    def missing(self, values: Mapping[str, str]) -> list[str]:
        """Names of required fields for which ``values`` (by identifier) has nothing."""
        return sorted(self.fields[name] for name in self.required if not values.get(name))

    def render(self, values: Mapping[str, str]) -> Rendered:
        """The sentence; raises ``TemplateProblem`` where rendering fails or grows past ``MAX_OUTPUT``."""
        given = {name: plain(values.get(name, "")) for name in self.fields}
        try:
            text = self.template.render(given)
        except (TemplateError, TypeError, ValueError) as error:
            raise TemplateProblem(f"cannot be rendered: {error}", "check its filters") from error
        if len(text) > MAX_OUTPUT:
            raise TemplateProblem(f"gives {len(text)} characters", f"keep a row below {MAX_OUTPUT}")
        text, said = told(text)
        return Rendered(mended(text), said)


def compile_text(text: str) -> Compiled:
    """The template ``text`` compiled; raises ``TemplateProblem`` with the line in it and a remedy."""
    if len(text) > MAX_TEXT:
        raise TemplateProblem(f"is {len(text)} characters long", f"keep it below {MAX_TEXT}")
    fields: dict[str, str] = {}
    source = _named_columns(text, fields)
    optional: set[str] = set()
    source = _clauses(source, optional)
    tree = _parse(source)
    _check(tree)
    names = {node.name for node in tree.find_all(nodes.Name)}
    for name in names:
        fields.setdefault(name, name)
    required = frozenset(_required(tree))
    template = _environment().from_string(telling(tree))
    return Compiled(template, {n: fields[n] for n in sorted(names)}, required)


def mended(text: str) -> str:
    """What empty values leave behind, mended outside of values: `` ,``, ``()``, double blanks, ``..``."""
    result: list[str] = []
    for piece in _VALUE.split(text):
        if piece.startswith(OPEN):
            result.append(piece[1:-1])
            continue
        piece = _seams(piece)
        if piece.startswith(".") and not piece.startswith("..") and result and result[-1].endswith(_ENDS):
            piece = piece[1:]
        result.append(piece)
    return "".join(result).strip()


@lru_cache(maxsize=4096)
def _seams(piece: str) -> str:
    """What stands between two values; a template has few of them."""
    piece = re.sub(r"\s+", " ", piece)
    piece = re.sub(r"\( ?\)|\[ ?\]", "", piece)
    piece = re.sub(r" +([,.;:!?])", r"\1", piece)
    piece = re.sub(r"([,;:])(?: *[,;:])+|, *(?=\.)", lambda match: match[1] or "", piece)
    piece = re.sub(r"(?<!\.)\.\.(?!\.)", ".", piece)
    return re.sub(r" {2,}", " ", piece)


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, finalize=marked, keep_trailing_newline=False
    )
    environment.globals.clear()
    environment.filters = {**FILTERS, TELL: Told}
    environment.tests = {}
    return environment


def _named_columns(text: str, fields: dict[str, str]) -> str:
    """``col("Any Name")`` becomes an identifier of its own; ``fields`` learns which name it stands for."""

    def identifier(match: re.Match[str]) -> str:
        name = match[1] if match[1] is not None else match[2]
        key = "col_" + "".join(f"{ord(c):x}_" for c in normal(name))
        fields[key] = name
        return key

    return _COL.sub(identifier, text)


def _clauses(text: str, optional: set[str]) -> str:
    """``{? … ?}`` as conditions on the fields named directly in each clause."""
    stack: list[tuple[int, list[str]]] = [(0, [])]
    position = 0
    for match in _CLAUSE.finditer(text):
        stack[-1][1].append(text[position : match.start()])
        position = match.end()
        line = text.count("\n", 0, match.start()) + 1
        if match[0] == "{?":
            stack.append((line, []))
            continue
        if len(stack) == 1:
            raise TemplateProblem("closes a clause that was never opened", "write {? before it", line)
        opened, parts = stack.pop()
        stack[-1][1].append(_condition(parts, opened, optional))
    if len(stack) > 1:
        raise TemplateProblem("opens a clause that never ends", "write ?} where it ends", stack[-1][0])
    return "".join([*stack[0][1], text[position:]])


class _Inner(str):
    """The compiled text of a nested clause: its fields are not its parent's."""

    __slots__ = ()


def _condition(parts: list[str], line: int, optional: set[str]) -> str:
    direct = "".join(part for part in parts if not isinstance(part, _Inner))
    tree = _parse(direct, line - 1)
    names = sorted({node.name for node in tree.find_all(nodes.Name)})
    if not names:
        raise TemplateProblem("has a clause without a field", "name a field in it, or drop {? ?}", line)
    optional.update(names)
    return _Inner("{% if " + " and ".join(names) + " %}" + "".join(parts) + "{% endif %}")


def _parse(source: str, offset: int = 0) -> nodes.Template:
    try:
        return _environment().parse(source)
    except TemplateSyntaxError as error:
        unknown = re.search(r"No (filter|test) named '(\w+)'", str(error))
        if unknown:
            raise _unknown_filter(unknown[2], error.lineno + offset) from error
        raise TemplateProblem(
            f"is not well formed: {error.message}",
            "see docs/templates.md for what a text may hold",
            error.lineno + offset,
        ) from error


def _unknown_filter(name: str, line: int) -> TemplateProblem:
    return TemplateProblem(
        f"uses the unknown filter {name!r}", f"use one of: {', '.join(sorted(FILTERS))}", line
    )


def _check(node: nodes.Node) -> None:
    if not isinstance(node, _ALLOWED):
        what = next((word for kind, word in _NOT_ALLOWED.items() if isinstance(node, kind)), None)
        raise TemplateProblem(
            f"uses {what or type(node).__name__.lower()}",
            "a text may hold fields, filters, {? clauses ?} and if",
            getattr(node, "lineno", 1) or 1,
        )
    if isinstance(node, nodes.Filter) and node.name not in FILTERS:
        raise _unknown_filter(node.name, node.lineno)
    for child in node.iter_child_nodes():
        _check(child)


def _required(node: nodes.Node) -> set[str]:
    if isinstance(node, nodes.If | nodes.CondExpr):
        return set()
    if isinstance(node, nodes.Filter) and node.name == "default":
        return set()
    if isinstance(node, nodes.Name):
        return {node.name}
    return {name for child in node.iter_child_nodes() for name in _required(child)}


def identifiers(columns: Mapping[str, str]) -> dict[str, str]:
    """Values by identifier from values by column name, both by slug and by compared form; first one wins."""
    result: dict[str, str] = {}
    for name, value in columns.items():
        result.setdefault(slug(name).casefold(), value)
        result.setdefault("=" + normal(name), value)
    return result


def lookup(identifier: str, name: str, values: Mapping[str, str]) -> str | None:
    """The value a template's identifier stands for, among ``identifiers(...)``; None where no column fits."""
    if identifier.startswith("col_") and identifier != name:
        return values.get("=" + normal(name))
    return values.get(identifier.casefold())
