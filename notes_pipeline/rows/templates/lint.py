"""``templates check``: everything wrong with a folder of row templates, their own tests included.

Belongs here: the checks beyond reading, and their report. Stays out: reading itself (registry).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from notes_pipeline.plural import plural
from notes_pipeline.records import Cell, Row
from notes_pipeline.rows.names import letter_name, nearest, normal, slug
from notes_pipeline.rows.sentence import FALLBACK, Place, compose, values_of
from notes_pipeline.rows.templates.plan import Plan, column_of, plan_of
from notes_pipeline.rows.templates.registry import Problem, Registry, RowTemplate, read_registry
from notes_pipeline.rows.templates.schema import Test
from notes_pipeline.rows.templates.yaml_places import Place as YamlPlace
from notes_pipeline.rows.templates.yaml_places import YamlProblem, read_yaml

_ROOM = 10_000
"""Words a test's row may have: tests are about wording, not about the cut."""


@dataclass(frozen=True)
class LintReport:
    """What a check found; ``templates`` and ``tests`` count what was looked at."""

    problems: tuple[Problem, ...]
    templates: int
    tests: int

    @property
    def text(self) -> str:
        """One line a problem, and a last one that counts."""
        counts = (self.templates, "template"), (self.tests, "test"), (len(self.problems), "problem")
        count = ", ".join(plural(number, noun) for number, noun in counts)
        return "\n".join([*(str(problem) for problem in self.problems), count])


def check(folder: Path) -> LintReport:
    """Every problem of the templates in ``folder``, with file, line and remedy, in the order of the files."""
    registry, problems = read_registry(folder)
    if not folder.is_dir():
        problems = [Problem(str(folder), 1, "is no folder", "make it, or name the one with your templates")]
    found = [*problems, *_deeper(registry)]
    tests = sum(len(template.spec.tests) for template in registry.templates)
    ordered = sorted(found, key=lambda problem: (problem.file, problem.line))
    return LintReport(tuple(ordered), len(registry.templates), tests)


def _deeper(registry: Registry) -> Iterator[Problem]:
    places: dict[str, YamlPlace] = {}
    counts: dict[str, int] = {}
    for template in registry.templates:
        if template.file not in places:
            places[template.file] = _place(template.file)
        place = places[template.file]
        index = counts.get(template.file, 0)
        counts[template.file] = index + 1
        # Templates that did not compile are missing from the registry, so the id finds the true index.
        index = _index_of(place, template.id, index)
        yield from _names(template, place, index)
        yield from _tests(template, place, index)


def _place(file: str) -> YamlPlace:
    try:
        return read_yaml(Path(file).read_text(encoding="utf-8"))
    except (OSError, YamlProblem):
        return YamlPlace({}, None)


def _index_of(place: YamlPlace, name: str, otherwise: int) -> int:
    templates = place.data.get("templates", []) if isinstance(place.data, dict) else []
    ids = [item.get("id") for item in templates if isinstance(item, dict)]
    return ids.index(name) if name in ids else otherwise


def _names(template: RowTemplate, place: YamlPlace, index: int) -> Iterator[Problem]:
    """Fields and columns a template names that contradict each other."""
    spec = template.spec
    ignored = {normal(name) for name in spec.ignore}
    for name in sorted(set(template.compiled.fields.values()) if template.compiled else ()):
        if normal(name) in ignored or any(slug(other).casefold() == name.casefold() for other in spec.ignore):
            line = place.line(("templates", index, "ignore"))
            yield Problem(
                template.file,
                line,
                f"template {template.id!r} ignores {name!r} and uses it in its text",
                "do one of the two",
            )
    for name in (*spec.match.columns.all, *spec.match.columns.any):
        if normal(name) in {normal(other) for other in spec.match.columns.none}:
            line = place.line(("templates", index, "match", "columns"))
            yield Problem(
                template.file,
                line,
                f"template {template.id!r} wants {name!r} and forbids it",
                "take it out of one list",
            )
    yield from _unreachable(template, place, index)


def _unreachable(template: RowTemplate, place: YamlPlace, index: int) -> Iterator[Problem]:
    """Fields that no test's row has but for a name much like them: most often mistyped."""
    if template.compiled is None or not template.spec.tests:
        return
    known = [
        *template.spec.rename.values(),
        *template.spec.match.columns.all,
        *template.spec.match.columns.any,
    ]
    known += [name for test in template.spec.tests for name in test.row]
    known += [template.spec.table.section_as] if template.spec.table.section_as else []
    names = {name: name for name in known}
    for identifier, name in template.compiled.fields.items():
        like = "" if column_of(identifier, name, names) else nearest(name, known)
        if like:
            what = f"template {template.id!r} uses {name!r}, which no test's row has"
            line = place.line(("templates", index, "text"))
            yield Problem(template.file, line, what, f"did you mean {like!r}?")


def failing_tests(registry: Registry) -> list[Problem]:
    """Of each template that fails its own tests the first failure, for a build that goes on regardless."""
    failed = []
    for template in registry.templates:
        if any(read_test(template, test)[0] != test.reads for test in template.spec.tests):
            place = _place(template.file)
            failed += list(_tests(template, place, _index_of(place, template.id, 0)))[:1]
    return [problem._replace(remedy="run: notes-pipeline templates check") for problem in failed]


def _tests(template: RowTemplate, place: YamlPlace, index: int) -> Iterator[Problem]:
    for number, test in enumerate(template.spec.tests):
        line = place.line(("templates", index, "tests", number))
        said, why = read_test(template, test)
        if said != test.reads:
            what = f"template {template.id!r}, test {number + 1}: reads {said!r}, not {test.reads!r}"
            yield Problem(
                template.file, line, what + (f" ({why})" if why else ""), "mend the text or the test"
            )


def read_test(template: RowTemplate, test: Test) -> tuple[str, str]:
    """How a test's row reads (empty where the template does not speak), and why it does not."""
    row = test_row(test)
    plan = _plan(template, list(test.row))
    values = values_of(row, plan)
    sentence = compose(values.by_column, plan, Place("", test.section), test.section, _ROOM)
    if sentence.made_by == FALLBACK:
        missing = f"lacks {', '.join(sentence.missing)}" if sentence.missing else ""
        return "", sentence.problem or missing
    return " ".join(sentence.parts), ""


def _plan(template: RowTemplate, columns: Sequence[str]) -> Plan:
    return plan_of(columns, template, None, columns[0] if columns else "")


def test_row(test: Test) -> Row:
    """A test's row as a record; empty values are absent, as they are in a sheet."""
    cells = tuple(
        Cell(name, value, f"{letter_name(place)[7:]}1")
        for place, (name, value) in enumerate(test.row.items(), 1)
        if value.strip()
    )
    return Row("", ".", "", 0, "", test.section, 1, "data", cells, len(test.row), "", "")
