"""The row templates of a folder, read, checked and compiled: ``templates/rows/*.yaml``.

Belongs here: files to templates, every problem with file, line and remedy, the registry's hash.
Stays out: which table a template speaks for (match), tests inside templates (lint).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from notes_pipeline.errors import UserError
from notes_pipeline.rows.names import nearest, normal
from notes_pipeline.rows.templates.compiled import Compiled, TemplateProblem, compile_text
from notes_pipeline.rows.templates.schema import Defaults, File, Match, Template
from notes_pipeline.rows.templates.yaml_places import Place, YamlProblem, read_yaml, text_of

SUFFIXES = (".yaml", ".yml")


class Problem(NamedTuple):
    """One thing wrong with a registry: where, what, and what to do."""

    file: str
    line: int
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}; {self.remedy}"


@dataclass(frozen=True)
class RowTemplate:
    """A template ready for use, with its file's defaults filled in."""

    spec: Template
    compiled: Compiled | None
    """None where the template has no text of its own: rows read as the fallback does."""
    rest: str
    empty_values: frozenset[str]
    """Compared forms of values that count as empty."""
    keep_numeric: bool
    min_words: int
    max_words: int | None
    file: str
    line: int
    order: int
    """Place among all templates: files by name, then top to bottom."""

    @property
    def id(self) -> str:
        """Its name in chunks and reports."""
        return self.spec.id


@dataclass(frozen=True)
class Registry:
    """All templates in their order; ``hash`` is part of every reuse key of rows."""

    templates: tuple[RowTemplate, ...] = ()
    hash: str = "none"
    hidden: str | None = None
    """``skip`` or ``read`` where a file of templates overrules the settings."""
    files: tuple[str, ...] = field(default=())


def load_registry(folder: Path) -> Registry:
    """The registry in ``folder``, empty where there is none; ``UserError`` names file, line and remedy."""
    registry, problems = read_registry(folder)
    if problems:
        first = problems[0]
        more = f" ({len(problems) - 1} more: notes-pipeline templates check)" if len(problems) > 1 else ""
        raise UserError(f"{first.file}:{first.line}", first.what, first.remedy + more, usage=True)
    return registry


