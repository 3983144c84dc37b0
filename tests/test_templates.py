"""Row templates: what they may say, which one speaks, how rows read, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notes_pipeline.decide import decide
from notes_pipeline.errors import UserError
from notes_pipeline.records import Chunk, Discard
from notes_pipeline.rows import chunk, load_registry, read
from notes_pipeline.rows.coverage import TableCoverage, coverage, unused_templates
from notes_pipeline.rows.names import label, slug, unique
from notes_pipeline.rows.sentence import Place, compose
from notes_pipeline.rows.templates import match
from notes_pipeline.rows.templates.compiled import TemplateProblem, compile_text, identifiers, lookup
from notes_pipeline.rows.templates.filters import FILTERS
from notes_pipeline.rows.templates.lint import check
from notes_pipeline.rows.templates.plan import plan_of
from notes_pipeline.rows.templates.preview import preview, refusal
from notes_pipeline.rows.templates.registry import Registry, read_registry, read_text
from notes_pipeline.rows.templates.schema import Columns, Defaults, Match, TableOptions, Template
from notes_pipeline.rows.templates.schema import Test as RowTest
from notes_pipeline.rows.templates.suggest import as_file, suggest
from notes_pipeline.settings import Settings
from notes_pipeline.sources import document_from_bytes
from tests.sheets import workbook_document

ROOT = Path(__file__).parents[1]
BRIDGES = """\
Bridge    | River | Length | Built | Remark
Old arch  | Mere  | 84 m   | 1311  | tolls until 1840
Iron span | Lode  |        | 1866  |
"""


def registry(templates: str) -> Registry:
    """The registry of these templates, indented under ``templates``."""
    body = "\n".join(f"  {line}" if line else "" for line in templates.splitlines())
    return read_text("rows.yaml", f"version: 1\ntemplates:\n{body}\n")


def rows_read(
    templates: str, rows: str = BRIDGES, sheet: str = "Bridges", source_path: str = "Crossings.xlsx"
) -> list[str]:
    """The sentences of a sheet under these templates."""
    return [item.text for item in built(templates, rows, sheet, source_path)[0]]


def built(
    templates: str, rows: str = BRIDGES, sheet: str = "Bridges", source_path: str = "Crossings.xlsx"
) -> tuple[list[Chunk], list[Discard], list[TableCoverage]]:
    """Chunks, discards and coverage of a sheet under these templates."""
    made_of = registry(templates)
    document = workbook_document({sheet: rows}, source_path)
    book = read(document, Settings(), made_of)
    made = chunk(document, book, Settings(), made_of)
    chunks = [item for item in made if isinstance(item, Chunk)]
    return chunks, [d for d in made if isinstance(d, Discard)], coverage(book.rows, made, made_of)


def rendered(text: str, **columns: str) -> str:
    """A template's text over these columns."""
    compiled = compile_text(text)
    values = identifiers(columns)
    given = {key: lookup(key, name, values) or "" for key, name in compiled.fields.items()}
    return compiled.render(given).text


