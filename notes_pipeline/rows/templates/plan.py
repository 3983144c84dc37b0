"""How a template and a table's columns go together, worked out once a table.

Belongs here: which column is named what, which is the entity, a key, used by the text, left out.
Stays out: rows and their values (sentence).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from notes_pipeline.rows.names import label, normal, slug
from notes_pipeline.rows.tables.entity import key_columns
from notes_pipeline.rows.templates.registry import RowTemplate


@dataclass(frozen=True)
class Plan:
    """The reading of one table; columns are named as the sheet names them."""

    template: RowTemplate | None
    runner_up: RowTemplate | None
    columns: tuple[str, ...]
    names: dict[str, str]
    """Column to its name after ``rename``."""
    labels: dict[str, str]
    """Column to the words a sentence uses for it."""
    entity: str
    """A column, or empty."""
    keys: tuple[str, ...]
    used: frozenset[str]
    """Columns the template's text names."""
    ignored: frozenset[str]
    dropped: frozenset[str]
    """Columns left out because of ``rest: drop``."""
    fields: dict[str, str]
    """Identifier of the template's text to its column; the section's alias is not among them."""
    unknown: tuple[str, ...]
    """Fields of the template's text that the table does not have."""

    @property
    def read(self) -> list[str]:
        """The columns a sentence may use."""
        return [column for column in self.columns if column not in self.ignored]


def plan_of(
    columns: Sequence[str], template: RowTemplate | None, runner_up: RowTemplate | None, entity: str
) -> Plan:
    """The plan for a table; ``entity`` is the column found by looking at its values."""
    if template is None:
        return _plan(columns, None, runner_up, entity)
    spec = template.spec
    renames = {normal(old): new for old, new in spec.rename.items()}
    names = {column: renames.get(normal(column), column) for column in columns}
    fields, unknown = _fields(template, names)
    used = frozenset(fields.values())
    ignored = frozenset(c for c in columns if _is_one_of(c, names[c], spec.ignore)) - used
    named = next((c for c in columns if spec.entity and _is_one_of(c, names[c], (spec.entity,))), entity)
    rest = frozenset(columns) - used - ignored
    return Plan(
        template=template,
        runner_up=runner_up,
        columns=tuple(columns),
        names=names,
        labels={column: label(name) for column, name in names.items()},
        entity=named if named not in ignored else "",
        keys=_keys(columns, names, spec.key, named),
        used=used,
        ignored=ignored,
        dropped=rest - {named} if template.rest == "drop" and template.compiled else frozenset(),
        fields=fields,
        unknown=unknown,
    )


def _plan(
    columns: Sequence[str], template: RowTemplate | None, runner_up: RowTemplate | None, entity: str
) -> Plan:
    return Plan(
        template=template,
        runner_up=runner_up,
        columns=tuple(columns),
        names={column: column for column in columns},
        labels={column: label(column) for column in columns},
        entity=entity,
        keys=tuple(key_columns(columns, entity)) if entity else (),
        used=frozenset(),
        ignored=frozenset(),
        dropped=frozenset(),
        fields={},
        unknown=(),
    )


def _keys(
    columns: Sequence[str], names: dict[str, str], wanted: Sequence[str], entity: str
) -> tuple[str, ...]:
    if wanted:
        return tuple(c for c in columns if c != entity and _is_one_of(c, names[c], wanted))
    return tuple(key_columns(columns, entity)) if entity else ()


def _fields(template: RowTemplate, names: dict[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    if template.compiled is None:
        return {}, ()
    fields: dict[str, str] = {}
    unknown: list[str] = []
    section = slug(template.spec.table.section_as).casefold() if template.spec.table.section_as else ""
    for identifier, name in template.compiled.fields.items():
        column = column_of(identifier, name, names)
        if column:
            fields[identifier] = column
        elif not (section and identifier.casefold() == section):
            unknown.append(name)
    return fields, tuple(unknown)


def column_of(identifier: str, name: str, names: dict[str, str]) -> str:
    """The column a template's identifier means, by its renamed or its own name; empty where none fits."""
    spelled = identifier != name
    for form in (lambda c: names[c], lambda c: c):
        for column in names:
            if normal(form(column)) == normal(name) or (
                not spelled and slug(form(column)).casefold() == identifier.casefold()
            ):
                return column
    return ""


def _is_one_of(column: str, name: str, wanted: Sequence[str]) -> bool:
    forms = {normal(column), normal(name), slug(column).casefold(), slug(name).casefold()}
    return any(normal(want) in forms for want in wanted)
