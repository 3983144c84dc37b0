"""Rules and semantic types: each case is a small note, and the span a rule must find in it, or none.

A case file holds cases of three parts, each part ended by a line with a dot alone: what it shows, the
note, the span (``-``: nothing). The chunk judged is what stands between ⟪ and ⟫, else the note's last
section. Cases of rules about rows are lines of ``column: value``.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import build
import pytest
from hypothesis import given
from hypothesis import strategies as st

from notes_pipeline.flags import RULES, Context, flag
from notes_pipeline.flags.semantic_types import TYPES
from notes_pipeline.records import Chunk, Document, Section
from notes_pipeline.settings import Settings

CASES = Path(__file__).parent / "cases" / "flags"
SETTINGS = Settings()
ROW_RULES = {rule.name for rule in RULES if rule.rows}


class Case(NamedTuple):
    """One case of a case file."""

    folder: str
    title: str
    text: str
    expected: str


def read_cases(path: Path) -> list[Case]:
    """The cases of one file."""
    parts = [part.strip("\n") for part in f"\n{path.read_text(encoding='utf-8')}".split("\n.\n")]
    thirds = zip(parts[::3], parts[1::3], parts[2::3], strict=False)
    return [Case(path.parent.name, title.strip(), text, expected) for title, text, expected in thirds]


ALL = [case for path in sorted(CASES.glob("*/cases.md")) for case in read_cases(path)]
RULE_CASES = [case for case in ALL if case.folder != "semantic_types"]
TYPE_CASES = [case for case in ALL if case.folder == "semantic_types"]


def names(cases: list[Case]) -> list[str]:
    """Readable ids for parametrized tests."""
    return [f"{case.folder}: {case.title}" for case in cases]


def marked(text: str) -> tuple[Document, list[Section], Chunk]:
    """The note without its marks, and the chunk they enclose, or that of the last section."""
    start, end = text.find("⟪"), text.find("⟫") - 1
    note = build.document(text.replace("⟪", "").replace("⟫", ""))
    sections = build.sections(note)
    if start < 0:
        return note, sections, build.chunks(note, sections)[-1]
    piece = (note.text or "")[start:end]
    return note, sections, build.chunk(piece, char_start=start, char_end=end)


def judged(case: Case) -> Chunk:
    """The chunk of a case, flagged."""
    if case.folder in ROW_RULES:
        row = build.row(2, [tuple(line.split(": ", 1)) for line in case.text.split("\n")])
        return flag([build.row_chunk(row)], Context(build.workbook(), (), [row], SETTINGS))[0]
    note, sections, chunk = marked(case.text)
    return flag([chunk], Context(note, sections, (), SETTINGS))[0]


@pytest.mark.parametrize("case", RULE_CASES, ids=names(RULE_CASES))
def test_rule_finds_its_span_and_nothing_else(case: Case) -> None:
    """A rule finds the words a reader would stumble over, and passes over what only looks like them."""
    chunk = judged(case)
    found = [chunk.text[it.start : it.end] for it in chunk.findings if it.rule == case.folder]

    assert ([] if case.expected == "-" else [case.expected]) == found


@pytest.mark.parametrize(("title", "flagged"), [("Ducks seen at the weir", False), ("", True)])
def test_a_year_names_its_figures_only_under_a_title(title: str, flagged: bool) -> None:
    """What was counted in 1995 the title says; without one two figures are no fact."""
    row = build.row(2, [("Year", "1995"), ("Teal", "130")], entity="Year", table_title=title)
    chunk = flag([build.row_chunk(row)], Context(build.workbook(), (), [row], SETTINGS))[0]

    assert flagged == any(it.rule == "few_values" for it in chunk.findings)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_a_hit_and_a_near_miss(rule: object) -> None:
    """A rule without a case for a hit and for its best near miss is not a rule yet."""
    expected = {case.expected != "-" for case in RULE_CASES if case.folder == rule.name}

    assert {True, False} == expected


def test_rules_have_names_of_their_own() -> None:
    """No two rules share a name."""
    found = [rule.name for rule in RULES]

    assert sorted(set(found)) == sorted(found)


@pytest.mark.parametrize("case", TYPE_CASES, ids=names(TYPE_CASES))
def test_semantic_type_is_what_the_words_show(case: Case) -> None:
    """A chunk has the first type of the table whose signs it shows."""
    assert case.expected == judged(case).semantic_type


def test_every_semantic_type_has_a_case() -> None:
    """No type stands in the table that no text can have."""
    assert set(TYPES) == {case.expected for case in TYPE_CASES}


@pytest.mark.parametrize(
    ("starter", "dead"),
    [
        ("click here", True),
        ("see above", True),
        ("see below", True),
        ("as mentioned", True),
        ("as stated", True),
        ("as discussed", True),
        ("refer to", True),
        ("see also", True),
        ("for more", True),
        ("for details", True),
        ("for information", True),
        ("for example", False),
        ("for instance", False),
        ("such as", False),
        ("including", False),
        ("namely", False),
        ("that is", False),
        ("i.e.", False),
        ("e.g.", False),
        ("etc.", False),
    ],
)
def test_only_junk_pointers_among_the_starters_are_pointers(starter: str, dead: bool) -> None:
    """Of the twenty starters, those that send the reader away are pointers; connectives are information."""
    chunk = build.chunk(f"{starter.capitalize()}, see the page on rye and the page on wheat.")
    flagged = flag([chunk], Context(build.document(chunk.text), (), (), SETTINGS))[0]

    assert dead == any(finding.rule == "pointer" for finding in flagged.findings)


@pytest.mark.parametrize("word", ["Seesaw", "Clickhereness", "Asdiscussed", "Format", "Referee", "Thatched"])
def test_openings_end_at_a_word_boundary(word: str) -> None:
    """A word that merely begins like a starter is none."""
    chunk = build.chunk(f"{word} also stands in the mill's book.")

    assert flag([chunk], Context(build.document(chunk.text), (), (), SETTINGS))[0].findings == ()


def test_table_whose_header_is_read_aloud_is_no_fragment() -> None:
    """A part of a long table that repeats its header in the reading text stands alone."""
    table = "| flour | grams |\n|---|---|\n| rye | 300 |\n| spelt | 200 |"
    note = build.document(table)
    start = table.index("| spelt")
    chunk = build.chunk(
        table[start:], char_start=start, char_end=len(table), embed_text="flour: spelt; grams: 200"
    )
    flagged = flag([chunk], Context(note, build.sections(note), (), SETTINGS))[0]

    assert "table_fragment" not in {finding.rule for finding in flagged.findings}


NOTE = st.text(st.sampled_from("see alsoT.his \n#-|`*[^1]:é漢🙂\t\u2028As mentioned"), max_size=120)


@given(NOTE)
def test_findings_point_into_the_text_and_come_once(text: str) -> None:
    """Whatever the text, spans lie inside it, and flagging a flagged chunk changes nothing."""
    note = build.document(text)
    sections = build.sections(note)
    context = Context(note, sections, (), SETTINGS)
    once = flag([build.chunk(text)], context)

    assert once == flag(once, context)
    for finding in once[0].findings:
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.note