# --- the text ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("{{ Bridge }} stands.", {"Bridge": "Old arch"}, "Old arch stands."),
        ("{{ Bridge }}{? , over the {{ River }} ?}.", {"Bridge": "Old arch"}, "Old arch."),
        ("{{ A }}{? ({{ B }}{? , {{ C }} ?}) ?}.", {"A": "x", "B": "y"}, "x (y)."),
        ("{{ A }}{? ({{ B }}{? , {{ C }} ?}) ?}.", {"A": "x", "C": "z"}, "x."),
        ("{{ A }}{? from {{ B }} to {{ C }} ?}.", {"A": "x", "B": "1"}, "x."),
        ('{{ col("Alt. (m)") }} high.', {"Alt. (m)": "84"}, "84 high."),
        ("{{ in_ }} and {{ _2019 }}.", {"in": "x", "2019": "y"}, "x and y."),
        ("{% if A %}{{ A }}{% else %}none{% endif %} here.", {"A": ""}, "none here."),
        ("{{ A }} , {{ B }} ( {{ C }} ) .", {"A": "x", "B": "", "C": ""}, "x."),
        ("{{ A }}.", {"A": "the end."}, "the end."),
        ("{{ A }}.", {"A": "wait..."}, "wait..."),
        ("{{ A }} ends.", {"A": "a ,b .. ()"}, "a ,b .. () ends."),
        ("{{ A | default('no name') }}.", {"A": ""}, "no name."),
    ],
)
def test_text(text: str, columns: dict[str, str], expected: str) -> None:
    """Clauses vanish with their empty fields, seams are mended, values stay as they are."""
    assert expected == rendered(text, **columns)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (("ordinal", "1"), "1st"),
        (("ordinal", "12"), "12th"),
        (("ordinal", "1,023"), "1,023rd"),
        (("ordinal", "VI"), "VI"),
        (("an", "oak"), "an oak"),
        (("an", "hour"), "an hour"),
        (("an", "university"), "a university"),
        (("an", "MP"), "an MP"),
        (("an", "UN envoy"), "a UN envoy"),
        (("an", "8-pounder"), "an 8-pounder"),
        (("an", "unnamed ford"), "an unnamed ford"),
        (("plural", "1", "ferry"), "1 ferry"),
        (("plural", "3", "ferry"), "3 ferries"),
        (("plural", "2", "box"), "2 boxes"),
        (("plural", "2", "person"), "2 people"),
        (("plural", "2", "ox", "oxen"), "2 oxen"),
        (("unit", "84", "m"), "84 m"),
        (("unit", "84 m", "m"), "84 m"),
        (("number", "1234567"), "1,234,567"),
        (("number", "1,234,567"), "1,234,567"),
        (("number", "1957"), "1957"),
        (("number", "00123"), "00123"),
        (("year", "-322"), "322 BCE"),
        (("year", "78"), "78 CE"),
        (("year", "1957"), "1957"),
        (("list", "ash; oak; elm"), "ash, oak and elm"),
        (("list", "ash - oak", "-"), "ash and oak"),
        (("list", "ash"), "ash"),
        (("strip_parens", "Mere (lower)"), "Mere"),
        (("strip_parens", "(all)"), "(all)"),
        (("ensure_period", "done"), "done."),
        (("ensure_period", "done?"), "done?"),
        (("capfirst", "old McArch"), "Old McArch"),
        (("title", "old mill's arch"), "Old Mill's Arch"),
        (("lower", "Mere"), "mere"),
        (("upper", "Mere"), "MERE"),
        (("default", "", "x"), "x"),
    ],
)
def test_filters(call: tuple[str, ...], expected: str) -> None:
    """Each filter says what its name says, and leaves alone what it does not understand."""
    name, *arguments = call

    assert expected == FILTERS[name](*arguments)


@pytest.mark.parametrize(
    "text",
    [
        "{% for x in A %}{{ x }}{% endfor %}",
        "{% set x = A %}{{ x }}",
        "{% macro m() %}x{% endmacro %}",
        "{% include 'other' %}",
        "{% import 'other' as o %}",
        "{% extends 'other' %}",
        "{% block b %}x{% endblock %}",
        "{{ A.__class__ }}",
        "{{ A['__class__'] }}",
        "{{ A[0] }}",
        "{{ A() }}",
        "{{ 'a' * 50000000 }}",
        "{{ A ~ A }}",
        "{{ A + A }}",
        "{{ A | center(100000000) }}",
        "{{ A | attr('x') }}",
        "{{ A | map('upper') | list }}",
        "{{ range(9) }}",
        "{{ [A] }}",
        "{{ {A: A} }}",
        "{% raw %}{{ A }}{% endraw %}{{ cycler }}{{ A.x }}",
        "{{ A",
        "{? no field ?}",
        "{? {{ A }}",
        "{{ A }} ?}",
        "x" * 5000,
    ],
)
def test_what_a_text_may_not_hold(text: str) -> None:
    """Loops, calls, attributes, arithmetic and all else outside the list is refused when a file is read."""
    with pytest.raises(TemplateProblem) as caught:
        compile_text(text)

    assert caught.value.what
    assert caught.value.remedy


