"""Which template speaks for a table: patterns, and a precedence that is total.

Belongs here: file, sheet and column patterns, the order of those that fit, the runner-up.
Stays out: what the template makes of a row (sentence).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from notes_pipeline.rows.names import normal
from notes_pipeline.rows.templates.registry import Registry, RowTemplate
from notes_pipeline.rows.templates.schema import Template


class Rank(NamedTuple):
    """What decides between templates that fit, from the first to the last; the higher one speaks."""

    priority: int
    exact: bool
    """Its ``all`` names every column of the table."""
    all_columns: int
    named: int
    """How many of file and sheet it names more closely than ``*``."""
    earlier: int
    """Files by name, then top to bottom: minus the place, so that no two are equal."""


class Choice(NamedTuple):
    """The template for a table and the next best one, where there are any."""

    template: RowTemplate | None
    runner_up: RowTemplate | None


def choose(registry: Registry, source_path: str, sheet: str, columns: Sequence[str]) -> Choice:
    """The best template for a table with these columns; explicit table options are the caller's to check."""
    fitting = candidates(registry.templates, source_path, sheet, columns)
    first = fitting[0] if fitting else None
    return Choice(first, fitting[1] if len(fitting) > 1 else None)


def candidates(
    templates: Sequence[RowTemplate], source_path: str, sheet: str, columns: Sequence[str]
) -> list[RowTemplate]:
    """The templates that fit, best first."""
    fitting = [
        template
        for template in templates
        if names_place(template, source_path, sheet) and names_columns(template.spec, columns)
    ]
    return sorted(fitting, key=lambda template: rank(template, columns), reverse=True)


def rank(template: RowTemplate, columns: Sequence[str]) -> Rank:
    """The place of a fitting template among others over a table with these columns."""
    spec = template.spec
    wanted = {normal(name) for name in spec.match.columns.all}
    given = {normal(name) for name in _renamed(spec, columns)} | {normal(name) for name in columns}
    covered = {
        name for name in columns if normal(name) in wanted or normal(_renamed(spec, [name])[0]) in wanted
    }
    exact = bool(wanted) and wanted <= given and len(covered) == len(columns)
    named = (spec.match.file != ("*",)) + (spec.match.sheet != ("*",))
    return Rank(spec.priority, exact, len(wanted), named, -template.order)


def names_place(template: RowTemplate, source_path: str, sheet: str) -> bool:
    """Whether file and sheet patterns fit; a pattern with ``/`` is for the path, others for the name."""
    match = template.spec.match
    name = PurePosixPath(source_path).name
    in_file = any(_fits(pattern, source_path if "/" in pattern else name) for pattern in match.file)
    return in_file and any(_fits(pattern, sheet) for pattern in match.sheet)


def names_columns(spec: Template, columns: Sequence[str]) -> bool:
    """Whether the table has all, one and none of the columns the template names, before or after renaming."""
    given = {normal(name) for name in (*columns, *_renamed(spec, columns))}
    wanted = spec.match.columns
    return (
        all(normal(name) in given for name in wanted.all)
        and (not wanted.any or any(normal(name) in given for name in wanted.any))
        and not any(normal(name) in given for name in wanted.none)
    )


def _renamed(spec: Template, columns: Sequence[str]) -> list[str]:
    renames = {normal(old): new for old, new in spec.rename.items()}
    return [renames.get(normal(name), name) for name in columns]


@lru_cache(maxsize=512)
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(normal(pattern)))


def _fits(pattern: str, text: str) -> bool:
    return bool(_pattern(pattern).fullmatch(normal(text)))