def read_text(name: str, text: str) -> Registry:
    """The registry of one file's text; raises ``UserError`` as ``load_registry`` does."""
    problems: list[Problem] = []
    templates, defaults = _file(name, text, 0, problems)
    problems.extend(_clashes(templates))
    if problems:
        raise UserError(f"{name}:{problems[0].line}", problems[0].what, problems[0].remedy, usage=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Registry(tuple(templates), digest, defaults.hidden, (name,))


def read_registry(folder: Path) -> tuple[Registry, list[Problem]]:
    """The templates of ``folder`` that are sound, and everything wrong with the others."""
    templates: list[RowTemplate] = []
    problems: list[Problem] = []
    hidden: str | None = None
    digest = hashlib.sha256()
    paths = sorted(p for p in folder.glob("*") if p.suffix in SUFFIXES) if folder.is_dir() else []
    for path in paths:
        data = _read(path, problems)
        if data is None:
            continue
        digest.update(path.name.encode() + b"\0" + data + b"\0")
        found, defaults = _file(str(path), data.decode("utf-8", "replace"), len(templates), problems)
        templates.extend(found)
        hidden = defaults.hidden or hidden
    problems.extend(_clashes(templates))
    name = digest.hexdigest()[:12] if paths else "none"
    return Registry(tuple(templates), name, hidden, tuple(str(path) for path in paths)), problems


def _read(path: Path, problems: list[Problem]) -> bytes | None:
    try:
        data = path.read_bytes()
        data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problems.append(Problem(str(path), 1, f"cannot be read: {error}", "save it as UTF-8 text"))
        return None
    return data


def _file(path: str, text: str, order: int, problems: list[Problem]) -> tuple[list[RowTemplate], Defaults]:
    try:
        place = read_yaml(text)
    except YamlProblem as problem:
        problems.append(Problem(path, problem.line, f"is no YAML: {problem.what}", "mend that line"))
        return [], Defaults()
    try:
        file = File.model_validate(place.data)
    except ValidationError as error:
        problems.extend(_schema_problems(path, place, error))
        return [], Defaults()
    found: list[RowTemplate] = []
    for index, spec in enumerate(file.templates):
        template = _template(path, place, index, spec, file.defaults, order + len(found), problems)
        if template:
            found.append(template)
    return found, file.defaults


def _template(
    path: str,
    place: Place,
    index: int,
    spec: Template,
    defaults: Defaults,
    order: int,
    problems: list[Problem],
) -> RowTemplate | None:
    line = place.line(("templates", index, "id"))
    compiled = None
    if spec.text:
        try:
            compiled = compile_text(spec.text)
        except TemplateProblem as problem:
            at = _text_line(place, index, problem)
            problems.append(Problem(path, at, f"template {spec.id!r} {problem.what}", problem.remedy))
            return None
    empty = defaults.empty_values if spec.empty_values is None else spec.empty_values
    return RowTemplate(
        spec=spec,
        compiled=compiled,
        rest=spec.rest or defaults.rest,
        empty_values=frozenset(normal(value) for value in empty),
        keep_numeric=defaults.keep_numeric if spec.keep_numeric is None else spec.keep_numeric,
        min_words=defaults.min_words if spec.min_words is None else spec.min_words,
        max_words=spec.max_words or defaults.max_words,
        file=path,
        line=line,
        order=order,
    )


def _text_line(place: Place, index: int, problem: TemplateProblem) -> int:
    """The file's line of a problem in a text; folded texts lose their breaks, so as written it is tried."""
    raw, first = text_of(place, ("templates", index, "text"))
    try:
        compile_text(raw)
    except TemplateProblem as again:
        return first + again.line - 1
    return first + problem.line - 1


def _schema_problems(path: str, place: Place, error: ValidationError) -> Iterator[Problem]:
    for item in error.errors():
        location = [part for part in item["loc"] if isinstance(part, str | int)]
        line = place.line(location)
        name = ".".join(str(part) for part in location) or "the file"
        if item["type"] == "extra_forbidden":
            known = _known_keys(location)
            like = nearest(str(location[-1]), known)
            remedy = f"did you mean {like!r}?" if like else f"use one of: {', '.join(known)}"
            yield Problem(path, line, f"{name} is no key of the format", remedy)
        elif item["type"] == "missing":
            yield Problem(path, line, f"{name} is missing", _missing_remedy(str(location[-1])))
        else:
            message = item["msg"].removeprefix("Value error, ")
            yield Problem(path, line, f"{name}: {message}", "see docs/templates.md for the format")


def _missing_remedy(key: str) -> str:
    return "begin the file with: version: 1" if key == "version" else f"add a line: {key}: …"


def _known_keys(location: Sequence[str | int]) -> list[str]:
    model: type = File
    for part in location[:-1]:
        inner = {"defaults": Defaults, "templates": Template, "match": Match}.get(str(part))
        if inner is None and isinstance(part, str) and hasattr(model, "model_fields"):
            inner = getattr(model.model_fields.get(part), "annotation", None)
        model = inner if isinstance(inner, type) else model
    fields = getattr(model, "model_fields", {})
    return sorted(info.alias or name for name, info in fields.items())


def _clashes(templates: Sequence[RowTemplate]) -> Iterator[Problem]:
    """Names given twice, and templates no table can tell apart."""
    names: dict[str, RowTemplate] = {}
    matches: dict[object, RowTemplate] = {}
    for template in templates:
        first = names.setdefault(template.id, template)
        if first is not template:
            what = f"the id {template.id!r} is taken by {first.file}:{first.line}"
            yield Problem(template.file, template.line, what, "give it a name of its own")
        same = matches.setdefault(_signature(template), template)
        if same is not template:
            what = (
                f"template {template.id!r} matches the same tables as {same.id!r} ({same.file}:{same.line})"
            )
            yield Problem(template.file, template.line, what, "set a priority, or match by other columns")


def _signature(template: RowTemplate) -> object:
    match = template.spec.match
    columns = match.columns
    parts = (match.file, match.sheet, columns.all, columns.any, columns.none)
    table = template.spec.table
    return (
        template.spec.priority,
        *(frozenset(normal(name) for name in part) for part in parts),
        (table.header_row, table.orientation, table.range),
    )