def test_cell_text_is_never_rendered() -> None:
    """A cell that looks like a template is words like any other."""
    rows = "Bridge | River\n{{ 7*7 }} | {% raw %}Mere\nOld arch | Lode"

    texts = rows_read('- id: a\n  text: "{{ Bridge }} over the {{ River }}."', rows)

    assert texts == ["{{ 7*7 }} over the {% raw %}Mere.", "Old arch over the Lode."]


# --- which template speaks -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("templates", "winner"),
    [
        # The higher priority, whatever else.
        (["- id: a\n  match: {columns: {all: [Bridge, River]}}", "- id: b\n  priority: 1"], "b"),
        # Every column named.
        (
            [
                "- id: a\n  match: {columns: {all: [Bridge, River, Length, Built, Remark]}}",
                "- id: b\n  match: {file: 'Cross*', sheet: Bridges, columns: {all: [Bridge, River]}}",
            ],
            "a",
        ),
        # More columns named.
        (
            [
                "- id: a\n  match: {columns: {all: [Bridge]}}",
                "- id: b\n  match: {columns: {all: [bridge, RIVER]}}",
            ],
            "b",
        ),
        # File and sheet named.
        (
            [
                "- id: a\n  match: {columns: {all: [Bridge]}}",
                "- id: b\n  match: {file: cross*, columns: {all: [Bridge]}}",
            ],
            "b",
        ),
        # The earlier one.
        (
            [
                "- id: a\n  match: {columns: {all: [Bridge]}}",
                "- id: b\n  match: {columns: {all: [River]}}",
            ],
            "a",
        ),
        # One that does not fit never speaks.
        (
            [
                "- id: a\n  priority: 9\n  match: {columns: {none: [Remark]}}",
                "- id: b\n  priority: 9\n  match: {columns: {any: [Height, Depth]}}",
                "- id: c\n  priority: 9\n  match: {sheet: [Fords, Ferries]}",
                "- id: d\n  priority: 9\n  match: {file: 'elsewhere/*'}",
                "- id: e",
            ],
            "e",
        ),
    ],
)
def test_precedence(templates: list[str], winner: str) -> None:
    """Priority, exactness, number of columns, place named, order in the file: in this order, and total."""
    chunks, _, _ = built("\n".join(f"{text}\n  text: '{{{{ Bridge }}}} it is.'" for text in templates))

    assert {winner} == {item.template for item in chunks}


def test_runner_up_and_unused_are_told() -> None:
    """The report learns which template came second, and which spoke for nothing."""
    made_of = registry(
        "- id: first\n  match: {columns: {all: [Bridge, River]}}\n"
        "- id: second\n  match: {columns: {all: [Bridge]}}\n"
        "- id: third\n  match: {file: other.xlsx}"
    )
    document = workbook_document({"Bridges": BRIDGES})
    book = read(document, Settings(), made_of)
    found = coverage(book.rows, chunk(document, book, Settings(), made_of), made_of)

    assert (found[0].template, found[0].runner_up) == ("first", "second")
    assert unused_templates(found, made_of) == ["second", "third"]


def test_ranks_are_never_equal() -> None:
    """No two templates of a registry have the same rank over a table."""
    made_of = registry(
        "\n".join(f"- id: t{n}\n  match: {{columns: {{any: [Bridge, c{n}]}}}}" for n in range(9))
    )
    ranks = [match.rank(template, ["Bridge"]) for template in made_of.templates]

    assert len(set(ranks)) == len(ranks)


# --- what a template makes of a table ------------------------------------------------------------


def test_rest_is_labelled_unless_dropped() -> None:
    """What a text does not name is added as labels; ``rest: drop`` leaves it out and counts it by column."""
    text = "\n  match: {columns: {all: [Bridge]}}\n  text: '{{ Bridge }} crosses the {{ River }}.'"
    kept, _, _ = built("- id: a" + text)
    dropped, _, found = built("- id: a\n  rest: drop" + text)

    assert kept[0].text == ("Old arch crosses the Mere. Length: 84 m; Built: 1311; Remark: tolls until 1840.")
    assert dropped[0].text == "Old arch crosses the Mere."
    assert found[0].left_out == {"Length": 1, "Built": 2, "Remark": 1}


PARTLY_SAID = [
    ("{{ Bridge }} stands{? with {{ A }} in {{ B }} ?}.", "Old arch stands. A: ash; C: coal."),
    ("{{ Bridge }} stands{? with {{ A }}{? in {{ B }} ?} ?}.", "Old arch stands with ash. C: coal."),
    ("{{ Bridge }}{% if B %} has {{ A }}{% endif %}.", "Old arch. A: ash; C: coal."),
    ("{{ Bridge }}{% if A %} has {{ B }}{% endif %}.", "Old arch has. A: ash; C: coal."),
    ("{{ Bridge }} of {{ B if B else C }}.", "Old arch of coal. A: ash."),
    ("{{ Bridge }} of {{ (C if A else B) | upper }}.", "Old arch of COAL. A: ash."),
    ("{{ Bridge }}: {{ B | default('none') }}.", "Old arch: none. A: ash; C: coal."),
    ("{{ Bridge }}{% if A == 'ash' %} is wooden{% endif %}.", "Old arch is wooden. A: ash; C: coal."),
]


@pytest.mark.parametrize(("text", "expected"), PARTLY_SAID)
def test_what_was_left_unsaid_follows_by_label(text: str, expected: str) -> None:
    """A field in a clause that vanished, in a branch not taken or in a mere condition was not said."""
    rows = "Bridge | A | B | C\nOld arch | ash | | coal"

    assert rows_read(f'- id: a\n  text: "{text}"', rows) == [expected]


def test_dropped_clauses_are_counted() -> None:
    """With ``rest: drop`` a value goes with its clause, and the sheet's notes and the report say how many."""
    text = "{{ Bridge }}{? over the {{ River }}, {{ Length }} long ?}."
    made_of = registry(f'- id: a\n  rest: drop\n  text: "{text}"')
    document = workbook_document({"Bridges": BRIDGES})
    book = read(document, Settings(), made_of)
    made = chunk(document, book, Settings(), made_of)

    assert [it.text for it in made] == ["Old arch over the Mere, 84 m long.", "Iron span."]
    assert "rest_dropped: Built 2, River 1, Remark 1" in book.sheets[0].notes
    assert coverage(book.rows, made, made_of)[0].left_out == {"Built": 2, "Remark": 1, "River": 1}


FORMS = [
    "{? of {{ X }} in {{ Y }} ?}",
    "{? by {{ X }}{? with {{ Y }} ?} ?}",
    "{% if X %} has {{ Y }}{% endif %}",
    "{% if X %} has {{ X }}{% else %} or {{ Y }}{% endif %}",
    " {{ X if Y else Z }}",
    " {{ (X or Y) | upper | default('none') }}",
    " {{ X | default(Y) }}",
]


@given(
    st.lists(st.tuples(st.sampled_from(FORMS), st.permutations("ABCD")), max_size=5),
    st.fixed_dictionaries({name: st.sampled_from(["", f"value{name}"]) for name in "ABCD"}),
)
def test_no_filled_field_is_silent(forms: list[tuple[str, list[str]]], row: dict[str, str]) -> None:
    """Whatever the clauses and the gaps: every value stands in the sentence, once said or by its label."""
    named = [form.translate(str.maketrans("XYZ", "".join(names[:3]))) for form, names in forms]
    made_of = registry(f'- id: a\n  entity: Bridge\n  text: "{{{{ Bridge }}}}{"".join(named)}."')
    values = {"Bridge": "Old arch", **{name: value for name, value in row.items() if value}}
    plan = plan_of(["Bridge", *"ABCD"], made_of.templates[0], None, "Bridge")
    said = compose(values, plan, Place("Bridges", ""), "", 200).parts[0].casefold()

    assert all(value.casefold() in said for value in values.values())


def test_missing_required_field_goes_to_the_fallback() -> None:
    """A row without a required field is read by labels, says so, and is counted."""
    chunks, _, found = built("- id: a\n  text: '{{ Bridge }} is {{ Length }} long.'")

    assert [item.template for item in chunks] == ["a", "fallback"]
    assert chunks[1].text == "Iron span (Bridges): River: Lode; Built: 1866."
    assert [(f.rule, f.note) for f in chunks[1].findings] == [("template_fields_missing", "a: Length")]
    assert (found[0].fallback_rows, found[0].missing_fields) == (1, {"Length": 1})


def test_field_that_no_column_has_is_told_with_its_nearest() -> None:
    """A mistyped field sends every row to the fallback, and the report names the column that was meant."""
    chunks, _, found = built("- id: a\n  text: '{{ Bridge }} over {{ Rivr }}.'")

    assert {"fallback"} == {item.template for item in chunks}
    assert found[0].unknown_fields == {"Rivr": "River"}


@pytest.mark.parametrize(
    ("template", "rows", "expected"),
    [
        (
            "- id: a\n  rename: {Length: Span}\n  text: '{{ Bridge }} spans {{ Span }}.'\n  rest: drop",
            "Bridge | Length\nOld arch | 84 m",
            ["Old arch spans 84 m."],
        ),
        (
            "- id: a\n  ignore: [Remark, Built]",
            BRIDGES,
            ["Old arch (Bridges): River: Mere; Length: 84 m.", "Iron span (Bridges): River: Lode."],
        ),
        (
            "- id: a\n  entity: River",
            "Bridge | River\nOld arch | Mere",
            ["Mere (Bridges): Bridge: Old arch."],
        ),
        (
            "- id: a\n  title: Crossings of the shire",
            "Bridge | River\nOld arch | Mere",
            ["Old arch (Crossings of the shire): River: Mere."],
        ),
        (
            "- id: a\n  empty_values: ['-', nil]",
            "Bridge | River | Length\nOld arch | Mere | -\nIron span | Nil | 84 m",
            ["Old arch (Bridges): River: Mere.", "Iron span (Bridges): Length: 84 m."],
        ),
        (
            "- id: a\n  table: {fill_down: [River]}",
            "Bridge | River | Length\nOld arch | Mere | 84 m\nNew arch | | 90 m\nIron span | Lode | 12 m",
            [
                "Old arch (Bridges): River: Mere; Length: 84 m.",
                "New arch (Bridges): River: Mere; Length: 90 m.",
                "Iron span (Bridges): River: Lode; Length: 12 m.",
            ],
        ),
        (
            "- id: a\n  table: {section_as: Shire}\n  text: '{{ Bridge }} in {{ Shire }}.'\n  rest: drop",
            "Bridge | River | Built\n**North shire** | |\nOld arch | Mere | stone\nNew arch | Lode | stone",
            ["Old arch in North shire.", "New arch in North shire."],
        ),
        (
            "- id: a\n  table: {header_row: 3}",
            "Name | Place\nx | y\nBridge | River\nOld arch | Mere\nNew arch | Lode",
            ["Old arch (Bridges): River: Mere.", "New arch (Bridges): River: Lode."],
        ),
        (
            "- id: a\n  table: {header_row: 1}\n  text: 'It is said that {{ Lore }}.'",
            "Lore\nthe weir sings before rain\n\nno eel passes the mill",
            ["It is said that the weir sings before rain.", "It is said that no eel passes the mill."],
        ),
        (
            "- id: a\n  table: {range: 'B2:C4'}",
            "draft | of | May\n | Bridge | River\n | Old arch | Mere\n | New arch | Lode",
            ["Old arch (Bridges): River: Mere.", "New arch (Bridges): River: Lode."],
        ),
        (
            "- id: a\n  keep_numeric: true",
            "Year | Low | High\n1991 | 12 | 45\n1992 | 10 | 41",
            ["Bridges: Year: 1991; Low: 12; High: 45.", "Bridges: Year: 1992; Low: 10; High: 41."],
        ),
    ],
    ids=[
        "rename",
        "ignore",
        "entity",
        "title",
        "empty_values",
        "fill_down",
        "section_as",
        "header_row",
        "one_column",
        "range",
        "numeric",
    ],
)
def test_options(template: str, rows: str, expected: list[str]) -> None:
    """Each key of a template does what the format says."""
    assert expected == rows_read(template, rows)


def test_min_words_makes_fragments() -> None:
    """A row that reads shorter than its template asks for is a fragment, not lost."""
    rows = "Bridge | River\nOld arch | Mere and Lode\nArch | Mere"
    chunks, _, _ = built("- id: a\n  min_words: 6", rows)
    few = [any(finding.rule == "few_values" for finding in item.findings) for item in chunks]

    assert few == [False, True]
    assert decide(chunks[1], Settings()).quality == "fragment"


def test_key_columns_carry_the_id() -> None:
    """With a key, an edit elsewhere in the row keeps the chunk's name."""
    template = "- id: a\n  entity: Bridge\n  key: [River]"
    before = built(template, "Bridge | River | Length\nOld arch | Mere | 84 m")[0]
    after = built(template, "Bridge | River | Length\nOld arch | Mere | 92 m")[0]

    assert before[0].chunk_id == after[0].chunk_id
    assert before[0].content_hash != after[0].content_hash


def test_long_rows_are_cut_at_fields() -> None:
    """A row past the limit becomes parts that each name the entity and break no field."""
    rows = "Bridge | Story | Repairs\nOld arch | " + "stone by stone " * 30 + "| " + "mended again " * 30
    chunks, _, _ = built("- id: a\n  max_words: 120", rows)

    assert [item.part for item in chunks] == [1, 2]
    assert all(item.is_sub_split and item.text.startswith("Old arch (Bridges): ") for item in chunks)
    assert [item.text.split(": ")[1] for item in chunks] == ["Story", "Repairs"]
    assert len({item.chunk_id for item in chunks}) == 2


def test_a_value_longer_than_a_chunk_is_cut_inside() -> None:
    """One cell over the limit is cut at sentence ends, else at blanks, else anywhere, and nothing is lost."""
    story = " ".join(f"Word{n} stands here." for n in range(150))
    run = "x" * 9_000
    chunks, _, _ = built("- id: a", f"Bridge | Story | Run\nOld arch | {story} | {run}")
    texts = [item.text for item in chunks]

    assert all(item.word_count <= 200 and len(item.text) <= 4_000 for item in chunks)
    assert all(f"Word{n} stands here." in " ".join(texts) for n in range(150))
    assert sum(text.count("x") for text in texts) == 9_000


# --- files ---------------------------------------------------------------------------------------


def test_no_folder_is_an_empty_registry(tmp_path: Path) -> None:
    """A workspace without templates reads every row by labels."""
    made = load_registry(tmp_path / "none")

    assert made == Registry()


def test_hash_follows_the_files(tmp_path: Path) -> None:
    """Any change to a file of templates changes the registry's hash."""
    path = tmp_path / "a.yaml"
    path.write_text("version: 1\ntemplates: []\n", encoding="utf-8")
    before = load_registry(tmp_path).hash
    path.write_text("version: 1\ntemplates:\n  - id: a\n", encoding="utf-8")

    assert before != load_registry(tmp_path).hash


@pytest.mark.parametrize(
    ("text", "line", "what", "remedy"),
    [
        ("templates: []\n", 1, "version is missing", "version: 1"),
        ("version: 1\ntemplates:\n  - id: a\n    ttext: x\n", 4, "ttext is no key", "'text'"),
        ("version: 1\ntemplates:\n  - id: a\n    rest: some\n", 4, "rest", "docs/templates.md"),
        ("version: 1\ntemplates:\n  - id: a\n    text: '{{ A.b }}'\n", 4, "attributes", "filters"),
        (
            "version: 1\ntemplates:\n  - id: a\n    text: >-\n      x\n      {{ A | big }}\n",
            6,
            "'big'",
            "ordinal",
        ),
        ("version: 1\ntemplates:\n  - id: a\n  - id: a\n    priority: 1\n", 4, "'a' is taken", "of its own"),
        ("version: 1\ntemplates:\n  - id: a\n  - id: b\n", 4, "same tables", "priority"),
        ("version: 1\ntemplates:\n  - id: a\n    id: b\n", 4, "stands twice", "mend"),
        ("version: 1\ntemplates:\n  - id: a\n   x: [\n", 4, "no YAML", "mend"),
        ("version: 1\ntemplates:\n  - id: a\n    table: {range: B3}\n", 4, "one cell", "docs/templates.md"),
        (
            "version: 1\ntemplates:\n  - id: a\n    text: '{{ A }}.'\n    tests:\n"
            "      - row: {A: x}\n        is: y.\n",
            6,
            "reads 'x.', not 'y.'",
            "mend",
        ),
        (
            "version: 1\ntemplates:\n  - id: a\n    ignore: [Note]\n    text: '{{ Note }}.'\n",
            4,
            "ignores 'Note' and uses it",
            "one of the two",
        ),
        (
            "version: 1\ntemplates:\n  - id: a\n    text: '{{ Rivr }}.'\n    tests:\n"
            "      - row: {River: x}\n        is: ''\n",
            4,
            "'Rivr', which no test's row has",
            "'River'",
        ),
    ],
)
def test_lint(tmp_path: Path, text: str, line: int, what: str, remedy: str) -> None:
    """Every problem has its file, its line and a remedy."""
    (tmp_path / "rows.yaml").write_text(text, encoding="utf-8")
    problems = check(tmp_path).problems

    assert [(line, True, True)] == [(p.line, what in p.what, remedy in p.remedy) for p in problems]
    assert f"rows.yaml:{line}: " in check(tmp_path).text


def test_two_equal_templates_in_two_files_are_an_error(tmp_path: Path) -> None:
    """Where nothing but the file's name would decide, a person must."""
    for name in ("a", "b"):
        text = f"version: 1\ntemplates:\n  - id: {name}\n    match: {{columns: {{all: [Bridge]}}}}\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(UserError) as caught:
        load_registry(tmp_path)

    assert "b.yaml:3" in str(caught.value)
    assert "a.yaml:3" in str(caught.value)


def test_own_templates_are_sound() -> None:
    """The templates of this repository pass their own check, tests included."""
    report = check(ROOT / "templates" / "rows")

    assert report.problems == ()
    assert report.tests > 0


# --- suggest and preview -------------------------------------------------------------------------


def test_suggest_groups_tables_of_one_shape() -> None:
    """Workbooks with the same header get one draft, which is sound and reads their rows."""
    first = workbook_document({"North": BRIDGES}, "north.xlsx")
    second = workbook_document({"South": BRIDGES, "Wells": "Well | Depth\nMill | 31 m"}, "south.xlsx")

    drafts = suggest([first, second])

    assert list(drafts[0].shape.places) == [("north.xlsx", "North"), ("south.xlsx", "South")]
    assert len(drafts) == 2
    assert drafts[0].shape.entity == "Bridge"
    assert read_text("draft.yaml", drafts[0].yaml).templates[0].compiled is not None
    assert drafts[0].previews[0].texts[1] == "Iron span: River Lode; Built 1866."


def test_suggest_names_odd_columns_and_turned_tables() -> None:
    """A draft spells awkward names so that it compiles, and hints where a table lies on its side."""
    rows = "Name | Tin | Lead\nSymbol | Sn | Pb\nAtomic number | 50 | 82\nMelts at | 232 | 327"
    draft = suggest([workbook_document({"Sheet1": rows})])[0]
    odd = suggest([workbook_document({"Sheet1": "Name | Alt. (m)\nCrag | 84 m"})])[0]

    assert "orientation: columns" in draft.yaml
    assert 'col("Alt. (m)")' in odd.yaml
    assert odd.previews[0].texts == ("Crag: Alt. (m) 84 m.",)


PUMPS = "Pump | Bought\nold pump | 1920 EUR\nnew pump | 88 EUR\nspare pump | 12 EUR"
FIELDS = "Field | Acres | Rye kg | Oats kg | Peas kg | Hay kg | "
YIELDS = "\nUpper field | 1 | 2 | 3 | 4 | 5 | 6\nLower field | 7 | 8 | 9 | 4 | 5 | 2"
ODD_SHEETS = {
    "Wells": "Well | Depth\nMill | 31 m\nFarm | 12 m\nInn | 9 m",
    "Wells!": "Well | Depth | Water\nFarm | 12 m | sweet\nInn | 9 m | hard\nMill | 31 m | sweet",
    "2019": 'Gauge "A" | {{ odd }} | Note\nWeir | 3 m | old\nFord | 2 m | new\nLock | 4 m | old',
    "yes": FIELDS + "Wool kg" + YIELDS,
    "no": FIELDS + "Flax kg" + YIELDS,
    "turned": "Depth | Well\n9 m | Yard\n4 m | Barn\n7 m | Dairy",
}


def test_drafts_make_one_file_that_passes_the_check(tmp_path: Path) -> None:
    """Whatever the tables are called: one YAML document, ids of its own for each, no two for one table."""
    workbook = workbook_document(ODD_SHEETS, "[odd] wells.xlsx")
    (tmp_path / "all.yaml").write_text(
        as_file(suggest([workbook, workbook_document({"Wells": PUMPS}, "x.xlsx")], taken=["wells"])),
        encoding="utf-8",
    )

    report = check(tmp_path)

    assert report.problems == ()
    found = read_registry(tmp_path)[0].templates
    assert [template.id for template in found] == ["odd_wells", "wells_2", "2019", "yes", "no", "wells_3"]
    assert all(match.names_place(template, "[odd] wells.xlsx", "any") for template in found[:5])


def test_preview_reads_rows_before_a_build() -> None:
    """A preview shows the first rows of each table, what is skipped, and fields nobody has."""
    made = preview(
        registry("- id: a\n  text: '{{ Bridge }}{? near {{ Townn }} ?}{? near {{ Rivr }} ?}.'"),
        workbook_document({"Bridges": BRIDGES}),
        1,
    )

    assert len(made) == 1
    assert made[0].texts == ("Old arch. River: Mere; Length: 84 m; Built: 1311; Remark: tolls until 1840.",)
    assert "no column 'Rivr'; did you mean 'River'?" in made[0].text


def test_refused_workbook_says_why() -> None:
    """A file that is no workbook has no preview but a reason."""
    document = document_from_bytes("broken.xlsx", b"PK\x03\x04 cut off", Settings())

    assert preview(Registry(), document) == []
    assert refusal(document)


# --- names ---------------------------------------------------------------------------------------


def test_names() -> None:
    """Names are made unique, spelled for templates, and read as words."""
    assert unique(["a", "a", "a 2", "A"]) == ["a", "a 3", "a 2", "A 4"]
    assert [slug(name) for name in ("Name of the Act", "2019", "in", "Area in km²", "名前")] == [
        "Name_of_the_Act",
        "_2019",
        "in_",
        "Area_in_km2",
        "名前",
    ]
    assert [label(name) for name in ("attacker_king", "HomeState", "pH", "Units:", "iPhone 4")] == [
        "attacker king",
        "Home State",
        "pH",
        "Units",
        "iPhone 4",
    ]


# --- the guide -----------------------------------------------------------------------------------

GUIDE = (ROOT / "docs" / "templates.md").read_text(encoding="utf-8")
KEYS = {
    info.alias or name
    for model in (Template, TableOptions, Match, Columns, Defaults, RowTest)
    for name, info in model.model_fields.items()
}


@pytest.mark.parametrize("name", sorted(KEYS | set(FILTERS)))
def test_guide_names_every_key_and_filter(name: str) -> None:
    """What can be written can be read about."""
    assert f"`{name}" in GUIDE or f" {name}:" in GUIDE


def test_example_of_the_guide_is_sound(tmp_path: Path) -> None:
    """The guide's own template passes its check."""
    (tmp_path / "guide.yaml").write_text(GUIDE.split("```yaml\n")[1].split("```")[0], encoding="utf-8")

    assert check(tmp_path).problems == ()
